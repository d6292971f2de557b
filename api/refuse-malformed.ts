import { STATUS_CODES } from 'node:http'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connections } from './connections.ts'
import type { ErrorCode } from '../core/errors.ts'
import { newId } from '../core/platform/ids.ts'
import { errorResponse } from './error-response.ts'
import { securityHeaders } from './middleware/security-headers.ts'

/** A client that is still sending gets to read the answer; closing immediately would discard it. */
const lingerMs = 1_000

/** The codes of Node's parser for its refusals; every other one is about the form of the message. */
const codeOfFailure: Partial<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/**
 * Answers data that Node cannot read as an HTTP request, with the same kind of body as every other error; Node's own
 * answers have no body. Then the connection ends, because the data that follow on it have no meaning.
 */
export function refuseMalformed(server: Server, connections: Pick<Connections, 'unanswered' | 'last'>): void {
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return // the parser complains about each further piece
    refused.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const onSocket = connections.unanswered(socket)
    const lastBefore = onSocket.filter(({ req, headersSent }) => req.complete || headersSent).at(-1)
    if (lastBefore !== undefined) {
      // Requests before the malformed one: an error in their place would be taken for their answer.
      lastBefore.once('close', () => {
        socket.destroySoon()
      })
      return
    }
    const last = connections.last(socket)
    if (last?.writableEnded === true && !last.req.complete) {
      // The rest of a request that was answered early. A second answer would be taken for that of the next one.
      socket.destroySoon()
      return
    }
    refuse(socket, codeOfFailure[error.code ?? ''] ?? 'request_malformed')
  })
  // Asks for a tunnel to somewhere else. Node hands over the bare connection, and would close it without an answer.
  server.on('connect', (_request, socket) => {
    refuse(socket, 'route_unknown')
  })
}

function refuse(socket: Duplex, code: ErrorCode): void {
  const { status, body, headers } = errorResponse(code, 'general')
  const text = JSON.stringify(body)
  const head = Object.entries({
    ...securityHeaders,
    ...headers,
    'X-Request-Id': newId('req'),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const lingering = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => {
    clearTimeout(lingering)
  })
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`)
}
