import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { PublicEvent } from '../../core/event/public-event.ts'
import { startSignedServer } from './partner-server.ts'

/** A call that a receiver has got, with any reaction. */
export interface ReceivedCall {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The event, as the sender wrote it; not verified. */
  event: ReceivedEvent
}

export type ReceivedEvent = Omit<PublicEvent, 'timestamp' | 'created_at'>

/** A receiver's reaction to a call: a status, or one of the ways in which systems fail. */
export type Treatment =
  | number
  | { status: number; headers: Record<string, string>; body?: string }
  | 'hang'
  | 'garbage'
  | 'die before answering'
  | 'die in the answer'
  | 'answer twice'

export interface FakeReceiver {
  url: string
  received: readonly ReceivedCall[]
  /** How calls are treated from now on; asked again for each. Without it: 204. */
  treat(how: (call: ReceivedCall, count: number) => Treatment | Promise<Treatment>): void
  /** The most calls that were open at the same time. */
  openMax(): number
  stop(): Promise<void>
}

/** A webhook receiver on this machine that can refuse, hang, die and babble. */
export async function startFakeReceiver(): Promise<FakeReceiver> {
  const received: ReceivedCall[] = []
  let how: (call: ReceivedCall, count: number) => Treatment | Promise<Treatment> = () => 204
  let open = 0
  let openMax = 0
  const server = await startSignedServer((request, response, body) => {
    open += 1
    openMax = Math.max(openMax, open)
    response.once('close', () => {
      open -= 1
    })
    const event = JSON.parse(body) as ReceivedEvent
    const call = { path: request.url ?? '', headers: request.headers, body, event }
    received.push(call)
    void Promise.resolve(how(call, received.length)).then((treatment) => {
      answer(response, treatment)
    })
  })
  return {
    url: server.url,
    received,
    treat: (next) => {
      how = next
    },
    openMax: () => openMax,
    stop: () => server.stop(),
  }
}

function answer(response: ServerResponse, treatment: Treatment): void {
  switch (treatment) {
    case 'hang':
      return
    case 'garbage':
      response.socket?.end('SMTP ready, say hello\r\n\r\n')
      return
    case 'die before answering':
      response.socket?.destroy()
      return
    case 'die in the answer':
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('half')
      response.socket?.end()
      return
    case 'answer twice':
      response.socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      response.socket?.end('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n')
      return
    default: {
      const { status, headers, body } =
        typeof treatment === 'number' ? { status: treatment, headers: {}, body: undefined } : treatment
      response.writeHead(status, headers)
      response.end(body)
    }
  }
}

/** Verifies a call as a receiver does: throws unless it was signed with the secret, and not long ago. */
export function verifyCall(secret: string, call: ReceivedCall): ReceivedEvent {
  const headers = Object.fromEntries(
    Object.entries(call.headers).map(([name, value]) => [name, String(value)]),
  )
  return new Webhook(secret).verify(call.body, headers) as ReceivedEvent
}
