import type { Prisma } from './database.ts'
import { sql, textArray } from './sql.ts'

/** Work of one casino that waits for a person. */
export interface WaitingWork {
  casinoId: string
  /** How many wait, up to `waitingMax`; one more stands for any number beyond. */
  count: number
  /** Since when the oldest waits. */
  oldestAt: Date
}

/** Enough to see that there is too much; counting on would take too long. */
export const waitingMax = 1_000
/** The rows of a casino whose waits are looked at, oldest first: enough to find the longest one. */
export const waitsLookedAtMax = 100
/** The casinos that a statement names at most, those that have waited longest first. */
export const waitingCasinosMax = 1_000

/** The casinos whose work is meant: all live ones, the live ones among these, or one, which may be a sandbox. */
export type CasinoChoice = 'live' | { liveOf: readonly string[] } | { one: string }

/** SQL: whether a row of the table `casino` is chosen. */
export function isChosen(choice: CasinoChoice): Prisma.Sql {
  if (choice === 'live') return sql`casino.sandbox_of IS NULL`
  if ('one' in choice) return sql`casino.id = ${choice.one}::text`
  return sql`casino.id = ANY(${textArray(choice.liveOf)}) AND casino.sandbox_of IS NULL`
}
