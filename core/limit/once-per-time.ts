/** Real keys are fewer; whoever gets beyond it has something written down once more. */
const rememberedMax = 10_000

/** Tells whether something is the first of its name within a time, in this process, by a clock that nobody sets. */
export function createOncePerTime({
  onceMs,
  nowMs,
}: {
  onceMs: number
  nowMs: () => number
}): (name: string) => boolean {
  const until = new Map<string, number>()
  return (name) => {
    const now = nowMs()
    if ((until.get(name) ?? 0) > now) return false
    if (until.size >= rememberedMax) until.clear()
    until.set(name, now + onceMs)
    return true
  }
}
