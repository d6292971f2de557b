import { LRUCache } from 'lru-cache'
import { keyIdIn } from './api-key.ts'
import type { Caller } from './find-caller.ts'

/**
 * The casinos of recently seen keys. It does not authenticate the caller, because the secret is not checked: it only
 * tells whose request may be refused without a look-up.
 */
export interface SeenKeys {
  record(caller: Pick<Caller, 'keyId' | 'casinoId'>): void
  /** Undefined for a key that was not seen, or without a key. */
  casinoOf(authorization: string | undefined): string | undefined
}

/** The same number that `createFindCaller` caches. */
const keysMax = 10_000
const scheme = 'Bearer '

export function createSeenKeys(): SeenKeys {
  const casinos = new LRUCache<string, string>({ max: keysMax })
  return {
    record: ({ keyId, casinoId }) => void casinos.set(keyId, casinoId),
    casinoOf: (authorization = '') => casinos.get(keyIdIn(authorization.slice(scheme.length))),
  }
}
