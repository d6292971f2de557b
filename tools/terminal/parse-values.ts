import { UsageError } from '../../core/platform/main-program.ts'
import { randomBytes } from '../../core/platform/random.ts'

/** A whole number from `min` to `max`, in digits; undefined gives the default. */
export function parseCount(
  option: string,
  text: string | undefined,
  bounds: { min: number; max: number; default: number },
): number {
  if (text === undefined) return bounds.default
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (count >= bounds.min && count <= bounds.max) return count
  throw new UsageError(`--${option} must be a whole number from ${bounds.min} to ${bounds.max}`)
}

/** 32 bytes in hexadecimal; without them, new ones. */
export function parseSeed(text: string | undefined): Buffer {
  if (text === undefined) return randomBytes(32)
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  throw new UsageError('--seed must be 64 hexadecimal digits: the 32 bytes of a server seed')
}

const entriesMax = 1_000

/** Weights of a box's entries, separated by commas, with the bounds that a box has. */
export function parseWeights(text: string): bigint[] {
  const weights = text
    .split(',')
    .map((part) => (/^[1-9]\d{0,15}$/.test(part.trim()) ? BigInt(part) : undefined))
  const known = weights.filter((weight) => weight !== undefined)
  const sum = known.reduce((total, weight) => total + weight, 0n)
  if (known.length === weights.length && known.length <= entriesMax && sum <= Number.MAX_SAFE_INTEGER)
    return known
  throw new UsageError(
    `--weights must be 1 to ${entriesMax} whole numbers from 1, such as 1,2,3, with a sum of at most 9007199254740991`,
  )
}
