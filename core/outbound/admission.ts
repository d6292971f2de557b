import { lineFallbackMs } from '../outbox/line.ts'
import { unknownNameAwayMs } from '../partner/names.ts'
import type { PartnerNames } from '../partner/names.ts'
import { partnerIdOf } from '../partner/partner-id.ts'
import type { Logger } from '../platform/logger.ts'
import { later } from './attempt.ts'
import type { CallLine } from './call-line.ts'
import type { CallSlots, Holder } from './call-slots.ts'

export interface AdmissionDeps {
  log: Logger
  slots: CallSlots
  names: PartnerNames
  /** From 0 to 1. */
  random: () => number
}

/**
 * A call that follows once `write` has committed its attempt, and the write to use instead if there can be no attempt.
 */
export interface PlannedCall<Write> {
  line: CallLine
  url: string
  /** No slot is free: the work waits in the line, and no attempt is counted. */
  inLine: (until: Date) => Write
  /** The URL's host name does not resolve. Without this, that is a normal attempt, and fails. */
  unreachable?: (until: Date) => Write
}

/** The partner's name must be looked up before there can be an attempt. */
export interface LookUp {
  lookUp: { casinoId: string; url: string; isLeftAlone: boolean }
}

/**
 * The next write: the attempt, whose holder then has a slot; or that there can be no attempt yet, and the line in which
 * the work waits. `mayLookUp`: whether to return early if a name must be looked up, instead of proceeding without.
 */
export function admit<Write>(
  { slots, names, random }: AdmissionDeps,
  { write, call }: { write: Write; call?: PlannedCall<Write> },
  { holder, mayLookUp }: { holder: Holder; mayLookUp: boolean },
  now: Date,
): { write: Write; line?: CallLine } | LookUp {
  if (call === undefined) return { write }
  const { line, url, unreachable } = call
  if (!slots.take(line, holder)) return { write: call.inLine(later(now, lineFallbackMs)), line }
  const { casinoId } = line
  const name = names.known(casinoId, url)
  if (name === 'found') return { write }
  if (name === undefined && mayLookUp)
    return { lookUp: { casinoId, url, isLeftAlone: unreachable !== undefined } }
  if (unreachable === undefined) return { write }
  slots.noteUnreachable(line)
  return { write: unreachable(later(now, unknownNameAwayMs(random()))) }
}

/**
 * Before the attempt is committed: its lease covers only the call, and a partner whose name does not resolve is not
 * called.
 */
export async function lookUp(
  partner: string,
  { names, log }: AdmissionDeps,
  { lookUp: { casinoId, url, isLeftAlone } }: LookUp,
): Promise<void> {
  await names.lookUp(casinoId, url)
  if (!isLeftAlone || names.known(casinoId, url) === 'found') return
  log.warn(
    { casinoId, [partner]: partnerIdOf(url) },
    `the name of a ${partner} does not resolve; nothing was sent`,
  )
}
