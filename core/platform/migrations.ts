import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The SQL files stay with the sources; the built program stands one folder further below the project. */
const parent = join(dirname(fileURLToPath(import.meta.url)), '../..')
const project = basename(parent) === 'dist' ? dirname(parent) : parent
export const migrationsDir = join(project, 'prisma/migrations')

/** The names of the migrations that this version consists of, in the order in which they are applied. */
export function readMigrationNames(): string[] {
  return readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** What is missing in a database whose migrations are older than this version. */
export const lacksMigrations = 'the database lacks migrations that this version needs'

/** `what` is missing in the database. Nothing was tried. */
export class NotMigratedError extends Error {
  constructor(what: string) {
    super(`${what}: run npm run migrate`)
    this.name = 'NotMigratedError'
  }
}

/** As much of a connection as is needed here. */
interface Session {
  query(text: string, values: unknown[]): Promise<{ rows: { name: string }[] }>
}

/**
 * Those of `needed` that the database has not had, or not to their end. Others do not count: while versions change, the
 * database already has what the next one needs.
 */
export async function findMissingMigrations(session: Session, needed: readonly string[]): Promise<string[]> {
  try {
    const { rows } = await session.query(
      `SELECT name FROM unnest($1::text[]) AS needed (name)
        WHERE NOT EXISTS (
          SELECT FROM _prisma_migrations
           WHERE migration_name = name AND finished_at IS NOT NULL AND rolled_back_at IS NULL
        )
        ORDER BY name`,
      [needed],
    )
    return rows.map(({ name }) => name)
  } catch (error) {
    const isWithoutHistory = error instanceof Error && 'code' in error && error.code === '42P01'
    if (!isWithoutHistory) throw error
    return [...needed]
  }
}
