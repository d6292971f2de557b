import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { RewardsError } from '../core/errors.ts'
import type { ApiDeps } from './deps.ts'
import type { EndpointReply, EndpointRequest } from './endpoint.ts'
import { authenticateCasino, authenticateOperator } from './middleware/authenticate.ts'
import { readAdminBody, readPlayBody } from './middleware/read-body.ts'
import type { ReadBody } from './parse-input.ts'
import type { RouteState } from './route-state.ts'
import type { Route } from './route.ts'

/**
 * Answers the routes of the table. The order of checks is the documented one: route (404, 405), API key (401), size of
 * the body (413), and then the endpoint's own: parameters (400), rules (404, 403 …).
 */
export function createRouter(deps: ApiDeps, routes: readonly Route[]): Middleware<RouteState> {
  const router = new Router<RouteState>({
    prefix: deps.config.basePath,
    strict: true,
    sensitive: true,
  })
  for (const route of routes) {
    router.register(route.path, [route.method], async (ctx) => {
      ctx.state.route = route.path
      if (route.for === 'casinos') ctx.state.errorStyle = route.errors
      sendReply(ctx, await callEndpoint(ctx, deps, route, ctx.params))
    })
  }
  const dispatch = router.routes() as Middleware<RouteState>
  return async (ctx, next) => {
    const { path, pathAndMethod } = router.match(ctx.path, ctx.method)
    if (pathAndMethod.length === 0) {
      if (path.length === 0) throw new RewardsError('route_unknown')
      ctx.set('Allow', [...new Set(path.flatMap((layer) => layer.methods))].join(', '))
      throw new RewardsError('method_not_allowed')
    }
    await dispatch(ctx, next)
  }
}

async function callEndpoint(
  ctx: Context,
  deps: ApiDeps,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<EndpointReply> {
  switch (route.for) {
    case 'casinos': {
      const caller = await authenticateCasino(ctx, deps, 'play')
      ctx.state['casinoId'] = caller.casinoId
      return route.endpoint(toRequest(ctx, params, caller, await readPlayBody(ctx)))
    }
    case 'operators': {
      const caller = await authenticateOperator(ctx, deps, params['casino_id'])
      const body = route.method === 'GET' ? noBody : await readAdminBody(ctx)
      return route.endpoint(toRequest(ctx, params, caller, body))
    }
    case 'anybody':
      return route.endpoint(toRequest(ctx, params, undefined, noBody))
    default:
      return route satisfies never
  }
}

const noBody: ReadBody = { kind: 'no_object' }

function toRequest<Who>(
  ctx: Context,
  params: Readonly<Record<string, string>>,
  caller: Who,
  body: ReadBody,
): EndpointRequest<Who> {
  const idempotencyKey = ctx.headers['idempotency-key']
  return {
    caller,
    body,
    params,
    query: readQuery(ctx.querystring),
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    requestId: String(ctx.state['requestId']),
  }
}

function readQuery(querystring: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(querystring)].reverse()) // of a repeated one the first stays
}

function sendReply(ctx: Context, { status = 200, body, headers }: EndpointReply): void {
  ctx.status = status
  ctx.type = 'application/json'
  if (headers) ctx.set(headers)
  ctx.body = body
}
