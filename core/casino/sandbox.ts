import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/**
 * A sandbox is a casino of its own that holds the test data of another. Everything is scoped by its casino, rows, locks
 * and seeds alike, so test data and live data cannot meet. Sandboxes have no sandboxes.
 */
const sandboxSuffix = ':test'
/** In characters, as for every id (`callerId` in api/parse-input.ts). */
const casinoIdLengthMax = 128

/** The sandbox's id. Undefined when it would be too long: such a casino can have none. */
export function sandboxIdOf(casinoId: string): string | undefined {
  const id = casinoId + sandboxSuffix
  return Array.from(id).length <= casinoIdLengthMax ? id : undefined
}

/** Whether only a sandbox may have this id. */
export function isSandboxId(casinoId: string): boolean {
  return casinoId.endsWith(sandboxSuffix)
}

/** Whose share of something a casino uses: a sandbox has none of its own. */
export function shareHolderOf(casinoId: string): string {
  return isSandboxId(casinoId) ? casinoId.slice(0, -sandboxSuffix.length) : casinoId
}

/** The longest id, in characters, of a casino that can have a sandbox. */
export const sandboxedIdLengthMax = casinoIdLengthMax - sandboxSuffix.length

/**
 * Makes the casino's sandbox unless there is one, under the casino's name. What is published from then on is mirrored
 * into it; what was published before, `mirrorMissingItems` and
 * `mirrorMissingBoxes` fetch. Returns whether `sandboxId` is it: a casino
 * from before there were sandboxes may have that id.
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
