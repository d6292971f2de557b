import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database, Prisma } from '../platform/database.ts'

/** A change may wait for those before it, each of which takes milliseconds. */
const turnTimeoutMs = 3_000

/**
 * Carries out one statement while no other one runs that takes its turn in the casino or its sandbox. A snapshot is as old
 * as its statement, so without a turn two of them would both find room for one thing more, and a key that is revoked would
 * not take those with it that it is just making. `guards` come before it and may end all of it. The statements must not
 * have been awaited.
 *
 * The row of the casino, not of the sandbox, is the lock; nothing on the write path locks it. Throws `storage_contended`
 * when its turn does not come.
 */
export async function inCasinoTurn<Result>(
  database: Database,
  casinoId: string,
  guards: readonly Prisma.PrismaPromise<unknown>[],
  statement: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const inTurn = database.$transaction([
    database.$queryRaw`SELECT set_config('lock_timeout', ${String(turnTimeoutMs)}::text, true)`,
    database.$queryRaw`
      SELECT id FROM casino
       WHERE id = (SELECT COALESCE(sandbox_of, id) FROM casino WHERE id = ${casinoId}::text)
         FOR NO KEY UPDATE`,
    ...guards,
    statement,
  ])
  const results: readonly unknown[] = await inTurn.catch((error: unknown): never => {
    if (classifyFailure(error) !== 'locked') throw error
    throw new RewardsError('storage_contended', 'others change things of the casino', { cause: error })
  })
  return results.at(-1) as Result // the last statement's
}
