import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { ApiDeps } from './deps.ts'
import type { Match, Route } from './route.ts'
import type { RouteState } from './route-state.ts'
import { findUndecodable, refusing } from './undecodable-path.ts'

/** Finds a request's route and notes it, with the words in which errors are told from then on. */
export function createMatchRoute(
  { config }: Pick<ApiDeps, 'config'>,
  routes: readonly Route[],
): Middleware<RouteState> {
  const matchRoute = createMatcher(routes, config.basePath)
  return (ctx, next) => {
    const match = matchRoute(ctx.method, ctx.path)
    ctx.state.match = match
    if ('route' in match) {
      ctx.state.route = match.route.path
      if (match.route.for === 'casinos') ctx.state.errorStyle = match.route.errors
    }
    return next()
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
    // A base path is an address of its own, with and without the slash at its end.
    if (route.path === '/' && basePath !== '') routesOfPath.set(basePath, [route])
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

/** A route for GET also answers HEAD; the server leaves the body out. */
function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method]
}
