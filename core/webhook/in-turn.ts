import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { EndpointName } from './endpoints.ts'

const othersChangeThem = 'Others are changing the webhook endpoints of this casino, try again later'
/** A change may wait for those before it, each of which takes milliseconds. */
const turnTimeoutMs = 3_000

/**
 * Changes an endpoint in one statement, while nobody else changes any endpoint of the casino: what people do to endpoints
 * takes turns, so each such statement sees all that the ones before it have done (a snapshot is as old as its statement,
 * so a statement that waited by itself would see what was true before). `statement` must not have been awaited.
 *
 * The casino's row is the lock: foreign keys to it are still checked meanwhile, and nothing on the write path locks it.
 * Workers that tell how an endpoint does lock its row only, so that is locked as well.
 *
 * These are fixed statements in a row, not an interactive transaction: there is nothing of ours between them that could
 * take long. Should they be torn apart after all, each is still guarded by itself. Throws `overloaded` when its turn does
 * not come.
 */
export async function changeInTurn<Result>(
  database: Database,
  { casinoId, endpointId }: EndpointName,
  statement: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const inTurn = database.$transaction([
    database.$queryRaw`SELECT set_config('lock_timeout', ${String(turnTimeoutMs)}::text, true)`,
    database.$queryRaw`SELECT id FROM casino WHERE id = ${casinoId}::text FOR NO KEY UPDATE`,
    database.$queryRaw`
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
