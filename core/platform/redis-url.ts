/** Where a Redis is: one server, the one that Sentinel names, or a Cluster. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | (LogIn & {
      kind: 'sentinel'
      sentinels: RedisNode[]
      /** The name of the master that the sentinels watch. */
      name: string
      db: number
      sentinelUsername: string | undefined
      sentinelPassword: string | undefined
    })
  | (LogIn & { kind: 'cluster'; nodes: RedisNode[] })

export interface RedisNode {
  host: string
  port: number
}

interface LogIn {
  username: string | undefined
  password: string | undefined
  isTls: boolean
}

/** The way in which a URL is not one of a Redis; never contains a part of it. */
export class RedisUrlError extends Error {}

const forms = {
  sentinel: 'redis+sentinel://user:password@host:26379,host:26379/master-name',
  cluster: 'redis+cluster://user:password@host:6379,host:6379',
}
const defaultPorts = { sentinel: 26_379, cluster: 6_379 }

const schemePattern = /^redis(s?)\+(sentinel|cluster):\/\//i
const partsPattern = /^(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const nodePattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i

/**
 * Reads `redis+sentinel://` and `redis+cluster://`, as most libraries spell them: several hosts, and after those of
 * Sentinel the name of the master and a database. `rediss+…` is TLS to all servers. Names and passwords are
 * percent-encoded. A URL of another scheme stands for one server. Throws a RedisUrlError.
 */
export function parseRedisUrl(url: string): RedisAddress {
  const scheme = schemePattern.exec(url)
  if (scheme === null) return { kind: 'server', url }
  const kind = scheme[2]?.toLowerCase() === 'sentinel' ? 'sentinel' : 'cluster'
  const parts = partsPattern.exec(url.slice(scheme[0].length))
  if (parts === null) {
    throw new RedisUrlError(
      `must have the form ${forms[kind]}, with other marks in names and passwords percent-encoded`,
    )
  }
  const [, logIn, hosts = '', path, query] = parts
  const nodes = hosts.split(',').map((host) => parseNode(host, kind))
  const shared = { ...parseLogIn(logIn), isTls: scheme[1] !== '' }
  const options = parseQuery(query, kind)
  if (kind === 'cluster') {
    if (path !== undefined && path !== '')
      throw new RedisUrlError('must have no path: a Cluster has one database')
    return { kind, nodes, ...shared }
  }
  return {
    kind,
    sentinels: nodes,
    ...parsePath(path),
    ...shared,
    sentinelUsername: options.get('sentinel_username'),
    sentinelPassword: options.get('sentinel_password'),
  }
}

function parseNode(text: string, kind: keyof typeof forms): RedisNode {
  const [, host, digits] = nodePattern.exec(text) ?? []
  const port = digits === undefined ? defaultPorts[kind] : Number(digits)
  if (host === undefined || port < 1 || port > 65_535)
    throw new RedisUrlError(`must list hosts and their ports: ${forms[kind]}`)
  return { host: host.replace(/^\[|\]$/g, ''), port }
}

function parseLogIn(text: string | undefined): Pick<LogIn, 'username' | 'password'> {
  if (text === undefined) return { username: undefined, password: undefined }
  const [username = '', password, ...others] = text.split(':')
  if (password === undefined || password === '' || others.length > 0)
    throw new RedisUrlError('must have a user name and a password before the @, or :password')
  return { username: username === '' ? undefined : decode(username), password: decode(password) }
}

function parsePath(path = ''): { name: string; db: number } {
  const [name = '', db = '', ...others] = path.split('/')
  if (name === '') throw new RedisUrlError(`must name the master after the sentinels: ${forms.sentinel}`)
  if (!/^\d{0,5}$/.test(db) || others.length > 0)
    throw new RedisUrlError('must have nothing after the name of the master but the number of a database')
  return { name: decode(name), db: Number(db) }
}

/** Not by URLSearchParams, which takes a plus for a space. */
function parseQuery(query: string | undefined, kind: keyof typeof forms): Map<string, string> {
  const known = kind === 'sentinel' ? ['sentinel_username', 'sentinel_password'] : []
  const options = new Map<string, string>()
  for (const pair of (query ?? '').split('&').filter((text) => text !== '')) {
    const end = pair.indexOf('=')
    const [key, value] = end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]
    if (!known.includes(key) || options.has(key) || value === '') {
      const allowed =
        known.length === 0 ? 'no parameters' : `no parameters but one ${known.join(' and one ')}`
      throw new RedisUrlError(`must have ${allowed}`)
    }
    options.set(key, decode(value))
  }
  return options
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RedisUrlError('must have a % only before two hexadecimal digits')
  }
}
