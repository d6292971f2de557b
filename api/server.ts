import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import type { RouteState } from './route-state.ts'

/** A request that is not complete after this is ended; Node's own defaults wait for minutes. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
const checkTimeoutsEveryMs = 5_000
/** Longer than the idle time-outs of usual load balancers (60 s), so that it is they who close first. */
const keepAliveTimeoutMs = 65_000
const headersBytesMax = 16 * 1024

export interface RunningServer {
  /** `http://host:port`, with the port that was really taken. */
  url: string
  /** Takes no new connections, lets running requests end, then resolves. */
  stop(): Promise<void>
}

/** Listens on the given address; port 0 takes any free one. Rejects when the port is taken. */
export async function startServer(
  app: Koa<RouteState>,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const handle = app.callback()
  let stopping: Promise<void> | undefined
  const server = createServer(
    { maxHeaderSize: headersBytesMax, connectionsCheckingInterval: checkTimeoutsEveryMs },
    (request, response) => {
      // Without this a connection that is never idle would keep the server from stopping.
      if (stopping !== undefined) response.setHeader('Connection', 'close')
      void handle(request, response)
    },
  )
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = requestTimeoutMs
  server.keepAliveTimeout = keepAliveTimeoutMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return { url: `http://${host}:${String(port)}`, stop: () => (stopping ??= stopServer(server)) }
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeIdleConnections()
  })
}
