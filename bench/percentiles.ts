import { monotonicMs } from '../core/platform/clock.ts'

/** Milliseconds; 0 if nothing was timed. */
export interface Percentiles {
  p50Ms: number
  p99Ms: number
}

export function percentilesOf(tookMs: readonly number[]): Percentiles {
  const sorted = tookMs.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Does the work so often, and returns how long each time took. Milliseconds. */
export async function timeMs(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  for (let count = 0; count < times; count++) {
    const beganMs = monotonicMs()
    await work()
    tookMs.push(monotonicMs() - beganMs)
  }
  return tookMs
}
