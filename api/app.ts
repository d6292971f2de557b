import Koa from 'koa'
import { RewardsError } from '../core/errors.ts'
import { depsOf } from './deps.ts'
import type { ApiDeps } from './deps.ts'
import { createMatchRoute } from './match-route.ts'
import { createErrorHandler } from './middleware/error-handler.ts'
import { createRefuseKeyInUrl } from './middleware/refuse-key-in-url.ts'
import { createRequestLog } from './middleware/request-log.ts'
import { setSecurityHeaders } from './middleware/security-headers.ts'
import { createTraceRequest } from './middleware/trace-request.ts'
import { createWarnOfProxy } from './middleware/warn-of-proxy.ts'
import { createOps } from './ops/ops.ts'
import { createRefuseOverload } from './refuse-overload.ts'
import type { RouteState } from './route-state.ts'
import type { RouteSurface } from './route.ts'
import { createRouter } from './router.ts'
import { createRoutes } from './routes.ts'
import type { HandleRequest } from './server.ts'

/**
 * The API as it answers requests, with the routes of the given surfaces; `isStopping` tells load balancers through /readyz
 * to send nothing more.
 */
export function createApp(
  deps: ApiDeps,
  isStopping: () => boolean = () => false,
  surfaces: ReadonlySet<RouteSurface> = deps.config.surfaces,
): HandleRequest {
  const { trustProxy: proxy, trustProxyHops: maxIpsCount } = deps.config
  const app = new Koa<RouteState>({ proxy, maxIpsCount })
  app.on('error', (error: unknown) => {
    // Not a request's error (those are handled below), but of a connection that broke while answering.
    deps.log.debug({ err: error }, 'connection error')
  })
  const routes = createRoutes(deps, isStopping).filter((route) =>
    route.surfaces.some((surface) => surfaces.has(surface)),
  )
  deps.metrics.expectRoutes(routes)
  app.use(setSecurityHeaders)
  app.use(createTraceRequest(deps))
  app.use(createRequestLog(deps))
  app.use(createWarnOfProxy(deps))
  app.use(createErrorHandler(deps))
  app.use(createMatchRoute(deps, routes))
  app.use(createRefuseKeyInUrl(deps))
  app.use(createRouter(deps))
  if (surfaces.has('manage')) app.use(createOps(depsOf(deps, 'manage')))
  app.use(() => {
    throw new RewardsError('route_unknown')
  })
  const handle = app.callback()
  if (!surfaces.has('play')) return handle
  const refuse = createRefuseOverload(deps)
  return (request, response) => (refuse(request, response) ? Promise.resolve() : handle(request, response))
}
