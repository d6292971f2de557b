import { monotonicMs } from './clock.ts'
import { withinMs } from './deadline.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Logger } from './logger.ts'
import { NotMigratedError } from './migrations.ts'

/**
 * The longest time for which a changed clock, ours or the database's, may go unnoticed. A comparison is one tiny query.
 */
export const compareIdleMs = 5_000
/** How old a reading of the database's clock may be for work that cannot be undone. */
const freshMs = 1_000
/** A database that hangs does not keep a process from starting. */
const startTimeoutMs = 2_000

export interface CompareClocks {
  /** Asks the database for its time, and logs when the machine's clock becomes wrong and when it is right again. */
  runOnce: () => Promise<number>
  /** The same, before a process starts to work. A database that is away is compared once it is back. */
  tryOnce(): Promise<void>
  /**
   * A loop whose work cannot be undone: it runs only while the machine's clock agrees with the database's, and uses a
   * time read from the database within the last second. The database's time would be used anyway; but if two clocks differ
   * by so much, one of them is wrong, and it may be the database's.
   */
  guard: (runOnce: () => Promise<number>) => () => Promise<number>
}

export function createCompareClocks({
  databaseClock,
  pingDatabase,
  log,
  nowMs = monotonicMs,
}: {
  databaseClock: DatabaseClock
  pingDatabase: () => Promise<void>
  log: Logger
  nowMs?: () => number
}): CompareClocks {
  let wasOff = false
  let askedAtMs = -Infinity

  const ask = async () => {
    const startMs = nowMs()
    await pingDatabase()
    askedAtMs = startMs
    const isOff = databaseClock.state() === 'off'
    if (isOff !== wasOff) {
      const fields = { skewSeconds: Math.round(databaseClock.skewSeconds() ?? 0) }
      if (isOff)
        log.error(fields, "this machine's clock is off the database's; nothing irrevocable is done here")
      else log.info(fields, "this machine's clock is right again")
    }
    wasOff = isOff
  }
  // Loops often begin at the same time: one answer serves each that waits for it, and takes one connection.
  let asking: Promise<void> | undefined
  const compare = () =>
    (asking ??= ask().finally(() => {
      asking = undefined
    }))
  return {
    runOnce: async () => {
      await compare()
      return 0
    },
    tryOnce: async () => {
      try {
        await withinMs(compare(), startTimeoutMs)
      } catch (error) {
        // A missing migration has been logged already, with what to do.
        if (error instanceof NotMigratedError) return
        log.warn({ err: error }, 'cannot read the time from the database yet')
      }
    },
    guard: (runOnce) => async () => {
      // A machine that was suspended has another time than its monotonic clock: only the database knows which is right.
      const isFresh = nowMs() - askedAtMs <= freshMs && databaseClock.state() === 'ok'
      if (!isFresh) await compare()
      return databaseClock.state() === 'ok' ? runOnce() : 0
    },
  }
}
