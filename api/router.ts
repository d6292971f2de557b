import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { findApiKeyId } from '../core/casino/api-key.ts'
import { RewardsError } from '../core/errors.ts'
import { audited, paramsIn, reasonIn, storable } from './audited.ts'
import type { AuditedAction } from './audited.ts'
import type { ApiDeps } from './deps.ts'
import type { EndpointReply, EndpointRequest, Partner } from './endpoint.ts'
import { clientAddress } from './middleware/client-address.ts'
import { authenticateCasino, authenticateOperator } from './middleware/authenticate.ts'
import { limitPartner } from './middleware/limit-partner.ts'
import { readAdminBody, readPlayBody } from './middleware/read-body.ts'
import type { ReadBody } from './parse-input.ts'
import type { RouteState } from './route-state.ts'
import type { Route } from './route.ts'
import { findUndecodable, refusing } from './undecodable-path.ts'

/** What the table says of a path: the route and the path's parameters, or the methods that it has instead. */
type Match = { route: Route; params: Readonly<Record<string, string>> } | { allow: readonly string[] }

/**
 * Answers the routes of the table. The order of checks is the documented one: route (404, 405), API key (401), its rate
 * limit (429), size of the body (413), and then the endpoint's own: parameters (400), rules (404, 403 …).
 */
export function createRouter(deps: ApiDeps, routes: readonly Route[]): Middleware<RouteState> {
  const matchRoute = createMatcher(routes, deps.config.basePath)
  return async (ctx) => {
    const match = matchRoute(ctx.method, ctx.path)
    if ('route' in match) {
      ctx.state.route = match.route.path
      if (match.route.for === 'casinos') ctx.state.errorStyle = match.route.errors
    }
    refuseKeyInUrl(ctx, deps)
    if ('allow' in match) {
      if (match.allow.length === 0) throw new RewardsError('route_unknown')
      ctx.set('Allow', match.allow.join(', '))
      throw new RewardsError('method_not_allowed')
    }
    const { route, params } = match
    sendReply(ctx, await callEndpoint(ctx, deps, route, params))
  }
}

/**
 * Proxies, browsers and load balancers write URLs into their logs: a key that was sent in one counts as leaked, and its
 * owner should learn that at once. Throws `api_key_in_url`, also when there is a valid key in its place.
 */
function refuseKeyInUrl(ctx: Context, { log }: Pick<ApiDeps, 'log'>): void {
  const keyId = findApiKeyId(decodeLoosely(ctx.url))
  if (keyId === undefined) return
  log.warn({ requestId: String(ctx.state['requestId']), keyId }, 'an API key was sent in a URL')
  throw new RewardsError('api_key_in_url')
}

/** Also what is written in escapes; a URL that cannot be decoded is looked at as it is. */
function decodeLoosely(url: string): string {
  if (!url.includes('%')) return url
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/**
 * Paths without parameters, the three operations among them, are looked up; only the others are compared with every
 * pattern, which takes a multiple of the time.
 */
function createMatcher(routes: readonly Route[], basePath: string): (method: string, path: string) => Match {
  const routesOfPath = new Map<string, Route[]>()
  const router = new Router({ prefix: basePath, strict: true, sensitive: true })
  const routeOfLayer = new Map<unknown, Route>()
  for (const route of routes) {
    const path = basePath + route.path
    if (route.path.includes(':')) {
      routeOfLayer.set(
        router.register(route.path, [route.method], () => undefined),
        route,
      )
    } else routesOfPath.set(path, [...(routesOfPath.get(path) ?? []), route])
  }
  const byPattern = (method: string, path: string): Match => {
    const matched = router.match(path, method)
    const layer = matched.pathAndMethod[0]
    const route = routeOfLayer.get(layer)
    if (layer === undefined || route === undefined) {
      return { allow: [...new Set(matched.path.flatMap((other) => other.methods))] }
    }
    const captures = layer.captures(path)
    const params = layer.params(path, captures)
    const undecodable = findUndecodable(params, captures)
    return { route: undecodable === undefined ? route : refusing(route, undecodable), params }
  }
  return (method, path) => {
    const candidates = routesOfPath.get(path)
    if (candidates === undefined) return byPattern(method, path)
    const route = candidates.find((candidate) => methodsOf(candidate).includes(method))
    return route === undefined ? { allow: candidates.flatMap(methodsOf) } : { route, params: {} }
  }
}

/** Who answers GET answers HEAD; the server leaves the body out. */
function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method]
}

