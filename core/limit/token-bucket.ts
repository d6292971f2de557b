import type { RateLimit } from '../platform/rate-limits.ts'

/** A bucket at one moment. Its tokens may be negative: then other processes have spent tokens that were counted on. */
export interface TokenBucket {
  tokens: number
  atMs: number
}

export function fullBucket(limit: RateLimit, nowMs: number): TokenBucket {
  return { tokens: limit.burst, atMs: nowMs }
}

/** The contents of the bucket by now: it fills steadily, up to `burst`. If the time goes back, nothing changes. */
export function tokensAt({ tokens, atMs }: TokenBucket, limit: RateLimit, nowMs: number): number {
  return Math.min(limit.burst, tokens + (Math.max(0, nowMs - atMs) * limit.perSecond) / 1000)
}

/** Whole seconds until there is a token again, at least one: for `Retry-After`. */
export function secondsUntilToken(tokens: number, limit: RateLimit): number {
  return Math.max(1, Math.ceil((1 - tokens) / limit.perSecond))
}

/** Whole seconds until the bucket is full again. */
export function secondsUntilFull(tokens: number, limit: RateLimit): number {
  return Math.max(0, Math.ceil((limit.burst - tokens) / limit.perSecond))
}
