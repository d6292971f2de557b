/** There are fewer real keys; beyond this limit, an entry may be recorded again. */
const rememberedMax = 10_000

/** The names of recent occurrences in this process, by a monotonic clock. */
export interface Recently {
  has(name: string): boolean
  add(name: string): void
}

/** Remembers each name for `forMs`. */
export function createRecently({ forMs, nowMs }: { forMs: number; nowMs: () => number }): Recently {
  const until = new Map<string, number>()
  return {
    has: (name) => (until.get(name) ?? 0) > nowMs(),
    add: (name) => {
      if (until.size >= rememberedMax) until.clear()
      until.set(name, nowMs() + forMs)
    },
  }
}

/** Tells whether something is the first with its name within a time. */
export function createOncePerTime({
  onceMs,
  nowMs,
}: {
  onceMs: number
  nowMs: () => number
}): (name: string) => boolean {
  const recently = createRecently({ forMs: onceMs, nowMs })
  return (name) => {
    if (recently.has(name)) return false
    recently.add(name)
    return true
  }
}
