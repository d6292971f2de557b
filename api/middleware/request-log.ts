import type { Middleware } from 'koa'
import { monotonicMs } from '../../core/platform/clock.ts'
import { newId } from '../../core/platform/ids.ts'
import type { ApiDeps } from '../deps.ts'
import type { RouteState } from '../route-state.ts'

/** A caller may bring its own request id, as long as it is harmless in a log and a header: it is no key sent by mistake. */
const requestIdPattern = /^[A-Za-z0-9._~:/+=-]{1,128}$/

/** Gives every request an id, and tells the log and the metrics how it ended. Paths, bodies and keys are not logged. */
export function createRequestLog({
  log,
  metrics,
  findKey,
}: Pick<ApiDeps, 'log' | 'metrics' | 'findKey'>): Middleware<RouteState> {
  return async (ctx, next) => {
    const startedMs = monotonicMs()
    const given = ctx.get('X-Request-Id')
    const isGivenUsed = requestIdPattern.test(given) && findKey(given) === undefined
    ctx.state.requestId = isGivenUsed ? given : newId('req')
    ctx.state.route = 'unknown'
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
    const durationMs = monotonicMs() - startedMs
    metrics.observeRequest(ctx.state.route, ctx.status, durationMs / 1000)
    log.info(
      {
        requestId: ctx.state.requestId,
        route: ctx.state.route,
        status: ctx.status,
        durationMs: Math.round(durationMs * 10) / 10,
        ...(ctx.state.casinoId === undefined ? {} : { casinoId: ctx.state.casinoId }),
        ...(ctx.state.errorCode === undefined ? {} : { errorCode: ctx.state.errorCode }),
      },
      'request',
    )
  }
}
