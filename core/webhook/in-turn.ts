import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { EndpointName } from './endpoints.ts'

const othersChangeThem = 'Another request is changing the webhook endpoints of this casino: try again later'
/** The maximum wait for earlier changes, each of which takes milliseconds. */
const turnTimeoutMs = 3_000

/**
 * Changes an endpoint in one statement while no other endpoint of the casino is changed. Operators' changes take turns,
 * so that each statement sees the results of the ones before it: a statement's snapshot is taken when it starts, so one
 * that waited for a lock by itself would see old data. `statement` must not have been awaited.
 *
 * The lock is the casino's row: foreign keys to it can still be checked, and the hot paths do not lock it. Workers that
 * record an endpoint's failures lock only its own row, so that one is locked too.
 *
 * These are fixed statements in sequence, not an interactive transaction: no code of ours between them can take long.
 * Each is guarded by itself as well. Throws `overloaded` if its turn does not come.
 */
export async function changeInTurn<Result>(
  database: Database,
  { casinoId, endpointId }: EndpointName,
  statement: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const inTurn = database.$transaction([
    database.$executeRaw`SELECT set_config('lock_timeout', ${String(turnTimeoutMs)}::text, true)`,
    database.$executeRaw`SELECT id FROM casino WHERE id = ${casinoId}::text FOR NO KEY UPDATE`,
    database.$executeRaw`
      SELECT id FROM webhook_endpoint
       WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text FOR UPDATE`,
    statement,
  ])
  const [, , , result] = await inTurn.catch((error: unknown): never => {
    if (classifyFailure(error) !== 'locked') throw error
    throw new RewardsError('overloaded', othersChangeThem, { cause: error })
  })
  return result
}
