import type { Middleware } from 'koa'
import { findKeyId } from '../../core/casino/find-key.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { newId } from '../../core/platform/ids.ts'
import type { ApiDeps } from '../deps.ts'
import { describeRequest } from '../logged-request.ts'
import type { RouteState } from '../route-state.ts'

/** A caller may bring its own request id, as long as it is harmless in a log and a header: it is not a key sent by mistake. */
const requestIdPattern = /^[A-Za-z0-9._~:/+=-]{1,128}$/

/** Requested by monitoring every few seconds: of no use in the log. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Gives every request an id, and reports its caller, its objects and its answer to the log and the metrics. Paths,
 * bodies and keys are not logged, nor anything that identifies a player.
 */
export function createRequestLog({ log, metrics }: Pick<ApiDeps, 'log' | 'metrics'>): Middleware<RouteState> {
  return async (ctx, next) => {
    const startedMs = monotonicMs()
    const given = ctx.get('X-Request-Id')
    const isGivenUsed = requestIdPattern.test(given) && findKeyId(given) === undefined
    ctx.state.requestId = isGivenUsed ? given : newId('req')
    ctx.state.route = 'unknown'
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
    const durationMs = monotonicMs() - startedMs
    const { method, status } = ctx
    metrics.observeRequest({ method, route: ctx.state.route, status, seconds: durationMs / 1000 })
    const line = describeRequest(ctx, status)
    line.status = status
    line.durationMs = Math.round(durationMs * 10) / 10
    if (ctx.state.errorCode !== undefined) line.errorCode = ctx.state.errorCode
    log[probes.has(ctx.state.route) ? 'debug' : 'info'](line, 'request')
  }
}
