import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The SQL files stay with the sources; the built program is one folder deeper in the project. */
const parent = join(dirname(fileURLToPath(import.meta.url)), '../..')
const project = basename(parent) === 'dist' ? dirname(parent) : parent
export const migrationsDir = join(project, 'prisma/migrations')

/** The names of this version's migrations, in the order in which they are applied. */
export function readMigrationNames(): string[] {
  return readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** Describes a database whose migrations are older than this version. */
export const lacksMigrations = 'the database lacks migrations that this version needs'

/** `what` is missing in the database. No statement was sent. */
export class NotMigratedError extends Error {
  constructor(what: string, more = '') {
    super(`${what}: run npm run migrate${more}`)
    this.name = 'NotMigratedError'
  }
}

/** The part of a connection that is needed here. */
interface Session {
  query(text: string, values: unknown[]): Promise<{ rows: { name: string }[] }>
}

/**
 * The migrations of `needed` that the database lacks or has not completed. Others do not count: during an upgrade, the
 * database already has those of the next version.
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
