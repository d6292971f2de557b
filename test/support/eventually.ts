import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again and again, every few milliseconds, until the answer is neither undefined nor false; throws after the bound,
 * naming what was waited for. For what happens in another process; what happens in ours is awaited.
 */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false> | Value | undefined | false,
  boundMs = 30_000,
): Promise<Value> {
  const giveUpAt = performance.now() + boundMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt) throw new Error(`waited ${boundMs} ms in vain: ${what}`)
    await pause(10)
  }
}
