import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { createGuardedLookup, LookupError } from './guarded-lookup.ts'
import type { LookUpName } from './guarded-lookup.ts'
import { hostOf, parseOutboundUrl } from './outbound-url.ts'
import { isPublicAddress } from './public-address.ts'

/** A call of somebody else's system: a wallet, a fulfilment provider, a webhook's receiver. */
export interface OutboundRequest {
  method: 'GET' | 'POST'
  /** http or https. Redirects are not followed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** For the whole call, from looking the name up to the last byte of the answer. */
  timeoutMs: number
}

/**
 * Why there is no answer. With `timeout`, `connection_lost` and `answer_too_large` the other side may have acted all the
 * same; with the others nothing was sent.
 */
export type NoAnswerReason =
  | 'url_invalid'
  | 'address_forbidden'
  | 'name_unknown'
  | 'connection_refused'
  /** Broken off, or what came is no HTTP. */
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'answer_too_large'

export type OutboundResult =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | { kind: 'no_answer'; reason: NoAnswerReason }

/** Never throws for what the other side or the network does. */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundResult>

export interface HttpClient {
  send: SendRequest
  /** Ends calls under way with `connection_lost`; later ones are answered with `connection_refused`. */
  close(): Promise<void>
}

/** Our partners answer with a few lines; whoever sends more wants to fill our memory. */
const answerBytesMax = 64 * 1024
const headerBytesMax = 16 * 1024
/** To one origin at once; more wait, and their time runs. */
const connectionsPerOriginMax = 64
const idleConnectionsPerOriginMax = 16
/** Below the five seconds after which Node's servers close: who sends into a closing connection learns nothing. */
const idleConnectionMs = 4_000

/**
 * The only way out of this service. It connects to addresses of the internet only, unless private ones are allowed;
 * follows no redirects; verifies certificates whatever the environment says; unpacks nothing; and keeps no cookies.
 */
export function createHttpClient({
  allowPrivateAddresses,
  lookUp,
}: {
  /** Also lets http:// URLs pass. */
  allowPrivateAddresses: boolean
  /** In place of the system's look-up of names. */
  lookUp?: LookUpName
}): HttpClient {
  const options = {
    keepAlive: true,
    maxSockets: connectionsPerOriginMax,
    maxFreeSockets: idleConnectionsPerOriginMax,
    timeout: idleConnectionMs,
    lookup: createGuardedLookup(allowPrivateAddresses, lookUp),
  }
  const agents = {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
  }
  const underWay = new Map<Promise<OutboundResult>, () => void>()
  let isClosed = false

  return {
    send: async (request) => {
      const parsed = parseOutboundUrl(request.url, { allowPrivateAddresses })
      if ('problem' in parsed) return { kind: 'no_answer', reason: 'url_invalid' }
      if (isClosed) return { kind: 'no_answer', reason: 'connection_refused' }
      // Addresses are connected to without a look-up.
      const host = hostOf(parsed.url)
      if (!allowPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) {
        return { kind: 'no_answer', reason: 'address_forbidden' }
      }
      const { result, cancel } = start(request, parsed.url, agents)
      underWay.set(result, cancel)
      try {
        return await result
      } finally {
        underWay.delete(result)
      }
    },
    close: async () => {
      isClosed = true
      for (const cancel of underWay.values()) cancel()
      await Promise.all(underWay.keys())
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function start(
  { method, headers, body, timeoutMs }: OutboundRequest,
  url: URL,
  agents: { http: HttpAgent; https: HttpsAgent },
): { result: Promise<OutboundResult>; cancel: () => void } {
  const options = {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    maxHeaderSize: headerBytesMax,
  }
  const isEncrypted = url.protocol === 'https:'
  const request = isEncrypted
    ? requestHttps(url, { ...options, agent: agents.https })
    : requestHttp(url, { ...options, agent: agents.http })
  const findStage = watchStage(request, isEncrypted)
  let fail: (reason: NoAnswerReason) => void = () => undefined
  const result = new Promise<OutboundResult>((resolve) => {
    fail = (reason) => {
      clearTimeout(timer)
      resolve({ kind: 'no_answer', reason })
      request.destroy()
    }
    const timer = setTimeout(fail, timeoutMs, 'timeout')
    request.on('error', (error) => {
      fail(reasonOf(error, findStage()))
    })
    let isAnswered = false
    request.on('response', (response) => {
      isAnswered = true
      readAnswer(
        response,
        (answer) => {
          clearTimeout(timer)
          resolve(answer)
        },
        fail,
      )
    })
    request.on('close', () => {
      // Without an error, when the other side switches protocols, say. From its first line on, the answer tells its end.
      if (!isAnswered) fail('connection_lost')
    })
    request.end(body)
  })
  return {
    result,
    cancel: () => {
      fail('connection_lost')
    },
  }
}

function readAnswer(
  response: IncomingMessage,
  settle: (answer: OutboundResult) => void,
  fail: (reason: NoAnswerReason) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerBytesMax) fail('answer_too_large')
    else chunks.push(chunk)
  })
  response.on('error', () => {
    fail('connection_lost')
  })
  response.on('end', () => {
    const headers = Object.entries(response.headers).map(
      ([name, value]) => [name, [value].flat().join(', ')] as const,
    )
    settle({
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(headers),
      body: Buffer.concat(chunks).toString('utf8'),
    })
  })
}

/** How far a request has come; only in the last stage can the other side have seen it. */
type Stage = 'connecting' | 'securing' | 'sending'
const stages = new WeakMap<Socket, Stage>()

function watchStage(request: ClientRequest, isEncrypted: boolean): () => Stage {
  let socket: Socket | undefined
  request.once('socket', (given) => {
    socket = given
    if (stages.has(given)) return
    stages.set(given, given.connecting ? 'connecting' : 'sending')
    given.once('connect', () => stages.set(given, isEncrypted ? 'securing' : 'sending'))
    given.once('secureConnect', () => stages.set(given, 'sending'))
  })
  return () => (socket === undefined ? 'connecting' : (stages.get(socket) ?? 'sending'))
}

function reasonOf(error: NodeJS.ErrnoException, stage: Stage): NoAnswerReason {
  if (error instanceof LookupError) return error.reason
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'answer_too_large'
  switch (stage) {
    case 'connecting':
      return 'connection_refused'
    case 'securing':
      return 'tls_failed'
    case 'sending':
      return 'connection_lost'
  }
}
