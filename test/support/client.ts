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

/** A client that follows no redirects and gives up after ten seconds. */
export function createClient(baseUrl: string): Client {
  const send: Client['send'] = async (method, path, init = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      ...(init.headers === undefined ? {} : { headers: init.headers }),
      ...(init.body === undefined ? {} : { body: init.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
