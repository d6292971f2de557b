import type { Middleware } from 'koa'
import { monotonicMs } from '../../core/platform/clock.ts'
import { newId } from '../../core/platform/ids.ts'
import type { ApiDeps } from '../deps.ts'
import { errorResponse } from '../error-response.ts'
import type { RouteState } from '../route-state.ts'
import { createRefusedConnections } from './refused-connections.ts'

type Deps = Pick<ApiDeps, 'config' | 'log' | 'metrics' | 'openBox' | 'placeOrder' | 'requestCashback'>

/** One line for all that were refused since the last one: a line for each would cost more than refusing it. */
const logEveryMs = 10_000

/**
 * Answers 503 while an operation's backlog is full, before anything else is done for the request: neither key nor body is
 * looked at. Under overload most of the work is otherwise in reading what is refused in the end, and who was accepted
 * would wait for it.
 */
export function createRefuseOverload(deps: Deps): Middleware<RouteState> {
  const backlogs = new Map<string, { isFull(): boolean }>(
    Object.entries({
      '/box/open': deps.openBox,
      '/prize/order': deps.placeOrder,
      '/prize/cashback': deps.requestCashback,
    }).map(([path, backlog]) => [deps.config.basePath + path, backlog]),
  )
  const { status, body, headers } = errorResponse('overloaded', 'general')
  const text = JSON.stringify(body)
  const connections = createRefusedConnections()
  let refused = 0
  let loggedAtMs = -Infinity

  return (ctx, next) => {
    if (backlogs.get(ctx.url)?.isFull() !== true) return next()
    ctx.status = status
    ctx.set({ ...headers, 'X-Request-Id': newId('req') })
    ctx.type = 'application/json'
    ctx.body = text
    ctx.res.once('finish', () => {
      connections.rest(ctx.req.socket)
    })
    const route = ctx.url.slice(deps.config.basePath.length)
    deps.metrics.observeRequest(route, status, 0)
    refused += 1
    if (monotonicMs() - loggedAtMs >= logEveryMs) {
      deps.log.warn({ route, refused }, 'overloaded: requests are refused')
      loggedAtMs = monotonicMs()
      refused = 0
    }
    return Promise.resolve()
  }
}
