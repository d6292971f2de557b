import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { withinMs } from '../platform/deadline.ts'

/** The addresses of a name, and their TTL; empty if the name does not exist. */
export interface NameAddresses {
  addresses: readonly LookupAddress[]
  ttlSeconds: number
}

/** Rejects if the name servers fail, or do not answer in time. */
export type ResolveName = (name: string) => Promise<NameAddresses>

export interface ResolverOptions {
  /** Whether names are also tried with the machine's search domains, as names inside a cluster need. */
  searchDomains: boolean
  /** Instead of the machine's: `address:port`. */
  servers?: readonly string[]
  hostsFile?: string
  resolvConf?: string
  /** For the whole look-up, including all variants that are tried. */
  timeoutMs?: number
}

const resolveTimeoutMs = 3_000
const tryTimeoutMs = 1_000
const triesMax = 2
/** Some name servers never answer questions for an address family that they have no record of. */
const otherFamilyMs = 200
const searchDomainsMax = 8

/**
 * Looks names up with its own queries to the machine's name servers. The system's function for it (`getaddrinfo`)
 * occupies one of Node's few threads until it returns, after half a minute if a name server is silent: a handful of
 * such names stops every look-up of the process. A query of ours is a socket with a time-out.
 *
 * The other parts of `getaddrinfo` that connections need are done here: the hosts file, `localhost`, and search
 * domains. A name is tried as it is before it is tried with a search domain, regardless of `ndots`: a name inside the
 * cluster must not take over a partner's public name.
 */
export function createResolveName({
  searchDomains,
  servers,
  hostsFile = '/etc/hosts',
  resolvConf = '/etc/resolv.conf',
  timeoutMs = resolveTimeoutMs,
}: ResolverOptions): ResolveName {
  return async (name) => {
    const isAbsolute = name.endsWith('.')
    const plain = name.replace(/\.$/, '').toLowerCase()
    const local = findLocally(plain, readText(hostsFile))
    if (local !== undefined) return { addresses: local, ttlSeconds: 0 }
    const domains = searchDomains && !isAbsolute ? searchDomainsIn(readText(resolvConf)) : []
    // One per look-up: it reads the current name servers, and can be cancelled without cancelling another's.
    const resolver = new Resolver({ timeout: tryTimeoutMs, tries: triesMax })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      const candidates = [plain, ...domains.map((domain) => `${plain}.${domain}`)]
      return await withinMs(resolveFirst(resolver, candidates), timeoutMs)
    } finally {
      resolver.cancel()
    }
  }
}

async function resolveFirst(resolver: Resolver, candidates: readonly string[]): Promise<NameAddresses> {
  for (const candidate of candidates) {
    const found = await resolveBoth(resolver, candidate)
    if (found.addresses.length > 0) return found
  }
  return { addresses: [], ttlSeconds: 0 }
}

/** Queries both families together; the addresses of one are enough if the other does not answer. */
async function resolveBoth(resolver: Resolver, name: string): Promise<NameAddresses> {
  const found: (LookupAddress & { ttl: number })[] = []
  const asked = ([4, 6] as const).map(async (family) => {
    const ttl = { ttl: true } as const
    const asking = family === 4 ? resolver.resolve4(name, ttl) : resolver.resolve6(name, ttl)
    const records = await asking.catch(noneIfNoSuchName)
    found.push(...records.map((record) => ({ ...record, family })))
    return records.length > 0
  })
  const all = Promise.allSettled(asked)
  const oneAndMoment = Promise.any(asked.map(orReject)).then(
    () => pause(otherFamilyMs, undefined, { ref: false }),
    () => all,
  )
  await Promise.race([all, oneAndMoment])
  if (found.length === 0) await Promise.all(asked) // rejects if a query failed
  return {
    // IPv4 first: a machine without IPv6 must not begin with an unreachable address.
    addresses: found
      .map(({ address, family }) => ({ address, family }))
      .sort((one, other) => one.family - other.family),
    ttlSeconds: Math.min(...found.map(({ ttl }) => ttl), Number.MAX_SAFE_INTEGER),
  }
}

async function orReject(asked: Promise<boolean>): Promise<void> {
  if (!(await asked)) throw new Error('no address of this family')
}

function noneIfNoSuchName(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
  throw error
}

/** Names that are not for name servers: those of the hosts file, and those that RFC 6761 reserves for the machine. */
function findLocally(name: string, hosts: string): LookupAddress[] | undefined {
  const listed = hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const isMeant = names.some((listedName) => listedName.toLowerCase() === name)
    return address !== undefined && isMeant ? [{ address, family: address.includes(':') ? 6 : 4 }] : []
  })
  if (listed.length > 0) return listed.sort((one, other) => one.family - other.family)
  if (/(^|\.)localhost$/.test(name)) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  }
  return /(^|\.)invalid$/.test(name) ? [] : undefined
}

/** The last `search` or `domain` line counts (resolv.conf(5)). */
function searchDomainsIn(resolvConf: string): string[] {
  const lines = [...resolvConf.matchAll(/^\s*(?:search|domain)\s+(.*)$/gm)]
  const domains = lines.at(-1)?.[1]?.trim().split(/\s+/) ?? []
  return domains
    .map((domain) => domain.replace(/\.$/, ''))
    .filter((domain) => domain !== '')
    .slice(0, searchDomainsMax)
}

/** A few lines, read for each look-up: the synchronous read avoids a thread. A missing file counts as empty. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
