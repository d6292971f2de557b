import { monotonicMs } from '../core/platform/clock.ts'

/** Whether the background loops still turn. */
export interface Heartbeats {
  /** The same turn of a loop, observed. Turns that fail count, since the loop continues. */
  watch(loop: string, runOnce: () => Promise<number>): () => Promise<number>
  /** The loops that have begun no turn for too long, because one never ended. */
  findLate(nowMs?: number): string[]
}

/** Several times the longest that a turn can take when the database and the queues time out at every step. */
const lateAfterMs = 60_000

export function createHeartbeats(): Heartbeats {
  const beatenAtMs = new Map<string, number>()
  return {
    watch: (loop, runOnce) => {
      beatenAtMs.set(loop, monotonicMs())
      return () => {
        beatenAtMs.set(loop, monotonicMs())
        return runOnce()
      }
    },
    findLate: (nowMs = monotonicMs()) =>
      [...beatenAtMs].filter(([, atMs]) => nowMs - atMs > lateAfterMs).map(([loop]) => loop),
  }
}
