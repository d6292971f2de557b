import { createAhead } from './ahead.ts'
import type { Ahead } from './ahead.ts'
import type { CallLine } from './call-line.ts'
import { newHolder } from './call-slots.ts'
import type { CallSlots, EndedCall, Holder, Reservation } from './call-slots.ts'
import { createShares } from './shares.ts'

/**
 * With slower calls, the statements between two calls hardly matter, and holders that began ahead would wait too long.
 */
const quickMs = 100
/**
 * While a partner does not answer, its line gets one call at a time with a backoff between them: each call counts as an
 * attempt. A partner that answers gets all its slots back.
 */
const pauseMinMs = 500
const pauseMaxMs = 30_000

interface Partner {
  line: CallLine
  holders: Set<Holder>
  /** Not included in the holders, nor counted with them. */
  ahead: Ahead
  /** There may be work in the line, besides the holders that began ahead. */
  hasMore: boolean
  hasFailed: boolean
  isQuick: boolean
  /**
   * Consecutive calls without an answer; calls that began before the end of the pause after one of them do not count.
   */
  silences: number
  pausedUntilMs: number
  comings: number
}

export function createCallSlots({
  totalMax,
  perLineMax = totalMax,
  aheadMax = 0,
  aheadWaitMaxMs,
  nowMs,
}: {
  totalMax: number
  perLineMax?: number
  /** The number of a line's holders that may begin ahead. */
  aheadMax?: number
  aheadWaitMaxMs?: number
  nowMs: () => number
}): CallSlots {
  const partners = new Map<string, Partner>()
  const partnerOf = new Map<Holder, Partner>()
  const shares = createShares({ totalMax, perLineMax })
  let mayBeginAhead = true
  /** In turn: a line that was served moves to the end. */
  const waiting = new Set<Partner>()
  let tellOfRoom: () => void = () => undefined

  function get(line: CallLine): Partner {
    const known = partners.get(line.key)
    if (known !== undefined) return known
    const fresh: Partner = {
      line,
      holders: new Set(),
      ahead: createAhead((holder) => {
        fresh.isQuick = false
        leaveAhead(fresh, holder, false)
      }, aheadWaitMaxMs),
      hasMore: false,
      hasFailed: false,
      isQuick: false,
      silences: 0,
      pausedUntilMs: -Infinity,
      comings: 0,
    }
    partners.set(line.key, fresh)
    return fresh
  }
  function forgetIfIdle(partner: Partner): void {
    if (!partner.hasMore && partner.ahead.size() === 0) waiting.delete(partner)
    if (partner.holders.size === 0 && !partner.hasFailed && !waiting.has(partner))
      partners.delete(partner.line.key)
  }
  function hasRoom({ line, holders, hasFailed }: Partner): boolean {
    return shares.hasRoom(line.casinoId, { held: holders.size, hasFailed })
  }
  function isPaused({ pausedUntilMs }: Partner): boolean {
    return pausedUntilMs > nowMs()
  }
  function give(partner: Partner, holder: Holder): void {
    shares.take(partner.line.casinoId)
    partner.holders.add(holder)
    partnerOf.set(holder, partner)
  }
  function giveNew(partner: Partner): Holder {
    const holder = newHolder()
    give(partner, holder)
    return holder
  }
  function release(holder: Holder): void {
    const partner = partnerOf.get(holder)
    if (partner === undefined) return
    if (partner.ahead.has(holder)) {
      leaveAhead(partner, holder, false)
      return
    }
    partnerOf.delete(holder)
    partner.holders.delete(holder)
    shares.giveBack(partner.line.casinoId)
    forgetIfIdle(partner)
    if (waiting.size === 0) return
    callReady()
    tellOfRoom()
  }
  function leaveAhead(partner: Partner, holder: Holder, hasSlot: boolean): void {
    if (hasSlot) give(partner, holder)
    else partnerOf.delete(holder)
    partner.ahead.remove(holder, hasSlot)
    forgetIfIdle(partner)
  }
  function sendBack(partner: Partner): void {
    for (const holder of partner.ahead.holders()) leaveAhead(partner, holder, false)
  }
  /** Gives slots to holders that have begun, line by line, up to the first line with room for work that has not. */
  function callReady(): void {
    if (aheadMax === 0) return
    for (const partner of [...waiting]) {
      if (shares.isFull()) return
      if (isPaused(partner)) continue
      if (callReadyOf(partner)) toTheEnd(partner)
      if (partner.hasMore && hasRoom(partner)) return
    }
  }
  function callReadyOf(partner: Partner): boolean {
    let hasCalled = false
    for (;;) {
      const ready = hasRoom(partner) ? partner.ahead.findReady() : undefined
      if (ready === undefined) return hasCalled
      leaveAhead(partner, ready, true)
      hasCalled = true
    }
  }
  function toTheEnd(partner: Partner): void {
    if (waiting.delete(partner)) waiting.add(partner)
  }
  /** New holders that begin ahead; many together, so that they share a batch. */
  function reserveAhead(partner: Partner): Holder[] {
    const { ahead, holders, isQuick, hasMore } = partner
    const hasAll = holders.size >= perLineMax
    if (!mayBeginAhead || !isQuick || !hasMore || !hasAll || ahead.size() > aheadMax / 2) return []
    const fresh = Array.from({ length: aheadMax - ahead.size() }, newHolder)
    for (const holder of fresh) {
      ahead.add(holder)
      partnerOf.set(holder, partner)
    }
    return fresh
  }
  function observe(line: CallLine, { hasSucceeded, hasAnswered, startedMs }: EndedCall): void {
    const partner = get(line)
    partner.hasFailed = !hasSucceeded
    partner.isQuick = hasSucceeded && nowMs() - startedMs <= quickMs
    if (!hasSucceeded) sendBack(partner)
    if (hasAnswered) {
      partner.silences = 0
      partner.pausedUntilMs = -Infinity
    } else if (startedMs >= partner.pausedUntilMs) {
      partner.pausedUntilMs = nowMs() + Math.min(pauseMinMs * 2 ** partner.silences, pauseMaxMs)
      partner.silences += 1
    }
    forgetIfIdle(partner)
  }

  return {
    take: (line, holder) => {
      if (partnerOf.has(holder)) return true
      const partner = get(line)
      if (waiting.has(partner) || !hasRoom(partner)) return false
      give(partner, holder)
      return true
    },
    turn: (holder) => {
      const partner = partnerOf.get(holder)
      if (partner?.ahead.has(holder) !== true) return Promise.resolve(partner !== undefined)
      const turn = partner.ahead.wait(holder)
      callReady()
      return turn
    },
    release,
    observe,
    endAhead: () => {
      mayBeginAhead = false
      for (const partner of [...partners.values()]) sendBack(partner)
    },
    noteUnreachable: (line) => {
      observe(line, { hasSucceeded: false, hasAnswered: false, startedMs: nowMs() })
    },
    noteWaiting: (line) => {
      const partner = get(line)
      partner.comings += 1
      partner.hasMore = true
      waiting.add(partner)
      tellOfRoom()
    },
    reserve: () => {
      const reservations: Reservation[] = []
      for (const partner of [...waiting]) {
        if (shares.isFull()) break
        if (isPaused(partner)) continue
        const hasCalled = callReadyOf(partner)
        const reserved: Holder[] = []
        while (hasRoom(partner)) {
          const [begins] = partner.ahead.holders()
          if (begins !== undefined) leaveAhead(partner, begins, true)
          else if (partner.hasMore) reserved.push(giveNew(partner))
          else break
        }
        if (hasCalled || reserved.length > 0) toTheEnd(partner)
        const holders = [...reserved, ...reserveAhead(partner)]
        if (holders.length > 0) reservations.push({ line: partner.line, holders, comings: partner.comings })
      }
      return reservations
    },
    noteEmpty: ({ line, comings }) => {
      const partner = get(line)
      if (partner.comings === comings) partner.hasMore = false
      forgetIfIdle(partner)
    },
    onRoom: (listener) => {
      tellOfRoom = listener
    },
  }
}
