import { expect } from 'chai'
import { readMigrations } from '../../prisma/migrate.ts'
import { findBrokenRules } from '../support/migration-rules.ts'

const problemsOf = (...scripts: string[]) =>
  findBrokenRules(scripts.map((sql, index) => ({ name: `2027010100000${index}_example`, sql })))

describe('the migrations after the initial one', () => {
  it('follow the rules of docs/contribute/migrations.md', async () => {
    const { migrationDirectories } = await readMigrations()
    const [initial, ...later] = migrationDirectories.map(({ path, migrationFile }) => ({
      name: path,
      sql: migrationFile.content.value,
    }))
    expect(initial?.name).to.match(/_initial$/)
    expect(findBrokenRules(later)).to.deep.equal([])
  })
})

describe('the rules of migrations', () => {
  const refused = {
    'an index that keeps writers waiting': 'CREATE INDEX "a_idx" ON "player" ("nonce");',
    'a unique index that keeps writers waiting': 'create unique index a_idx on player (nonce);',
    'dropping an index under a lock': 'DROP INDEX "a_idx";',
    'an index made concurrently beside something else':
      'CREATE INDEX CONCURRENTLY "a_idx" ON "player" ("nonce"); ALTER TABLE "player" ADD COLUMN "a" TEXT;',
    'a check that looks at all rows': 'ALTER TABLE "player" ADD CONSTRAINT "a" CHECK ("nonce" > 0);',
    'a foreign key that looks at all rows':
      'ALTER TABLE "player" ADD CONSTRAINT "a" FOREIGN KEY ("b") REFERENCES "c" ("d");',
    'a check that nobody validates': 'ALTER TABLE "player" ADD CONSTRAINT "a" CHECK ("nonce" > 0) NOT VALID;',
    'a check that is validated with the lock of adding it':
      'ALTER TABLE "player" ADD CONSTRAINT "a" CHECK ("nonce" > 0) NOT VALID; ALTER TABLE "player" VALIDATE CONSTRAINT "a";',
    'a unique constraint without its index': 'ALTER TABLE "player" ADD CONSTRAINT "a" UNIQUE ("b");',
    'a column that the release before leaves empty': 'ALTER TABLE "player" ADD COLUMN "a" TEXT NOT NULL;',
    'a column with another value in each row':
      'ALTER TABLE "player" ADD COLUMN "a" UUID NOT NULL DEFAULT gen_random_uuid();',
    'a column that counts': 'ALTER TABLE "player" ADD COLUMN "a" BIGSERIAL;',
    'a column with a reference': 'ALTER TABLE "player" ADD COLUMN "a" TEXT REFERENCES "casino" ("id");',
    'another type': 'ALTER TABLE "player" ALTER COLUMN "nonce" TYPE INTEGER;',
    'a column that may not be null any more': 'ALTER TABLE "player" ALTER COLUMN "seed_id" SET NOT NULL;',
    'a column that goes': 'ALTER TABLE "player" DROP COLUMN "nonce";',
    'a table that goes': 'DROP TABLE "player";',
    'another name of a column':
      '-- contract: since 2.0\nALTER TABLE "player" RENAME COLUMN "nonce" TO "number";',
    'another name of a table': 'ALTER TABLE "player" RENAME TO "gambler";',
    'rows that change under the lock of their table':
      'ALTER TABLE "player" ADD COLUMN "a" TEXT; UPDATE "player" SET "a" = \'b\';',
    'a table that is emptied': 'TRUNCATE "player";',
    'a table that is locked': 'LOCK TABLE "player";',
    'a transaction of its own': 'BEGIN; ALTER TABLE "player" ADD COLUMN "a" TEXT;',
    'a time-out of its own': 'SET lock_timeout = \'1h\'; ALTER TABLE "player" ADD COLUMN "a" TEXT;',
  }
  for (const [what, sql] of Object.entries(refused)) {
    it(`refuse ${what}`, () => {
      expect(problemsOf(sql)).to.have.length(1)
    })
  }

  const accepted: Record<string, string[]> = {
    'an index made concurrently': ['-- By nonce.\nCREATE INDEX CONCURRENTLY "a_idx" ON "player" ("nonce");'],
    'a new table with all that belongs to it': [
      `CREATE TABLE "a" ("id" BIGSERIAL NOT NULL, CONSTRAINT "a_pkey" PRIMARY KEY ("id"));
       CREATE INDEX "a_idx" ON "a" ("id");
       ALTER TABLE "a" ADD CONSTRAINT "a_id" CHECK ("id" > 0);`,
    ],
    'a check that is validated later': [
      'ALTER TABLE "player" ADD CONSTRAINT "a" CHECK ("nonce" > 0) NOT VALID;',
      'ALTER TABLE "player" VALIDATE CONSTRAINT "a";',
    ],
    'a unique constraint of an index that is there': [
      'ALTER TABLE "player" ADD CONSTRAINT "a" UNIQUE USING INDEX "a_idx";',
    ],
    'columns that may be null or have one default': [
      `ALTER TABLE "player" ADD COLUMN "a" TEXT, ADD COLUMN "b" NUMERIC(10, 2) NOT NULL DEFAULT 0,
         ADD COLUMN "c" TIMESTAMPTZ(3) NOT NULL DEFAULT now();`,
    ],
    'rows that change in a migration of their own': ['UPDATE "player" SET "nonce" = 0;'],
    'a column that goes when no code uses it': [
      '-- contract: unused since 2.0\nALTER TABLE "player" DROP COLUMN "nonce";',
    ],
    'a function and its trigger': [
      `CREATE FUNCTION "f"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE "a"; END $$;
       CREATE TRIGGER "t" AFTER UPDATE ON "player" FOR EACH ROW EXECUTE FUNCTION "f"();`,
    ],
  }
  for (const [what, scripts] of Object.entries(accepted)) {
    it(`accept ${what}`, () => {
      expect(problemsOf(...scripts)).to.deep.equal([])
    })
  }
})