async function callEndpoint(
  ctx: Context,
  deps: ApiDeps,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<EndpointReply> {
  switch (route.for) {
    case 'casinos': {
      const operation = route.errors === 'general' ? 'reads' : route.errors
      const caller = await authenticateCasino(ctx, deps, { scope: 'play', operation })
      ctx.state['casinoId'] = caller.casinoId
      const body = route.method === 'GET' ? noBody : await readPlayBody(ctx)
      const answer = () => route.endpoint(toRequest(ctx, params, caller, body))
      // What is done with the three operations has a history of its own, with the key in it.
      if (operation !== 'reads') return answer()
      const { casinoId, keyId } = caller
      return audited(
        deps,
        actionOf(ctx, route, params, { casinoId, actor: `key:${keyId}`, body }),
        isChange(route),
        answer,
      )
    }
    case 'operators': {
      const caller = await authenticateOperator(ctx, deps, params['casino_id'])
      const body = route.method === 'GET' ? noBody : await readAdminBody(ctx)
      const who =
        caller.kind === 'admin'
          ? { casinoId: storable(params['casino_id'] ?? ''), actor: 'admin' }
          : { casinoId: caller.casinoId, actor: `key:${caller.keyId}` }
      return audited(deps, actionOf(ctx, route, params, { ...who, body }), isChange(route), () =>
        route.endpoint(toRequest(ctx, params, caller, body)),
      )
    }
    case 'partners':
      return limitPartner(ctx, deps, params['casino_id'] ?? '', async () => {
        const body = await readPlayBody(ctx)
        return route.endpoint(toRequest(ctx, params, partnerOf(ctx), body))
      })
    case 'anybody':
      return route.endpoint(toRequest(ctx, params, undefined, noBody))
    default:
      return route satisfies never
  }
}

function isChange({ method }: Route): boolean {
  return method !== 'GET'
}

function actionOf(
  ctx: Context,
  route: Route,
  params: Readonly<Record<string, string>>,
  { casinoId, actor, body }: { casinoId: string; actor: string; body: ReadBody },
): AuditedAction {
  return {
    casinoId,
    actor,
    address: storable(clientAddress(ctx)),
    action: `${route.method} ${route.path}`,
    params: paramsIn(params),
    reason: reasonIn(body),
    requestId: String(ctx.state['requestId']),
  }
}

/** Call after the body was read, which leaves its bytes. */
function partnerOf(ctx: Context): Partner {
  const { body } = ctx.request
  const headers = Object.entries(ctx.headers).map(
    ([name, value]) => [name, [value].flat().join(', ')] as const,
  )
  return {
    headers: Object.fromEntries(headers),
    rawBody: body instanceof Buffer ? body.toString('utf8') : '',
  }
}

const noBody: ReadBody = { kind: 'no_object' }
const noQuery: Readonly<Record<string, string>> = {}

function toRequest<Who>(
  ctx: Context,
  params: Readonly<Record<string, string>>,
  caller: Who,
  body: ReadBody,
): EndpointRequest<Who> {
  const idempotencyKey = ctx.headers['idempotency-key']
  const testOutcome = ctx.headers['x-test-outcome']
  return {
    caller,
    body,
    params,
    query: ctx.querystring === '' ? noQuery : readQuery(ctx.querystring),
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    ifNoneMatch: ctx.headers['if-none-match'],
    testOutcome: typeof testOutcome === 'string' ? testOutcome : undefined,
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
