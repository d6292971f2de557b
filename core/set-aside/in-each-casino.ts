import { findDatabaseProblem } from '../platform/database-error.ts'

/**
 * Does the work of a loop for one casino after the other, and returns the sum of their results. If it fails for one, the
 * others do not wait: the first failure is thrown after the last casino. While the database is away, all would fail.
 */
export async function inEachCasino<Casino>(
  casinos: readonly Casino[],
  work: (casino: Casino) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  for (const casino of casinos) {
    try {
      done += await work(casino)
    } catch (error) {
      if (findDatabaseProblem(error)?.isAway === true) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return done
}
