import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/**
 * A sandbox is a casino of its own that holds the test data of another. Rows, locks and seeds are all scoped by casino,
 * so test data and live data cannot mix. Sandboxes have no sandboxes.
 */
const sandboxSuffix = ':test'
/** In characters, as for every id (`callerId` in api/parse-input.ts). */
const casinoIdLengthMax = 128

/** The sandbox's id. Undefined if it would be too long: such a casino cannot have one. */
export function sandboxIdOf(casinoId: string): string | undefined {
  const id = casinoId + sandboxSuffix
  return Array.from(id).length <= casinoIdLengthMax ? id : undefined
}

/** Whether the id is reserved for sandboxes. */
export function isSandboxId(casinoId: string): boolean {
  return casinoId.endsWith(sandboxSuffix)
}

/** The casino whose share is used: a sandbox uses its casino's. */
export function shareHolderOf(casinoId: string): string {
  return isSandboxId(casinoId) ? casinoId.slice(0, -sandboxSuffix.length) : casinoId
}

/** The maximum length of the id, in characters, of a casino that can have a sandbox. */
export const sandboxedIdLengthMax = casinoIdLengthMax - sandboxSuffix.length

/**
 * Creates the casino's sandbox if it does not exist, under the casino's name. Later publications are mirrored into it;
 * `mirrorMissingItems` and `mirrorMissingBoxes` copy the earlier ones. Returns false if `sandboxId` belongs to an older
 * casino from before there were sandboxes.
 */
export async function ensureSandbox(
  database: Database,
  now: Date,
  { casinoId, sandboxId }: { casinoId: string; sandboxId: string },
): Promise<boolean> {
  await database.$executeRaw`
    ${insertInto('casino', {
      from: sql`casino WHERE id = ${casinoId}::text AND sandbox_of IS NULL`,
      columns: {
        id: sql`${sandboxId}::text`,
        name: sql`name`,
        sandbox_of: sql`id`,
        created_at: instant(now),
        updated_at: instant(now),
      },
    })}
    ON CONFLICT DO NOTHING`
  const sandbox = await database.casino.findUnique({ where: { id: sandboxId }, select: { sandboxOf: true } })
  return sandbox?.sandboxOf === casinoId
}
