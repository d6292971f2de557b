import { RewardsError } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import type { Statement } from '../platform/raw-statements.ts'

/** The maximum wait for earlier changes, each of which takes milliseconds. */
const turnTimeoutMs = 3_000

/** The refusal of a change whose turn does not come in time. */
interface Refusal {
  code: ErrorCode
  message: string
}

const contended: Refusal = { code: 'storage_contended', message: 'another request is changing the casino' }

/**
 * Runs one statement while no other one runs that takes a turn in the casino or its sandbox. A statement's snapshot is
 * taken when it starts, so without turns two of them could both find room for one more, and revoking a key could miss a
 * key that it is just creating. `guards` run first: they may lock more rows, or end everything. The statements must not
 * have been awaited.
 *
 * The lock is the row of the casino, not of its sandbox; foreign keys to it can still be checked, and the hot paths do
 * not lock it. These are fixed statements in sequence, not an interactive transaction: no code of ours between them can
 * take long. Throws `refusal` if its turn does not come.
 */
export async function inCasinoTurn<Result>(
  database: Database,
  casinoId: string,
  guards: readonly Statement<unknown>[],
  statement: Statement<Result>,
  refusal = contended,
): Promise<Result> {
  const inTurn = database.$inTransaction([
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
    throw new RewardsError(refusal.code, refusal.message, { cause: error })
  })
  return results.at(-1) as Result // the last statement's
}
