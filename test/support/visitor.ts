import type { Reply } from './client.ts'
import { toReply } from './client.ts'

/** A browser as far as sign-ons need one: cookies of each host, and redirects. It runs no scripts. */
export interface Visitor {
  /** Where it is. */
  url: string
  /** Goes there, and on as long as it is sent on. */
  go(url: string, form?: Record<string, string>): Promise<Reply>
  /** One request. */
  ask(url: string, form?: Record<string, string>): Promise<Reply>
  cookiesOf(url: string): Map<string, string>
}

const redirectsMax = 20

/** `aliases`: requests to the first address go to the second, as a name server or a proxy would have it. */
export function createVisitor(aliases: Readonly<Record<string, string>> = {}): Visitor {
  const jars = new Map<string, Map<string, string>>()
  const cookiesOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const visitor: Visitor = {
    url: '',
    cookiesOf,
    ask: async (url, form) => {
      const jar = cookiesOf(url)
      const { origin } = new URL(url)
      const response = await fetch(url.replace(origin, aliases[origin] ?? origin), {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      })
      for (const line of response.headers.getSetCookie()) keep(jar, line)
      visitor.url = url
      return toReply(response)
    },
    go: async (url, form) => {
      let reply = await visitor.ask(url, form)
      for (let redirects = 0; redirects < redirectsMax; redirects++) {
        const location = reply.headers.get('Location')
        if (reply.status < 300 || location === null) return reply
        reply = await visitor.ask(new URL(location, visitor.url).href)
      }
      throw new Error(`sent on and on, at last from ${visitor.url}`)
    },
  }
  return visitor
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  const expires = /expires=([^;]+)/i.exec(line)?.[1]
  if (value === '' || (expires !== undefined && Date.parse(expires) <= Date.now())) jar.delete(name)
  else jar.set(name, value)
}
