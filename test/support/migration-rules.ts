/** A rule of docs/contribute/migrations.md. A statement is on one line, with keywords in capitals. */
interface Rule {
  forbids: RegExp
  /** Tables that the migration itself makes are empty, and no code knows them yet. */
  isAllowedOnNewTables?: true
  /** Allowed with a line `-- contract: …` in the migration, which says since when no code uses it. */
  isContract?: true
  reason: string
}

const rules: readonly Rule[] = [
  {
    forbids: /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)/,
    isAllowedOnNewTables: true,
    reason: 'an index keeps writers waiting while it is made: use CREATE INDEX CONCURRENTLY',
  },
  { forbids: /^DROP INDEX (?!CONCURRENTLY)/, reason: 'use DROP INDEX CONCURRENTLY' },
  { forbids: /^REINDEX (?!.*CONCURRENTLY)/, reason: 'use REINDEX CONCURRENTLY' },
  {
    forbids: /\bADD (CONSTRAINT \S+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID$)/,
    isAllowedOnNewTables: true,
    reason:
      'rows are checked under a lock: add the constraint NOT VALID, and validate it in a later migration',
  },
  {
    forbids: /\bADD (CONSTRAINT \S+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)\b(?!.*\bUSING INDEX\b)/,
    isAllowedOnNewTables: true,
    reason: 'make the index CONCURRENTLY first, and add the constraint USING INDEX',
  },
  {
    forbids: /\bADD COLUMN\b(?=[^,]*\bNOT NULL\b)(?![^,]*\bDEFAULT\b)/,
    isAllowedOnNewTables: true,
    reason: 'the release before does not fill the column: let it be null, or give it a default',
  },
  {
    forbids: /\bADD COLUMN\b[^,]*(\bDEFAULT (?!NOW\(\))[^,]*\(|\b(BIG)?SERIAL\b|\bGENERATED\b)/,
    isAllowedOnNewTables: true,
    reason: 'all rows are written again under a lock: add the column without that, and fill it in batches',
  },
  {
    forbids: /\bADD COLUMN\b[^,]*\b(REFERENCES|CHECK|UNIQUE|PRIMARY KEY)\b/,
    reason: 'add the column without that, and a constraint NOT VALID or an index CONCURRENTLY',
  },
  {
    forbids: /\bALTER COLUMN \S+ (SET DATA )?TYPE\b/,
    isContract: true,
    reason: 'all rows are written again, and the previous release knows the old type: add a column instead',
  },
  {
    forbids: /\bALTER COLUMN \S+ SET NOT NULL\b/,
    isContract: true,
    reason: 'the release before may still write nulls, and rows are checked under a lock',
  },
  { forbids: /\bDROP COLUMN\b/, isContract: true, reason: 'the release before still uses the column' },
  {
    forbids: /^DROP (TABLE|FUNCTION|TRIGGER|SEQUENCE|VIEW)\b/,
    isContract: true,
    reason: 'the release before still uses it',
  },
  { forbids: /\bRENAME\b/, reason: 'the release before knows the old name: add, copy, and drop later' },
  { forbids: /^(TRUNCATE|CLUSTER|VACUUM|LOCK)\b/, reason: 'it keeps everybody from the table' },
  { forbids: /^(BEGIN|COMMIT|ROLLBACK|START)\b/, reason: 'a migration is one transaction by itself' },
  { forbids: /^SET\b.*\b(lock|statement)_timeout\b/i, reason: 'prisma/run-script.ts has the time-outs' },
]

export interface Migration {
  name: string
  sql: string
}

/** The problems of migrations that follow the initial one, in their order; none when all keep to the rules. */
export function findBrokenRules(migrations: readonly Migration[]): string[] {
  return [...migrations.flatMap(findBrokenRulesOfOne), ...findUnvalidated(migrations)]
}

function findBrokenRulesOfOne({ name, sql }: Migration): string[] {
  const statements = splitStatements(sql)
  const isContract = /^-- contract: \w+/m.test(sql)
  const newTables = statements.flatMap((text) => /^CREATE TABLE "?(\w+)"?/.exec(text)?.[1] ?? [])
  const found = statements.flatMap((text) =>
    rules
      .filter(({ forbids }) => forbids.test(text))
      .filter((rule) => rule.isAllowedOnNewTables !== true || !newTables.includes(tableOf(text)))
      .filter((rule) => rule.isContract !== true || !isContract)
      .map(({ reason, isContract: mayBe }) => {
        const advice = mayBe === true ? ' (drop it a release later, with "-- contract: <since when>")' : ''
        return `${reason}${advice}: ${text.slice(0, 80)}`
      }),
  )
  const changesRows = statements.some((text) => /^(WITH|INSERT|UPDATE|DELETE|MERGE)\b/.test(text))
  const changesTables = statements.some((text) => /^(CREATE|ALTER|DROP)\b/.test(text))
  if (changesRows && changesTables)
    found.push('locks of tables are held while rows change: use two migrations')
  if (statements.length > 1 && statements.some((text) => /\bCONCURRENTLY\b/.test(text)))
    found.push('what is done CONCURRENTLY cannot be in a transaction: it needs a migration of its own')
  return found.map((problem) => `${name}: ${problem}`)
}

/** A constraint is validated in a later migration: in its own one the lock of adding it would be held meanwhile. */
function findUnvalidated(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ name, sql }, index) =>
    splitStatements(sql)
      .filter((text) => text.endsWith('NOT VALID'))
      .flatMap((text) => /\bADD CONSTRAINT (\S+)/.exec(text)?.[1] ?? [])
      .filter((constraint) => {
        const validating = `VALIDATE CONSTRAINT ${constraint}`
        const isIn = (one: Migration) => splitStatements(one.sql).some((text) => text.includes(validating))
        return !migrations.slice(index + 1).some(isIn)
      })
      .map((constraint) => `${name}: no later migration has VALIDATE CONSTRAINT ${constraint}`),
  )
}

function tableOf(statement: string): string {
  return /(?:\bON|^ALTER TABLE(?: ONLY)?) "?(\w+)"?/.exec(statement)?.[1] ?? ''
}

/** Each on one line, keywords in capitals, without comments; texts and bodies of functions are left out. */
function splitStatements(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*/g, '')
    .split(';')
    .map((text) =>
      text
        .trim()
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/"?\b\w+\b"?/g, upperKeyword),
    )
    .filter((text) => text !== '')
}

function upperKeyword(word: string): string {
  return word.startsWith('"') || word.includes('_') ? word : word.toUpperCase()
}
