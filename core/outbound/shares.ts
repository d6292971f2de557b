/** The slots of a partner whose last call failed: enough to notice that it works again. */
const hopelessShare = 8
/** A casino's maximum share of all slots, and of those that the others leave free. */
const casinoShare = 4
const leftShare = 2

/** How the slots of a process are shared: per partner, per casino, and in total. */
export interface Shares {
  /** Whether the casino's partner, which has this many slots, may have one more; few while its calls fail. */
  hasRoom(casinoId: string, partner: { held: number; hasFailed: boolean }): boolean
  isFull(): boolean
  take(casinoId: string): void
  giveBack(casinoId: string): void
}

export function createShares({ totalMax, perLineMax }: { totalMax: number; perLineMax: number }): Shares {
  const heldBy = new Map<string, number>()
  let heldCount = 0
  const casinoMax = Math.max(1, Math.floor(totalMax / casinoShare))
  const ownMax = Math.min(perLineMax, casinoMax)
  return {
    hasRoom: (casinoId, { held, hasFailed }) => {
      const max = hasFailed ? Math.max(1, Math.floor(ownMax / hopelessShare)) : ownMax
      const share = Math.min(casinoMax, Math.ceil((totalMax - heldCount) / leftShare))
      return held < max && (heldBy.get(casinoId) ?? 0) < share
    },
    isFull: () => heldCount >= totalMax,
    take: (casinoId) => {
      heldCount += 1
      heldBy.set(casinoId, (heldBy.get(casinoId) ?? 0) + 1)
    },
    giveBack: (casinoId) => {
      heldCount -= 1
      const held = (heldBy.get(casinoId) ?? 1) - 1
      if (held === 0) heldBy.delete(casinoId)
      else heldBy.set(casinoId, held)
    },
  }
}
