import { randomBytes } from '../../core/platform/random.ts'

/** 64 bits of the system's random source, which is asked for 8 KiB at a time: the cheapest that is as unpredictable. */
export function randomNumber(): bigint {
  return randomBytes(8).readBigUInt64BE(0)
}
