import type { Middleware } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { RouteState } from '../route-state.ts'

/**
 * Proxies, browsers and load balancers write URLs into their logs: a key that was sent in one counts as leaked, and its
 * owner should learn that at once, wherever it was sent to. Throws `api_key_in_url`, also when there is a valid key in its
 * place.
 */
export function createRefuseKeyInUrl({
  findKey,
  log,
}: Pick<ApiDeps, 'findKey' | 'log'>): Middleware<RouteState> {
  return (ctx, next) => {
    const keyId = findKey(ctx.url)
    if (keyId === undefined) return next()
    log.warn({ requestId: ctx.state.requestId, keyId }, 'an API key was sent in a URL')
    throw new RewardsError('api_key_in_url')
  }
}
