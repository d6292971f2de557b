import type { Middleware } from 'koa'
import type { ApiDeps } from '../deps.ts'
import { loggableObjects } from '../named-objects.ts'
import type { RouteState } from '../route-state.ts'

/** Requested by monitoring every few seconds: of no use as traces. */
const probes: readonly string[] = ['/healthz', '/readyz', '/metrics']

/**
 * Puts every request into a span, which continues the caller's trace if the request has a `traceparent`. It has the
 * same objects as the request log: nothing that identifies a player.
 */
export function createTraceRequest({
  tracer,
  config,
}: Pick<ApiDeps, 'tracer' | 'config'>): Middleware<RouteState> {
  if (tracer === undefined) return (_, next) => next()
  const untraced = new Set(probes.map((path) => `${config.basePath}${path}`))
  return async (ctx, next) => {
    if (untraced.has(ctx.path)) {
      await next()
      return
    }
    await tracer.run({ name: ctx.method, kind: 'server', parent: ctx.get('traceparent') }, async (span) => {
      await next()
      const { route, casinoId, errorCode, namedObjects = {} } = ctx.state
      const objects = Object.entries(loggableObjects(namedObjects, ctx.status))
      span.rename(`${ctx.method} ${route}`)
      span.set({
        'http.request.method': ctx.method,
        'http.route': route,
        'http.response.status_code': ctx.status,
        ...Object.fromEntries(objects.map(([name, id]) => [`rewards.${name}`, id])),
        ...(casinoId === undefined ? {} : { 'rewards.casinoId': casinoId }),
        ...(errorCode === undefined ? {} : { 'error.type': errorCode }),
      })
      // As OpenTelemetry's conventions have it, a refusal is not a failure of the server.
      if (ctx.status >= 500) span.fail(errorCode ?? String(ctx.status))
    })
  }
}
