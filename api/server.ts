import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { monotonicMs } from '../core/platform/clock.ts'
import { createConnections } from './connections.ts'
import type { Connections } from './connections.ts'
import { createReadingTurns } from './reading-turns.ts'
import { refuseMalformed } from './refuse-malformed.ts'

/** Answers a request; resolves when nothing more is done for it. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface ServerTimeouts {
  /** A request that is not complete after this is ended; Node's own defaults wait for minutes. */
  headersMs: number
  requestMs: number
  checkEveryMs: number
  /** Longer than the idle time-outs of usual load balancers (60 s), so that the load balancers close first. */
  keepAliveMs: number
  /** When there are too many connections: after so long without a whole request one is closed for others. */
  halfMs: number
  /** And so long after its last answer, when that has made no room. */
  idleMs: number
  /** Nothing came or went for so long: a client asks and never takes the answer. No answer takes so long. */
  stalledMs: number
}

const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 20_000,
  checkEveryMs: 5_000,
  keepAliveMs: 65_000,
  halfMs: 1_000,
  idleMs: 5_000,
  stalledMs: 120_000,
}
const headersBytesMax = 16 * 1024
/** How often connections may be closed to make room for others. */
const makeRoomEveryMs = 1_000
/** How often a stopping server looks for connections that have become idle. */
const closeIdleEveryMs = 50

export interface RunningServer {
  /** `http://host:port`, with the port that was really taken. */
  url: string
  /** Takes no new connections, lets running requests end, then resolves. */
  stop(): Promise<void>
}

export interface ServerOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** More than these are closed on arrival. To accept new ones, idle ones are closed (connections.ts). */
  connectionsMax?: number
  /** More than these from one address are closed on arrival. */
  connectionsPerAddressMax?: number | undefined
  onConnectionRefused?: () => void
  timeouts?: ServerTimeouts
}

/** Listens on the given address. Rejects when the port is taken. */
export async function startServer(handle: HandleRequest, options: ServerOptions): Promise<RunningServer> {
  const { timeouts = defaultTimeouts } = options
  let stopping: Promise<void> | undefined
  const connections = createConnections({ ...timeouts, perAddressMax: options.connectionsPerAddressMax })
  const turns = createReadingTurns(connections)
  const server = createServer(
    {
      maxHeaderSize: headersBytesMax,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      // Node would refuse with an empty body; nothing here needs the header.
      requireHostHeader: false,
    },
    (request, response) => {
      connections.begin(response)
      if (stopping === undefined) turns.count(request.socket)
      else response.setHeader('Connection', 'close')
      void handle(request, response).finally(() => {
        connections.end(response)
      })
    },
  )
  server.headersTimeout = timeouts.headersMs
  server.requestTimeout = timeouts.requestMs
  server.keepAliveTimeout = timeouts.keepAliveMs
  server.timeout = timeouts.stalledMs
  if (options.connectionsMax !== undefined) server.maxConnections = options.connectionsMax
  let madeRoomAtMs = -Infinity
  server.on('drop', () => {
    options.onConnectionRefused?.()
    const nowMs = monotonicMs()
    if (nowMs - madeRoomAtMs < makeRoomEveryMs) return
    madeRoomAtMs = nowMs
    connections.makeRoom()
  })
  // An unknown expectation is not a reason to refuse, and Node would do it with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  refuseMalformed(server, connections)
  server.on('connection', (socket) => {
    if (connections.add(socket)) return
    options.onConnectionRefused?.()
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${String(port)}`,
    stop: () => (stopping ??= stopServer(server, connections)),
  }
}

async function stopServer(server: Server, connections: Connections): Promise<void> {
  // Their clients learn that the connection ends, and send nothing more on it.
  for (const response of connections.unanswered()) {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  // Requests on connections that are not read for a moment (paused-connections.ts, reading-turns.ts) have arrived too, and
  // are answered.
  for (const socket of connections.sockets()) socket.resume()
  await nextPoll()
  return new Promise((resolve) => {
    // Answers that were already under way still promise to keep their connections, which become idle after them.
    const closingIdle = setInterval(() => {
      server.closeIdleConnections()
      // Node does not count those as idle that were opened in advance and have never sent anything.
      for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy()
    }, closeIdleEveryMs)
    server.close(() => {
      clearInterval(closingIdle)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Until data that the kernel holds have been read: the turn of the event loop that runs now may have read already. */
async function nextPoll(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
