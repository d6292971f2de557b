import type { Middleware } from 'koa'
import type { ApiDeps } from '../deps.ts'
import type { RouteState } from '../route-state.ts'

/**
 * Says once that there seems to be a proxy which is not configured: all callers then have its address, for the limits
 * of addresses and for those that keys are bound to.
 */
export function createWarnOfProxy({ config, log }: Pick<ApiDeps, 'config' | 'log'>): Middleware<RouteState> {
  let isSaid = config.trustProxy
  return (ctx, next) => {
    if (!isSaid && ctx.headers['x-forwarded-for'] !== undefined) {
      isSaid = true
      log.warn(
        'ignored the X-Forwarded-For header of a request: if your own proxy sets it, set TRUST_PROXY=true',
      )
    }
    return next()
  }
}
