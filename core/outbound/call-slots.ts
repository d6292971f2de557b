import type { CallLine } from './call-line.ts'

/**
 * Limits the simultaneous calls of a process: per partner, per casino and in total. Without it, one partner that hangs
 * would soon occupy all jobs of the process.
 *
 * Work without a slot waits in a line in the database (core/outbox/line.ts). A process only knows which of its
 * partners' lines are not empty, and new work joins the end of such a line. A free slot goes to the line, not to new
 * work. Where calls are quick, more work of the line begins its attempts ahead, and gets its slots in order.
 */
export interface CallSlots {
  /** Whether the holder has a slot now, until it gives it back; taking it twice is harmless. */
  take(line: CallLine, holder: Holder): boolean
  /**
   * Whether the holder, whose attempt has begun, may call now; a holder that began ahead of a slot waits for one. False
   * if there will be none soon, because the partner fails or is slow: then the attempt goes back to its line.
   */
  turn(holder: Holder): Promise<boolean>
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
  /** No holder begins ahead any more, and those that have go back to the line. */
  endAhead(): void
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

export interface Reservation {
  line: CallLine
  holders: Holder[]
  /** The number of arrivals in the line at that time. */
  comings: number
}
