/**
 * How many calls of each casino's partner this process may have under way. Without a bound, one partner that hangs would
 * soon hold every job that the process can run, and no other casino's work would be done.
 */
export interface CallSlots {
  /**
   * A slot for the holder, until it gives it back: undefined when it has one now (taking it twice is harmless), otherwise
   * for how many milliseconds to go away.
   */
  take(casinoId: string, holder: string): number | undefined
  /** Gives back whatever the holder has. */
  release(holder: string): void
  /** Told how each call ended: whether the partner gave an answer that means something. */
  observe(casinoId: string, hasAnswered: boolean): void
}

/** Of the slots of a wallet whose last call was in vain, so many can be had: enough to notice that it is back. */
const hopelessShare = 8

/** The first time away; it doubles with every call in a row that was in vain, so that nobody queues for the hopeless. */
const awayMinMs = 1_000
const awayMaxMs = 60_000

export function createCallSlots({
  perCasinoMax,
  random,
}: {
  perCasinoMax: number
  /** From 0 to 1. */
  random: () => number
}): CallSlots {
  const holdersOf = new Map<string, Set<string>>()
  const casinoOf = new Map<string, string>()
  const failuresOf = new Map<string, number>()
  return {
    take: (casinoId, holder) => {
      const holders = holdersOf.get(casinoId) ?? new Set()
      const failures = failuresOf.get(casinoId) ?? 0
      const max = failures === 0 ? perCasinoMax : Math.max(1, Math.floor(perCasinoMax / hopelessShare))
      if (!holders.has(holder) && holders.size >= max) {
        const awayMs = Math.min(awayMinMs * 2 ** failures, awayMaxMs)
        return awayMs * (1 + random())
      }
      holdersOf.set(casinoId, holders.add(holder))
      casinoOf.set(holder, casinoId)
      return undefined
    },
    release: (holder) => {
      const casinoId = casinoOf.get(holder)
      if (casinoId === undefined) return
      casinoOf.delete(holder)
      const holders = holdersOf.get(casinoId)
      holders?.delete(holder)
      if (holders?.size === 0) holdersOf.delete(casinoId)
    },
    observe: (casinoId, hasAnswered) => {
      if (hasAnswered) failuresOf.delete(casinoId)
      else failuresOf.set(casinoId, (failuresOf.get(casinoId) ?? 0) + 1)
    },
  }
}
