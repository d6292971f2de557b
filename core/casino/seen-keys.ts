import { LRUCache } from 'lru-cache'
import { keyIdIn } from './api-key.ts'
import type { Caller } from './find-caller.ts'

/**
 * Of which casinos keys have been, of late. It proves nothing of who sends a key now, as nobody has looked at its secret: it
 * only tells whose request may be refused without looking.
 */
export interface SeenKeys {
  record(caller: Pick<Caller, 'keyId' | 'casinoId'>): void
  /** Undefined for a key that was not seen, and where there is none. */
  casinoOf(authorization: string | undefined): string | undefined
}

/** As many as are remembered by `createFindCaller`. */
const keysMax = 10_000
const scheme = 'Bearer '

export function createSeenKeys(): SeenKeys {
  const casinos = new LRUCache<string, string>({ max: keysMax })
  return {
    record: ({ keyId, casinoId }) => void casinos.set(keyId, casinoId),
    casinoOf: (authorization = '') => casinos.get(keyIdIn(authorization.slice(scheme.length))),
  }
}
