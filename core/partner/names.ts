import type { LookupAddress } from 'node:dns'
import { hostOf } from './outbound-url.ts'
import { isAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'

/** Whether the host of a partner's URL can be connected to, as far as its name goes. */
export interface PartnerNames {
  /**
   * What is known without asking. Undefined when the name must be looked up: before an attempt is written down, so that a
   * name that does not resolve is a call that was never made.
   */
  known(casinoId: string, url: string): 'found' | 'unknown' | undefined
  /** Resolves when it is known. Never rejects. */
  lookUp(casinoId: string, url: string): Promise<void>
}

export interface Names extends PartnerNames {
  /** The addresses to connect to, looked up if need be; none when the name leads to none. Never rejects. */
  find(casinoId: string, host: string): Promise<readonly LookupAddress[]>
}

/**
 * What a name server says holds for as long as it says, within these bounds: calls come in bursts, and a partner that
 * moves should not be called at its old address for long.
 */
const foundMinMs = 30_000
const foundMaxMs = 5 * 60_000
/** A name that leads nowhere may lead somewhere soon; in between, nobody waits for it. */
const unknownMs = 5_000
/** Who has looked a name up connects a moment later, perhaps just after the time is over. */
const connectWithinMs = 60_000
/** When to try again to call somebody whose name leads nowhere; by chance, so that all do not come at once. */
export function unknownNameAwayMs(random: number): number {
  return unknownMs * (1 + random)
}
/** Look-ups of a casino at once; each ends by itself, see `createResolveName`. Those of others never wait for them. */
const lookUpsMax = 4
/** A casino has a few partners and endpoints; a wildcard has any number of names. */
const namesPerCasinoMax = 256
const sweepEveryMs = 60_000

interface Known {
  addresses: readonly LookupAddress[]
  /** Until when nobody need ask. */
  untilMs: number
}

interface CasinoNames {
  known: Map<string, Known>
  underWay: Map<string, Promise<Known>>
  /** Who waits for one of the look-ups under way to end, in order. */
  waiting: (() => void)[]
  lookUps: number
}

/**
 * Names and their addresses, by casino: what one casino's names do to look-ups and memory, no other casino feels, nor can
 * it tell what others look up.
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
    else await new Promise<void>((resume) => names.waiting.push(resume)) // is handed somebody's place
    let found: Known
    try {
      const { addresses, ttlSeconds } = await resolve(host)
      const foundMs = Math.max(foundMinMs, Math.min(ttlSeconds * 1_000, foundMaxMs))
      found = { addresses, untilMs: nowMs() + (addresses.length === 0 ? unknownMs : foundMs) }
    } catch {
      // Whether the name server is silent or refuses: there is nowhere to call now.
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

  /** All who want the same name share one look-up. */
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

/** Undefined when there is nothing to look up: an address, or no URL; the call says what is wrong with it. */
function nameIn(url: string): string | undefined {
  const host = URL.canParse(url) ? hostOf(new URL(url)) : ''
  return host === '' || isAddress(host) ? undefined : host
}
