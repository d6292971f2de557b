import type { Database, Prisma } from '../../core/platform/database.ts'
import { sql, textArray } from '../../core/platform/sql.ts'

/** A change by a role that may switch off the database's own checks: its owner, for example while restoring a dump. */
export async function changeAsOwner(database: Database, change: Prisma.Sql): Promise<number> {
  const [, changed] = await database.$inTransaction([
    database.$executeRaw`SET LOCAL session_replication_role = 'replica'`,
    database.$executeRaw(change),
  ])
  return changed
}

/** Flips a byte of the sealed seeds of a casino that are in these states: no process can open them any more. */
export function damageSeeds(
  database: Database,
  casinoId: string,
  states: readonly ('next' | 'active' | 'retired')[],
): Promise<number> {
  return changeAsOwner(
    database,
    sql`UPDATE server_seed SET sealed_seed = set_byte(sealed_seed, 20, get_byte(sealed_seed, 20) # 1)
         WHERE casino_id = ${casinoId}::text AND state = ANY(${textArray(states)})`,
  )
}
