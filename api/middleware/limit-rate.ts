import type { Context } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import { secondsUntilFull, secondsUntilToken } from '../../core/limit/token-bucket.ts'
import type { LimitedOperation, RateLimit } from '../../core/platform/rate-limits.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Takes a token of a caller's bucket for an operation, and says in `RateLimit` and `RateLimit-Policy` what is left
 * (draft-ietf-httpapi-ratelimit-headers-10). Throws `rate_limited`, before anything of the body is read.
 */
export function limitRate(
  ctx: Context,
  { rateLimiter }: Pick<ApiDeps, 'rateLimiter'>,
  { bucket, operation, limit }: { bucket: string; operation: LimitedOperation; limit: RateLimit | null },
): void {
  if (limit === null) return
  const { isAllowed, tokens } = rateLimiter.take(bucket, limit)
  const left = Math.max(0, Math.floor(tokens))
  ctx.set('RateLimit-Policy', policyOf(operation, limit))
  ctx.set('RateLimit', `"${operation}";r=${left};t=${secondsUntilFull(tokens, limit)}`)
  if (isAllowed) return
  throw new RewardsError('rate_limited', undefined, { retryAfterSeconds: secondsUntilToken(tokens, limit) })
}

/** A limit belongs to one operation and is the same object for as long as it is not read anew. */
const policies = new WeakMap<RateLimit, string>()

function policyOf(operation: LimitedOperation, limit: RateLimit): string {
  const known = policies.get(limit)
  if (known !== undefined) return known
  const windowSeconds = Math.max(1, Math.ceil(limit.burst / limit.perSecond))
  const policy = `"${operation}";q=${limit.burst};w=${windowSeconds}`
  policies.set(limit, policy)
  return policy
}
