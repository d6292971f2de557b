import { v7 as uuidv7 } from 'uuid'
import { randomBytes } from './random.ts'

/** What an id names; the prefix makes an id recognisable wherever it turns up. */
export type IdPrefix =
  | 'key'
  | 'grt'
  | 'opn'
  | 'prz'
  | 'sed'
  | 'ord'
  | 'hld'
  | 'aud'
  | 'idk'
  | 'cbk'
  | 'req'
  | 'png'
  | 'wsc'
  | 'tst'
  | 'opr'
  | 'ses'

/** Of ids that always begin with the time of their row, so that a range of time is a range of ids. */
export type TimedPrefix = 'ord' | 'cbk' | 'aud' | 'dlv' | 'opr' | 'ses'

const latest = new Map<IdPrefix, { ms: number; sequence: number }>()

/**
 * A new unique id such as `ord_0193…`. Ids of a later millisecond sort later (UUID version 7), which keeps index
 * inserts local. What is listed by the time at which it was made takes that time, since the machine's clock may show
 * another; of its ids later ones of this process sort later within a millisecond too.
 */
export function newId(prefix: Exclude<IdPrefix, TimedPrefix>, at?: Date): string
export function newId(prefix: IdPrefix, at: Date): string
export function newId(prefix: IdPrefix, at?: Date): string {
  const random = randomBytes(16)
  const when = at === undefined ? {} : placeIn(prefix, at.getTime(), random)
  return `${prefix}_${uuidv7({ random, ...when }).replaceAll('-', '')}`
}

function placeIn(prefix: IdPrefix, ms: number, random: Buffer): { msecs: number; seq: number } {
  const before = latest.get(prefix)
  const sequence = before?.ms === ms ? before.sequence + 1 : random.readUInt32BE(6) & 0x7fff_ffff
  latest.set(prefix, { ms, sequence })
  return { msecs: ms, seq: sequence }
}

/** No id that was made at the time or later sorts before it. */
export function firstIdAt(prefix: TimedPrefix, time: Date): string {
  return `${prefix}_${Math.max(time.getTime(), 0).toString(16).padStart(12, '0')}`
}
