import Koa from 'koa'
import type { ApiDeps } from './deps.ts'
import { createErrorHandler } from './middleware/error-handler.ts'
import { createRefuseOverload } from './middleware/refuse-overload.ts'
import { createRequestLog } from './middleware/request-log.ts'
import { setSecurityHeaders } from './middleware/security-headers.ts'
import { createOps } from './ops/ops.ts'
import type { RouteState } from './route-state.ts'
import { createRouter } from './router.ts'
import { createRoutes } from './routes.ts'

/** The API as a Koa application; `isStopping` tells load balancers through /readyz to send nothing more. */
export function createApp(deps: ApiDeps, isStopping: () => boolean = () => false): Koa<RouteState> {
  const { trustProxy: proxy, trustProxyHops: maxIpsCount } = deps.config
  const app = new Koa<RouteState>({ proxy, maxIpsCount })
  app.on('error', (error: unknown) => {
    // Not a request's error (those are handled below), but of a connection that broke while answering.
    deps.log.debug({ err: error }, 'connection error')
  })
  app.use(setSecurityHeaders)
  app.use(createRefuseOverload(deps))
  app.use(createRequestLog(deps))
  app.use(createErrorHandler(deps))
  app.use(createOps(deps))
  app.use(createRouter(deps, createRoutes(deps, isStopping)))
  return app
}
