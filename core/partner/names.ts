import type { LookupAddress } from 'node:dns'
import { hostOf } from './outbound-url.ts'
import { isAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'

/** Whether the host of a partner's URL can be connected to, judged by its name. */
export interface PartnerNames {
  /**
   * The cached result. Undefined if the name must be looked up: this happens before an attempt is committed, so that an
   * unresolvable name means that there was no call.
   */
  known(casinoId: string, url: string): 'found' | 'unknown' | undefined
  /** Resolves when it is known. Never rejects. */
  lookUp(casinoId: string, url: string): Promise<void>
}

export interface Names extends PartnerNames {
  /** The addresses to connect to, looked up if necessary; empty if the name has none. Never rejects. */
  find(casinoId: string, host: string): Promise<readonly LookupAddress[]>
}

/**
 * A name server's TTL applies within these bounds: calls come in bursts, and a partner that moves should not be called
 * at its old address for long.
 */
const foundMinMs = 30_000
const foundMaxMs = 5 * 60_000
/** An unresolvable name may resolve soon; in between, no work waits for it. */
const unknownMs = 5_000
/** A connection follows its look-up a moment later, perhaps just after the entry has expired. */
const connectWithinMs = 60_000
/** When to retry a partner whose name does not resolve; random, so that retries are spread. */
export function unknownNameAwayMs(random: number): number {
  return unknownMs * (1 + random)
}
/**
 * A casino's simultaneous look-ups; each has a time-out, see `createResolveName`. Other casinos' never wait for them.
 */
const lookUpsMax = 4
/** More than a casino's partners and endpoints need. Bounds the memory for a domain in which every name resolves. */
const namesPerCasinoMax = 256
const sweepEveryMs = 60_000

interface Known {
  addresses: readonly LookupAddress[]
  /** The entry is valid until then. */
  untilMs: number
}

interface CasinoNames {
  known: Map<string, Known>
  underWay: Map<string, Promise<Known>>
  /** Callers that wait for a look-up in progress to end, in order. */
  waiting: (() => void)[]
  lookUps: number
}

/**
 * Names and their addresses, per casino: one casino's names cannot affect another's look-ups and memory, nor reveal
 * which names others look up.
 */
export function createNames({ resolve, nowMs }: { resolve: ResolveName; nowMs: () => number }): Names {
  const casinos = new Map<string, CasinoNames>()
  let sweepAtMs = nowMs() + sweepEveryMs

  function namesOf(casinoId: string): CasinoNames {
    const now = nowMs()
    if (now >= sweepAtMs) {
      sweepAtMs = now + sweepEveryMs
      for (const [id, names] of casinos) if (forgetOld(names, now)) casinos.delete(id)
    }
    const names = casinos.get(casinoId) ?? {
      known: new Map<string, Known>(),
      underWay: new Map<string, Promise<Known>>(),
      waiting: [],
      lookUps: 0,
    }
    casinos.set(casinoId, names)
    return names
  }

  async function ask(names: CasinoNames, host: string): Promise<Known> {
    if (names.lookUps < lookUpsMax) names.lookUps += 1
    else await new Promise<void>((resume) => names.waiting.push(resume)) // is handed another look-up's place
    let found: Known
    try {
      const { addresses, ttlSeconds } = await resolve(host)
      const foundMs = Math.max(foundMinMs, Math.min(ttlSeconds * 1_000, foundMaxMs))
      found = { addresses, untilMs: nowMs() + (addresses.length === 0 ? unknownMs : foundMs) }
    } catch {
      // Whether the name server is silent or refuses, there is no address to call now.
      found = { addresses: [], untilMs: nowMs() + unknownMs }
    }
    const next = names.waiting.shift()
    if (next === undefined) names.lookUps -= 1
    else next()
    names.known.delete(host)
    names.known.set(host, found)
    const [oldest] = names.known.keys()
    if (names.known.size > namesPerCasinoMax && oldest !== undefined) names.known.delete(oldest)
    return found
  }

  /** Simultaneous look-ups of a name share one query. */
  function askOnce(names: CasinoNames, host: string): Promise<Known> {
    const asked = names.underWay.get(host) ?? ask(names, host).finally(() => void names.underWay.delete(host))
    names.underWay.set(host, asked)
    return asked
  }

  return {
    known: (casinoId, url) => {
      const host = nameIn(url)
      if (host === undefined) return 'found'
      const known = namesOf(casinoId).known.get(host)
      if (known === undefined || known.untilMs <= nowMs()) return undefined
      return known.addresses.length === 0 ? 'unknown' : 'found'
    },
    lookUp: async (casinoId, url) => {
      const host = nameIn(url)
      if (host !== undefined) await askOnce(namesOf(casinoId), host)
    },
    find: async (casinoId, host) => {
      const names = namesOf(casinoId)
      const known = names.known.get(host)
      const graceMs = known === undefined || known.addresses.length === 0 ? 0 : connectWithinMs
      if (known !== undefined && nowMs() < known.untilMs + graceMs) return known.addresses
      return (await askOnce(names, host)).addresses
    },
  }
}

/** True when nothing is left. */
function forgetOld(names: CasinoNames, now: number): boolean {
  for (const [host, { untilMs }] of names.known)
    if (untilMs + connectWithinMs <= now) names.known.delete(host)
  return names.known.size === 0 && names.underWay.size === 0
}

/** Undefined if there is nothing to look up: an address, or an invalid URL, which the call reports. */
function nameIn(url: string): string | undefined {
  const host = URL.canParse(url) ? hostOf(new URL(url)) : ''
  return host === '' || isAddress(host) ? undefined : host
}
