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

/** Of the slots of a partner whose last call was in vain, so many can be had: enough to notice that it is back. */
const hopelessShare = 8

/** The shortest time away; it doubles with every call in a row that was in vain, so that nobody queues for the hopeless. */
const awayMinMs = 1_000
const hopelessAwayMaxMs = 60_000
/**
 * Whoever is sent away gets a turn behind those who were sent away before, as far apart as slots come free: each looks
 * again a few times, however many there are. A partner that gets faster has all of them back within this time.
 */
const awayMaxMs = 2 * 60_000
/** How much the newest call says about how long the next will take. */
const newestWeight = 0.2
/** A partner that nobody has called yet is taken to be quick; it soon shows. */
const heldAtFirstMs = 50

interface Partner {
  /** Since when each has had its slot. */
  holders: Map<string, number>
  /** Calls in a row that were in vain. */
  failures: number
  /** For how long a slot is held, of late. */
  heldMs: number
  /** When the last of those who were sent away has its turn. */
  lastTurnMs: number
}

export function createCallSlots({
  perCasinoMax,
  nowMs,
  random,
}: {
  perCasinoMax: number
  nowMs: () => number
  /** From 0 to 1. */
  random: () => number
}): CallSlots {
  const partners = new Map<string, Partner>()
  const casinoOf = new Map<string, string>()

  const get = (casinoId: string): Partner => {
    const known = partners.get(casinoId)
    if (known !== undefined) return known
    const fresh = { holders: new Map<string, number>(), failures: 0, heldMs: heldAtFirstMs, lastTurnMs: 0 }
    partners.set(casinoId, fresh)
    return fresh
  }
  const sendAway = (partner: Partner, now: number): number => {
    // As if all slots were to be had again: one call in vain must not send everybody away for minutes.
    const betweenTurnsMs = expectedHeldMs(partner, now) / perCasinoMax
    const turnMs = Math.max(partner.lastTurnMs, now) + betweenTurnsMs
    partner.lastTurnMs = Math.min(turnMs, now + awayMaxMs)
    // Those for whom no turn is left come at any time in its second half, so that they do not come all at once.
    if (turnMs > partner.lastTurnMs) return (awayMaxMs * (1 + random())) / 2
    const shortestMs = Math.min(awayMinMs * 2 ** partner.failures, hopelessAwayMaxMs) * (1 + random())
    return Math.max(shortestMs, turnMs - now)
  }
  return {
    take: (casinoId, holder) => {
      const partner = get(casinoId)
      if (partner.holders.has(holder)) return undefined
      const max =
        partner.failures === 0 ? perCasinoMax : Math.max(1, Math.floor(perCasinoMax / hopelessShare))
      const now = nowMs()
      if (partner.holders.size >= max) return sendAway(partner, now)
      partner.holders.set(holder, now)
      casinoOf.set(holder, casinoId)
      return undefined
    },
    release: (holder) => {
      const casinoId = casinoOf.get(holder)
      if (casinoId === undefined) return
      casinoOf.delete(holder)
      const partner = get(casinoId)
      const now = nowMs()
      const since = partner.holders.get(holder) ?? now
      partner.holders.delete(holder)
      partner.heldMs += newestWeight * (now - since - partner.heldMs)
      // What is known of an idle partner that never had too much to do is not worth the memory.
      const isIdle = partner.holders.size === 0 && partner.failures === 0 && partner.lastTurnMs === 0
      if (isIdle) partners.delete(casinoId)
    },
    observe: (casinoId, hasAnswered) => {
      const partner = get(casinoId)
      // It is back: who comes now need not queue behind those who were sent away while it was not.
      if (hasAnswered && partner.failures > 0) partner.lastTurnMs = 0
      partner.failures = hasAnswered ? 0 : partner.failures + 1
    },
  }
}

/** How long the next slot will be held: as long as those before it, or longer when the present ones already are. */
function expectedHeldMs({ holders, heldMs }: Partner, now: number): number {
  let sumMs = 0
  for (const since of holders.values()) sumMs += now - since
  return Math.max(heldMs, holders.size === 0 ? 0 : sumMs / holders.size)
}
