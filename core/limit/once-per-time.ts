import type { Clock } from '../platform/clock.ts'

/** Real keys are fewer; whoever gets beyond it has something written down once more. */
const rememberedMax = 10_000

/** Tells whether something is the first of its name within a time, in this process. */
export function createOncePerTime({
  clock,
  onceMs,
}: {
  clock: Clock
  onceMs: number
}): (name: string) => boolean {
  const until = new Map<string, number>()
  return (name) => {
    const nowMs = clock.now().getTime()
    if ((until.get(name) ?? 0) > nowMs) return false
    if (until.size >= rememberedMax) until.clear()
    until.set(name, nowMs + onceMs)
    return true
  }
}
