import type { Middleware } from 'koa'
import { findKeyId } from '../../core/casino/find-key.ts'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { RouteState } from '../route-state.ts'
import { clientAddress } from './client-address.ts'

/**
 * Proxies, browsers and load balancers write URLs into their logs: a key that was sent in one counts as leaked, and its
 * owner should learn that immediately, wherever it was sent to. Throws `api_key_in_url`, also when there is a valid key
 * in its place. Each counts as a wrong key of its address, valid or not, so that URLs are not a way around that limit.
 */
export function createRefuseKeyInUrl({
  adminAttempts,
  failedAttempts,
  log,
}: Pick<ApiDeps, 'adminAttempts' | 'failedAttempts' | 'log'>): Middleware<RouteState> {
  return (ctx, next) => {
    const keyId = findKeyId(ctx.url)
    if (keyId === undefined) return next()
    const attempts = keyId === 'admin' ? adminAttempts : failedAttempts
    attempts.recordFailure(clientAddress(ctx))
    log.warn({ requestId: ctx.state.requestId, keyId }, 'an API key was sent in a URL')
    throw new RewardsError('api_key_in_url')
  }
}
