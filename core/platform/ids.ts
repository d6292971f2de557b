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

/**
 * A new unique id such as `ord_0193…`. Ids of a later millisecond sort later (UUID version 7), which keeps index
 * inserts local.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${uuidv7({ random: randomBytes(16) }).replaceAll('-', '')}`
}
