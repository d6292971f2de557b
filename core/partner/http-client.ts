import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { monotonicMs } from '../platform/clock.ts'
import { watchStage } from './call-stage.ts'
import type { Stage } from './call-stage.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { createNames } from './names.ts'
import type { Names, PartnerNames } from './names.ts'
import { hostOf, parseOutboundUrl } from './outbound-url.ts'
import { isPublicAddress } from './public-address.ts'
import { createResolveName } from './resolve-name.ts'
import type { ResolveName } from './resolve-name.ts'

/** A call of another system: a wallet, a fulfilment provider, a webhook's receiver. */
export interface OutboundRequest {
  /** The casino that the call is for: name look-ups are limited and cached per casino. */
  casinoId: string
  /** The kind of partner that it goes to, for traces. */
  to?: 'wallet' | 'provider' | 'receiver'
  method: 'GET' | 'POST'
  /** http or https. Redirects are not followed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** For the whole call, from connecting to the last byte of the answer. The name look-up has a separate time-out. */
  timeoutMs: number
}

/** How to reach a casino's partner: its URL, the secrets that requests are signed with, and its time-out. */
export interface PartnerTarget {
  casinoId: string
  url: string
  secrets: readonly string[]
  timeoutMs: number
}

/**
 * Why there is no answer. With `timeout`, `connection_lost` and `answer_too_large` the other system may have acted
 * nevertheless; with the others nothing was sent.
 */
export type NoAnswerReason =
  | 'url_invalid'
  | 'address_forbidden'
  | 'name_unknown'
  | 'connection_refused'
  /** The connection broke, or the answer was not HTTP. */
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'answer_too_large'

export type OutboundResult =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | { kind: 'no_answer'; reason: NoAnswerReason }

/** Never throws for failures of the other system or the network. */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundResult>

export interface HttpClient {
  send: SendRequest
  names: PartnerNames
  /** Ends calls in progress with `connection_lost`; later ones get `connection_refused`. */
  close(): Promise<void>
}

/** Partners' answers are a few lines; more would only fill our memory. */
const answerBytesMax = 64 * 1024
const headerBytesMax = 16 * 1024
/** Per origin, at the same time; more calls wait, and their time-out runs. */
const connectionsPerOriginMax = 64
const idleConnectionsPerOriginMax = 16
/**
 * Below the five seconds after which Node's servers close connections: a request on a closing connection has an unknown
 * result.
 */
const idleConnectionMs = 4_000

/**
 * The only way out of this service. It connects only to internet addresses, unless private ones are allowed; follows no
 * redirects; verifies certificates regardless of the environment; decompresses nothing; and keeps no cookies.
 */
export function createHttpClient({
  allowPrivateAddresses,
  resolve = createResolveName({ searchDomains: allowPrivateAddresses }),
  nowMs = monotonicMs,
}: {
  /** Also allows http:// URLs, and names of our own cluster. */
  allowPrivateAddresses: boolean
  resolve?: ResolveName
  nowMs?: () => number
}): HttpClient {
  const options = {
    keepAlive: true,
    maxSockets: connectionsPerOriginMax,
    maxFreeSockets: idleConnectionsPerOriginMax,
    timeout: idleConnectionMs,
  }
  const agents = {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
  }
  const names = createNames({ resolve, nowMs })
  const underWay = new Map<Promise<OutboundResult>, () => void>()
  let hasBeenClosed = false
  const isClosed = () => hasBeenClosed

  return {
    names,
    send: async (request) => {
      const parsed = parseOutboundUrl(request.url, { allowPrivateAddresses })
      if ('problem' in parsed) return { kind: 'no_answer', reason: 'url_invalid' }
      if (isClosed()) return { kind: 'no_answer', reason: 'connection_refused' }
      // Connecting to an address needs no look-up.
      const host = hostOf(parsed.url)
      if (!allowPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) {
        return { kind: 'no_answer', reason: 'address_forbidden' }
      }
      const lookup = await lookupOf(names, request.casinoId, host, allowPrivateAddresses)
      if (typeof lookup === 'string') return { kind: 'no_answer', reason: lookup }
      if (isClosed()) return { kind: 'no_answer', reason: 'connection_refused' }
      const { result, cancel } = start(request, parsed.url, lookup, agents)
      underWay.set(result, cancel)
      try {
        return await result
      } finally {
        underWay.delete(result)
      }
    },
    close: async () => {
      hasBeenClosed = true
      for (const cancel of underWay.values()) cancel()
      await Promise.all(underWay.keys())
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

async function lookupOf(
  names: Names,
  casinoId: string,
  host: string,
  allowPrivateAddresses: boolean,
): Promise<LookupFunction | 'name_unknown' | 'address_forbidden' | undefined> {
  if (isIP(host) !== 0) return undefined
  return guardedLookup(await names.find(casinoId, host), allowPrivateAddresses)
}

function start(
  { method, headers, body, timeoutMs }: OutboundRequest,
  url: URL,
  lookup: LookupFunction | undefined,
  agents: { http: HttpAgent; https: HttpsAgent },
): { result: Promise<OutboundResult>; cancel: () => void } {
  const options = {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    maxHeaderSize: headerBytesMax,
    ...(lookup === undefined ? {} : { lookup }),
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
      // Ends without an error if the other side switches protocols, for example. From the status line on, the answer
      // reports its own end.
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

function reasonOf(error: NodeJS.ErrnoException, stage: Stage): NoAnswerReason {
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
