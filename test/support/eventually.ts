import { setTimeout as pause } from 'node:timers/promises'

/** An early result is seen soon; a late one is asked for less often, since most questions are statements. */
const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Asks again and again until the answer is neither undefined nor false; throws after the bound, naming the awaited
 * thing. It is for events in another process; those in this one can be awaited directly.
 */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false> | Value | undefined | false,
  boundMs = 30_000,
): Promise<Value> {
  const startedMs = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    const waitedMs = performance.now() - startedMs
    if (waitedMs > boundMs) throw new Error(`did not happen within ${boundMs} ms: ${what}`)
    await pause(Math.min(longestPauseMs, Math.max(firstPauseMs, waitedMs / 10)))
  }
}
