import { setTimeout as pause } from 'node:timers/promises'

/** An early result is seen soon; a late one is asked for less often, since most questions are statements. */
const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Asks again and again until the answer is neither undefined nor false; throws after the bound, naming what was waited
 * for. For what happens in another process; what happens in ours is awaited.
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
