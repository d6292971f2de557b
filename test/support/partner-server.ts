import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A server on a free port of this machine that plays another party's system. */
export interface PartnerServer {
  port: number
  /** `http://127.0.0.1:port`, or with TLS `https://localhost:port`. */
  url: string
  /** How many connections it has accepted so far. */
  countConnections(): number
  stop(): Promise<void>
}

/** Signed only by itself, for `localhost`. */
export const certificateFile = join(import.meta.dirname, 'tls/certificate.pem')

export function startHttpServer(answer: RequestListener): Promise<PartnerServer> {
  return listen(createHttpServer(answer), (port) => `http://127.0.0.1:${port}`)
}

/**
 * A partner that takes signed calls, each with its whole body. Answers requests without a message id with 404 and does
 * not pass them on: another test may still send health checks to a port that its own server had before.
 */
export function startSignedServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<PartnerServer> {
  return startHttpServer((request, response) => {
    if (request.headers['webhook-id'] === undefined) {
      response.writeHead(404).end()
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      answer(request, response, Buffer.concat(chunks).toString('utf8'))
    })
  })
}

export function startHttpsServer(answer: RequestListener): Promise<PartnerServer> {
  const server = createHttpsServer(
    { cert: readFileSync(certificateFile), key: readFileSync(join(import.meta.dirname, 'tls/key.pem')) },
    answer,
  )
  return listen(server, (port) => `https://localhost:${port}`)
}

/** Says what no HTTP server would. */
export function startTcpServer(talk: (socket: Socket) => void): Promise<PartnerServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    talk(socket)
  })
  return listen(server, (port) => `http://127.0.0.1:${port}`)
}

async function listen(server: Server, urlOf: (port: number) => string): Promise<PartnerServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: urlOf(port),
    countConnections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        for (const socket of sockets) socket.destroy()
      }),
  }
}
