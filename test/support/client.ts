import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { checkReply } from './check-reply.ts'

/** An HTTP answer, read whole. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  json: unknown
}

export interface Client {
  /** A POST of JSON with an API key, as the documentation describes it. */
  post(
    path: string,
    apiKey: string | undefined,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: string | Uint8Array },
  ): Promise<Reply>
}

/**
 * A client that follows no redirects and gives up after ten seconds. Every answer has to be as the OpenAPI document says;
 * `isDocumented: false` is for servers other than the API.
 */
export function createClient(
  baseUrl: string,
  { basePath = '', isDocumented = true }: { basePath?: string; isDocumented?: boolean } = {},
): Client {
  const send: Client['send'] = async (method, path, init = {}) => {
    const reply = await ask(baseUrl + path, { method, ...init })
    if (isDocumented) checkReply(method, pathBelow(basePath, path), reply)
    return reply
  }
  return {
    send,
    post: (path, apiKey, body, headers = {}) =>
      send('POST', path, {
        headers: {
          'Content-Type': 'application/json',
          ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: JSON.stringify(body),
      }),
  }
}

/** Connections are kept for the next request, as the clients of casinos do. */
const agent = new Agent({ keepAlive: true })

/** `fetch` takes twice the CPU for each request, and the tests send very many. */
async function ask(url: string, { method, headers = {}, body }: Asked): Promise<Reply> {
  // As bytes: Node would write the headers in the encoding of a text that goes with them.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) }
  const signal = AbortSignal.timeout(30_000)
  const request = httpRequest(url, { agent, method, headers: { ...length, ...headers }, signal })
  request.end(bytes)
  // The answer itself shows failures after it has begun.
  request.once('response', () => request.on('error', () => undefined))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode = 0, rawHeaders } = response
  const answered = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    answered.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  const text = decompress(await buffer(response), answered.get('content-encoding')).toString('utf8')
  return { status: statusCode, headers: answered, text, json: parse(text) }
}

/** Reads an answer to `fetch`. */
export async function toReply(response: Response): Promise<Reply> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

interface Asked {
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

function decompress(bytes: Buffer, encoding: string | null): Buffer {
  if (bytes.length === 0) return bytes
  switch (encoding) {
    case 'gzip':
      return gunzipSync(bytes)
    case 'br':
      return brotliDecompressSync(bytes)
    default:
      return bytes
  }
}

/** The path as the document has it; paths that are not below the base path are in no document. */
function pathBelow(basePath: string, path: string): string {
  const { pathname } = new URL(path, 'http://host')
  return pathname.startsWith(basePath) ? pathname.slice(basePath.length) || '/' : `/outside${pathname}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
