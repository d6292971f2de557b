import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database, Prisma } from '../platform/database.ts'

/** The maximum wait for earlier changes, each of which takes milliseconds. */
const turnTimeoutMs = 3_000

/**
 * Runs one statement while no other one runs that takes a turn in the casino or its sandbox. A statement's snapshot is
 * taken when it starts, so without turns two of them could both find room for one more, and revoking a key could miss a
 * key that it is just creating. `guards` run first and may end everything. The statements must not have been awaited.
 *
 * The lock is the row of the casino, not of its sandbox; the hot paths do not lock it. Throws `storage_contended` if
 * its turn does not come.
 */
export async function inCasinoTurn<Result>(
  database: Database,
  casinoId: string,
  guards: readonly Prisma.PrismaPromise<unknown>[],
  statement: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const inTurn = database.$transaction([
    database.$executeRaw`SELECT set_config('lock_timeout', ${String(turnTimeoutMs)}::text, true)`,
    database.$executeRaw`
      SELECT id FROM casino
       WHERE id = (SELECT COALESCE(sandbox_of, id) FROM casino WHERE id = ${casinoId}::text)
         FOR NO KEY UPDATE`,
    ...guards,
    statement,
  ])
  const results: readonly unknown[] = await inTurn.catch((error: unknown): never => {
    if (classifyFailure(error) !== 'locked') throw error
    throw new RewardsError('storage_contended', 'another request is changing the casino', { cause: error })
  })
  return results.at(-1) as Result // the last statement's
}
