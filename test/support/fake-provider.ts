import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { startSignedServer } from './partner-server.ts'

/** A request to the fake provider. */
export interface ProviderCall {
  type: string
  submission_id: string
  order_id: string
  shipment_number: number
  delivery?: unknown
  item?: unknown
}

/** Its reaction: answer, act and then break off, or never answer. */
export type ProviderReaction =
  { status: number; body: unknown } | { status: number; text: string } | 'acts_and_dies' | 'hangs'

export interface FakeProvider {
  url: string
  /** Every call with a valid signature. */
  calls: ProviderCall[]
  /** The headers of each of these calls. */
  headers: readonly IncomingHttpHeaders[]
  /** Parcels that it has taken on, by submission id, however often it was asked. */
  parcels: Set<string>
  /** From now on; the default accepts. */
  react(reaction: (call: ProviderCall) => ProviderReaction | Promise<ProviderReaction>): void
  stop(): Promise<void>
}

/**
 * A fulfilment provider as docs/integrate/fulfilment.md describes one, with bad days on demand. It refuses wrong
 * signatures.
 */
export async function startFakeProvider(secret: string): Promise<FakeProvider> {
  const calls: ProviderCall[] = []
  const headers: IncomingHttpHeaders[] = []
  const parcels = new Set<string>()
  let react: (call: ProviderCall) => ProviderReaction | Promise<ProviderReaction> = accept
  const answer = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    if (!isSigned(secret, request, body)) {
      response.writeHead(401).end()
      return
    }
    const call = JSON.parse(body) as ProviderCall
    calls.push(call)
    headers.push(request.headers)
    const reaction = await react(call)
    if (reaction === 'hangs') return
    const isTaken = reaction === 'acts_and_dies' || isAccepted(reaction)
    if (call.type === 'order.submit' && isTaken) parcels.add(call.submission_id)
    if (reaction === 'acts_and_dies') {
      request.socket.destroy()
      return
    }
    response.writeHead(reaction.status, { 'Content-Type': 'application/json' })
    response.end('text' in reaction ? reaction.text : JSON.stringify(reaction.body))
  }
  const server = await startSignedServer((request, response, body) => {
    void answer(request, response, body)
  })
  return {
    url: `${server.url}/fulfilment`,
    calls,
    headers,
    parcels,
    react: (reaction) => {
      react = reaction
    },
    stop: () => server.stop(),
  }
}

function accept({ type, submission_id }: ProviderCall): ProviderReaction {
  switch (type) {
    case 'order.submit':
      return { status: 200, body: { status: 'accepted', reference: `ref-${submission_id}` } }
    case 'order.cancel':
      return { status: 200, body: { status: 'cancelled' } }
    default:
      return { status: 200, body: { status: 'accepted' } }
  }
}

function isAccepted(reaction: ProviderReaction): boolean {
  return (
    typeof reaction === 'object' &&
    'body' in reaction &&
    (reaction.body as { status?: unknown }).status === 'accepted'
  )
}

function isSigned(secret: string, { headers }: IncomingMessage, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  // Not with the library's own check, which goes by the real time: a test's clock may be far ahead.
  return signature === new Webhook(secret).sign(String(id), new Date(Number(timestamp) * 1000), body)
}
