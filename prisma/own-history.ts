import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A migration of this version. */
export interface OwnMigration {
  name: string
  script: string
}

/**
 * Rejects when the database has been migrated by code whose migrations are not an earlier or later state of these: one
 * of them had other contents, or there was another one between them. Their result may not be what this version needs,
 * and nothing to migrate would be found. Newer ones are those of a newer release, which the one before may run on.
 */
export async function refuseOtherHistory(
  client: pg.PoolClient,
  migrations: readonly OwnMigration[],
): Promise<void> {
  const newest = migrations.at(-1)?.name ?? ''
  const checksums = new Map(migrations.map(({ name, script }) => [name, checksumsOf(script)]))
  const isOther = ({ name, checksum }: AppliedMigration) =>
    name <= newest && checksums.get(name)?.includes(checksum) !== true
  const other = (await readHistory(client)).find(isOther)
  if (other === undefined) return
  throw new Error(
    `the database was migrated by other code: its migration ${other.name} is not the one of this version. ` +
      'Start with a new database (for npm start: delete the folder .local), or go back to that code',
  )
}

interface AppliedMigration {
  name: string
  checksum: string
}

/** Those that failed are left to the engine, which says so. */
async function readHistory(client: pg.PoolClient): Promise<AppliedMigration[]> {
  const exists = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  )
  if (exists.rows[0]?.exists !== true) return []
  const { rows } = await client.query<AppliedMigration>(`
    SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name`)
  return rows
}

/** As the engine records them. Git may have written the file with other ends of lines since. */
function checksumsOf(script: string): string[] {
  return [script, script.replaceAll('\r\n', '\n')].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  )
}
