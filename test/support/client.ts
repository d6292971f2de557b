import { checkReply } from './check-reply.ts'

/** An HTTP answer, read whole. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is none. */
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
    const response = await fetch(baseUrl + path, {
      method,
      ...(init.headers === undefined ? {} : { headers: init.headers }),
      ...(init.body === undefined ? {} : { body: init.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    const reply = await toReply(response)
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

/** Reads an answer of whatever asked for it. */
export async function toReply(response: Response): Promise<Reply> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

/** The path as the document has it; what is not below the base path is in no document. */
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
