import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Batcher } from '../core/batch/batcher.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import { newId } from '../core/platform/ids.ts'
import type { ApiDeps } from './deps.ts'
import { errorResponse } from './error-response.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { createPausedConnections } from './paused-connections.ts'

type Deps = Pick<
  ApiDeps,
  'config' | 'log' | 'metrics' | 'seenKeys' | 'openBox' | 'placeOrder' | 'requestCashback'
>

/** One line for all that were refused since the last one: a line for each would cost more than refusing it. */
const logEveryMs = 10_000

/**
 * Answers 503 while an operation's backlog has no room for the casino that the key seems to belong to; returns false if
 * the request is to be handled. It runs before the application, and checks neither the key's secret nor the body: under
 * overload, most work would otherwise go into requests that are refused in the end, and accepted requests would wait
 * for it. Before it comes to that, the connections of accepted requests wait too (paused-connections.ts).
 */
export function createRefuseOverload(
  deps: Deps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const backlogs = new Map<string, Pick<Batcher<never, unknown>, 'isFull' | 'room'>>(
    Object.entries({
      '/box/open': deps.openBox,
      '/prize/order': deps.placeOrder,
      '/prize/cashback': deps.requestCashback,
    }).map(([path, backlog]) => [deps.config.basePath + path, backlog]),
  )
  const { status, body, headers } = errorResponse('overloaded', 'general')
  const text = JSON.stringify(body)
  const head = Object.entries({
    ...securityHeaders,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  })
    .filter(([name]) => name !== 'Retry-After') // grows with the number of refused callers
    .flat()
  const connections = createPausedConnections()
  deps.metrics.countPausedConnections(() => connections.count())
  let refused = 0
  let loggedAtMs = -Infinity

  return (request, response) => {
    const url = request.url ?? ''
    const backlog = backlogs.get(url)
    if (backlog === undefined) return false
    const casinoId = deps.seenKeys.casinoOf(request.headers.authorization)
    const isFull = backlog.isFull(casinoId)
    if (!isFull && (backlog.room(casinoId) > 0 || isOfProxy(request))) return false
    const line = { name: `${url} ${casinoId ?? ''}`, room: () => backlog.room(casinoId) }
    if (!isFull) {
      connections.pauseAnswered(response, line)
      return false
    }
    const retryAfter = connections.pauseRefused(request, line, isOfProxy(request))
    response.writeHead(status, [...head, 'Retry-After', String(retryAfter), 'X-Request-Id', newId('req')])
    response.end(text)
    const route = url.slice(deps.config.basePath.length)
    deps.metrics.observeRequest({ method: request.method ?? '', route, status, seconds: undefined })
    refused += 1
    if (monotonicMs() - loggedAtMs >= logEveryMs) {
      deps.log.warn({ route, refused }, 'overloaded: requests are refused')
      loggedAtMs = monotonicMs()
      refused = 0
    }
    return true
  }
}

/** A proxy sends the requests of other casinos over the same connection, and they must not wait. */
function isOfProxy({ headers }: IncomingMessage): boolean {
  return (
    headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined
  )
}
