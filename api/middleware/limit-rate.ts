import type { Context } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { NamedLimit, Take } from '../../core/limit/rate-limiter.ts'
import { secondsUntilFull, secondsUntilToken } from '../../core/limit/token-bucket.ts'
import type { LimitedOperation, RateLimit } from '../../core/platform/rate-limits.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Takes a token of each of a caller's buckets for an operation, and reports the bucket with the least left in
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). Throws `rate_limited`, before anything
 * of the body is read.
 */
export function limitRate(
  ctx: Context,
  { rateLimiter }: Pick<ApiDeps, 'rateLimiter'>,
  operation: LimitedOperation,
  buckets: readonly NamedLimit[],
): void {
  const takes = rateLimiter.takeOfEach(buckets)
  let tightest: { take: Take; limit: RateLimit } | undefined
  for (const [index, { limit }] of buckets.entries()) {
    const take = takes[index]
    if (take === undefined || (tightest !== undefined && tightest.take.tokens <= take.tokens)) continue
    tightest = { take, limit }
  }
  if (tightest === undefined) return
  const { limit } = tightest
  const { isAllowed, tokens } = tightest.take
  const left = Math.max(0, Math.floor(tokens))
  ctx.set('RateLimit-Policy', policyOf(operation, limit))
  ctx.set('RateLimit', `"${operation}";r=${left};t=${secondsUntilFull(tokens, limit)}`)
  if (isAllowed) return
  throw new RewardsError('rate_limited', undefined, { retryAfterSeconds: secondsUntilToken(tokens, limit) })
}

/** A limit belongs to one operation and is the same object until it is read again. */
const policies = new WeakMap<RateLimit, string>()

function policyOf(operation: LimitedOperation, limit: RateLimit): string {
  const known = policies.get(limit)
  if (known !== undefined) return known
  const windowSeconds = Math.max(1, Math.ceil(limit.burst / limit.perSecond))
  const policy = `"${operation}";q=${limit.burst};w=${windowSeconds}`
  policies.set(limit, policy)
  return policy
}
