import { randomFillSync } from 'node:crypto'

/** One call to the random generator for many small requests: the call costs more than the bytes. */
const poolBytes = 8 * 1024
let pool = Buffer.alloc(0)
let used = 0

/** Cryptographically random bytes, never given out twice; at most 8 KiB per call. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(poolBytes)) // a new one: the old one's bytes are in use
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
