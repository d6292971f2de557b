import { v7 as uuidv7 } from 'uuid'
import { randomBytes } from './random.ts'

/** The kind of an id; the prefix makes an id recognisable everywhere. */
export type IdPrefix =
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
  | 'prc'
  | 'act'
  | 'nte'

/** Kinds whose ids always start with the time of their row, so that a time range is an id range. */
export type TimedPrefix = 'ord' | 'cbk' | 'aud' | 'dlv' | 'opr' | 'ses' | 'act'

const latest = new Map<IdPrefix, { ms: number; sequence: number }>()

/**
 * A new unique id such as `ord_0193…`. Ids of a later millisecond sort later (UUID version 7), which keeps index
 * inserts local. Rows listed by creation time pass that time, since the machine's clock may differ; within a
 * millisecond, later ids of this process also sort later.
 */
export function newId(prefix: Exclude<IdPrefix, TimedPrefix>, at?: Date): string
export function newId(prefix: IdPrefix, at: Date): string
export function newId(prefix: IdPrefix, at?: Date): string {
  const random = randomBytes(16)
  const when = at === undefined ? {} : placeIn(prefix, at.getTime(), random)
  return `${prefix}_${uuidv7({ random, ...when }, written).toString('hex')}`
}

/** Used again for each id. Formatting a UUID and removing its hyphens takes more than twice the time. */
const written = Buffer.alloc(16)

function placeIn(prefix: IdPrefix, ms: number, random: Buffer): { msecs: number; seq: number } {
  const before = latest.get(prefix)
  const sequence = before?.ms === ms ? before.sequence + 1 : random.readUInt32BE(6) & 0x7fff_ffff
  latest.set(prefix, { ms, sequence })
  return { msecs: ms, seq: sequence }
}

/** Ids made at this time or later never sort before it. */
export function firstIdAt(prefix: TimedPrefix, time: Date): string {
  return `${prefix}_${Math.max(time.getTime(), 0).toString(16).padStart(12, '0')}`
}
