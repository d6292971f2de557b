/**
 * Limits the simultaneous calls of a process: per partner, per casino and in total. Without it, one partner that hangs
 * would soon occupy all jobs of the process.
 *
 * Work without a slot waits in a line in the database (core/outbox/line.ts). A process only knows which of its
 * partners' lines are not empty, and new work joins the end of such a line. A free slot goes to the line, not to new
 * work.
 */
export interface CallSlots {
  /** Whether the holder has a slot now, until it gives it back; taking it twice is harmless. */
  take(line: CallLine, holder: Holder): boolean
  /** Gives back the holder's slot, if it has one. */
  release(holder: Holder): void
  /** Called with how each call ended. */
  observe(line: CallLine, ended: EndedCall): void
  /** The partner could not be called because its name does not resolve: counts like no answer. */
  noteUnreachable(line: CallLine): void
  /** Work waits in this line. */
  noteWaiting(line: CallLine): void
  /** Reserves slots for waiting work, each with a holder. Lines take turns at the first choice. */
  reserve(): Reservation[]
  /** The line had less work than reserved slots; unless more has come since, it is empty. */
  noteEmpty(reservation: Reservation): void
  /** Calls back whenever there may be slots to reserve. */
  onRoom(listener: () => void): void
}

/**
 * A run of a work, from before its slot until after its call. The work may run again while an earlier call is still in
 * progress: that is another holder, which cannot give back this one's slot.
 */
export type Holder = symbol

export function newHolder(): Holder {
  return Symbol('a run')
}

/** Whether a call succeeded, whether there was an answer at all, and when it began by the same clock. */
export interface EndedCall {
  hasSucceeded: boolean
  hasAnswered: boolean
  startedMs: number
}

/** The unit of counting: a casino's wallet, its provider, or one of its endpoints. */
export interface CallLine {
  /** Starts with the kind and the casino, each on a line of its own. */
  key: string
  casinoId: string
}

export interface Reservation {
  line: CallLine
  holders: Holder[]
  /** The number of arrivals in the line at that time. */
  comings: number
}

export type LineKind = 'wallet' | 'provider' | 'webhook'

/** Enough for a receiver that answers at once; a process has room for many such endpoints. */
const slotsPerEndpointMax = 8

/** As many calls of each kind as it may have jobs. */
export function createSlotsOfKinds(options: {
  totalMax: number
  nowMs: () => number
}): Readonly<Record<LineKind, CallSlots>> {
  return {
    wallet: createCallSlots(options),
    provider: createCallSlots(options),
    webhook: createCallSlots({ ...options, perLineMax: slotsPerEndpointMax }),
  }
}

/** The line of the kind at a casino, or of one endpoint. */
export function lineOf(kind: LineKind, casinoId: string, of?: string): CallLine {
  return { key: [kind, casinoId, ...(of === undefined ? [] : [of])].join('\n'), casinoId }
}

export function parseLine(key: string): { kind: string; line: CallLine } {
  const [kind = '', casinoId = ''] = key.split('\n')
  return { kind, line: { key, casinoId } }
}

/** The slots of a partner whose last call failed: enough to notice that it works again. */
const hopelessShare = 8
/** A casino's maximum share of all slots, and of those that the others leave free. */
const casinoShare = 4
const leftShare = 2
/**
 * While a partner does not answer, its line gets one call at a time with a backoff between them: each call counts as an
 * attempt. A partner that answers gets all its slots back.
 */
const pauseMinMs = 500
const pauseMaxMs = 30_000

interface Partner {
  line: CallLine
  holders: Set<Holder>
  hasFailed: boolean
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
  nowMs,
}: {
  totalMax: number
  perLineMax?: number
  nowMs: () => number
}): CallSlots {
  const partners = new Map<string, Partner>()
  const partnerOf = new Map<Holder, Partner>()
  const heldBy = new Map<string, number>()
  /** In turn: a line that was served moves to the end. */
  const waiting = new Set<Partner>()
  let tellOfRoom: () => void = () => undefined

  function get(line: CallLine): Partner {
    const known = partners.get(line.key)
    if (known !== undefined) return known
    const fresh: Partner = {
      line,
      holders: new Set(),
      hasFailed: false,
      silences: 0,
      pausedUntilMs: -Infinity,
      comings: 0,
    }
    partners.set(line.key, fresh)
    return fresh
  }
  function forgetIfIdle(partner: Partner): void {
    if (partner.holders.size === 0 && !partner.hasFailed && !waiting.has(partner))
      partners.delete(partner.line.key)
  }
  function hasRoom({ line, holders, hasFailed }: Partner): boolean {
    const casinoMax = Math.max(1, Math.floor(totalMax / casinoShare))
    const ownMax = Math.min(perLineMax, casinoMax)
    const max = hasFailed ? Math.max(1, Math.floor(ownMax / hopelessShare)) : ownMax
    const left = totalMax - partnerOf.size
    const share = Math.min(casinoMax, Math.ceil(left / leftShare))
    return holders.size < max && (heldBy.get(line.casinoId) ?? 0) < share
  }
  function give(partner: Partner, holder: Holder): void {
    partner.holders.add(holder)
    partnerOf.set(holder, partner)
    heldBy.set(partner.line.casinoId, (heldBy.get(partner.line.casinoId) ?? 0) + 1)
  }
  function release(holder: Holder): void {
    const partner = partnerOf.get(holder)
    if (partner === undefined) return
    partnerOf.delete(holder)
    partner.holders.delete(holder)
    const { casinoId } = partner.line
    const held = (heldBy.get(casinoId) ?? 1) - 1
    if (held === 0) heldBy.delete(casinoId)
    else heldBy.set(casinoId, held)
    forgetIfIdle(partner)
    if (waiting.size > 0) tellOfRoom()
  }
  function observe(line: CallLine, { hasSucceeded, hasAnswered, startedMs }: EndedCall): void {
    const partner = get(line)
    partner.hasFailed = !hasSucceeded
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
    release,
    observe,
    noteUnreachable: (line) => {
      observe(line, { hasSucceeded: false, hasAnswered: false, startedMs: nowMs() })
    },
    noteWaiting: (line) => {
      const partner = get(line)
      partner.comings += 1
      waiting.add(partner)
      tellOfRoom()
    },
    reserve: () => {
      const reservations: Reservation[] = []
      for (const partner of [...waiting]) {
        if (partnerOf.size >= totalMax) break
        if (partner.pausedUntilMs > nowMs()) continue
        const reserved: Holder[] = []
        while (hasRoom(partner)) {
          const holder = newHolder()
          give(partner, holder)
          reserved.push(holder)
        }
        if (reserved.length === 0) continue
        reservations.push({ line: partner.line, holders: reserved, comings: partner.comings })
        waiting.delete(partner)
        waiting.add(partner)
      }
      return reservations
    },
    noteEmpty: ({ line, comings }) => {
      const partner = get(line)
      if (partner.comings === comings) waiting.delete(partner)
      forgetIfIdle(partner)
    },
    onRoom: (listener) => {
      tellOfRoom = listener
    },
  }
}
