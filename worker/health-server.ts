import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stoppable } from '../core/platform/lifecycle.ts'
import { renderMetrics } from '../core/platform/process-metrics.ts'
import { askReadiness } from '../core/platform/readiness.ts'
import type { WorkerDeps } from './deps.ts'

export interface HealthServer extends Stoppable {
  /** `http://host:port`, with the port that was really taken. */
  url: string
}

interface Reply {
  status: number
  body: string
  contentType: string
}

type Deps = Pick<WorkerDeps, 'pingDatabase' | 'databaseClock' | 'backend' | 'metrics' | 'log'>

/**
 * Answers probes and Prometheus; nothing else is served by a worker. `findProblems` names the parts of this process that
 * no longer work by themselves. Rejects when the port is taken; port 0 takes any free one.
 */
export async function startHealthServer(
  deps: Deps,
  address: { host: string; port: number },
  findProblems: () => string[],
): Promise<HealthServer> {
  const replies: Partial<Record<string, () => Promise<Reply>>> = {
    '/healthz': () => Promise.resolve(replyHealth(findProblems())),
    '/readyz': () => replyReadiness(deps),
    '/metrics': () => replyMetrics(deps),
  }
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    answer(request, response, replies).catch((error: unknown) => {
      deps.log.error({ err: error }, 'cannot answer a probe')
      send(
        request,
        response,
        toReply(500, { status: 'error', message: 'An internal error occurred: try again later' }),
      )
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  let stopping: Promise<void> | undefined
  return { url: `http://${host}:${port}`, stop: () => (stopping ??= stopServer(server)) }
}

/** `GET /healthz`: restart the process when this is not 200. Failures outside of it (database, queues) do not count. */
function replyHealth(problems: string[]): Reply {
  return problems.length === 0
    ? toReply(200, { status: 'ok' })
    : toReply(503, { status: 'error', stopped: problems })
}

/**
 * `GET /readyz`: whether everything can be done now. Unlike the API, a worker can do nothing without the queues; with a
 * clock that is off it does jobs, and nothing that cannot be undone.
 */
async function replyReadiness({ pingDatabase, databaseClock, backend }: Deps): Promise<Reply> {
  const readiness = await askReadiness({ database: pingDatabase, queue: () => backend.ping() })
  const clock = databaseClock.state()
  const isReady = readiness.database === 'ok' && readiness.queue === 'ok' && clock !== 'off'
  return toReply(isReady ? 200 : 503, { status: isReady ? 'ok' : 'error', ...readiness, clock })
}

async function replyMetrics({ metrics: { registry } }: Deps): Promise<Reply> {
  return { status: 200, body: await renderMetrics(registry), contentType: registry.contentType }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  replies: Partial<Record<string, () => Promise<Reply>>>,
): Promise<void> {
  const path = request.url?.split('?')[0] ?? ''
  const reply = Object.hasOwn(replies, path) ? replies[path] : undefined
  if (reply === undefined) {
    send(
      request,
      response,
      toReply(404, {
        status: 'error',
        message: 'A worker has no such path: use /healthz, /readyz or /metrics',
      }),
    )
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    send(
      request,
      response,
      toReply(405, { status: 'error', message: 'This path does not have the method: use GET' }),
    )
  } else {
    send(request, response, await reply())
  }
}

function toReply(status: number, body: object): Reply {
  return { status, body: JSON.stringify(body), contentType: 'application/json; charset=utf-8' }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, contentType }: Reply,
): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections() // probes ask again
  })
}
