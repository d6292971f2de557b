/** Real keys are fewer; whoever gets beyond it has something written down once more. */
const rememberedMax = 10_000

/** Names of what has happened lately in this process, by a clock that nobody sets. */
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

/** Tells whether something is the first of its name within a time. */
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
