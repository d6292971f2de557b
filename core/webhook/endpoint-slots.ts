import type { NoSlot } from './delivery.ts'

/**
 * How many calls of each endpoint this process may have under way. Without a bound, one receiver that hangs would soon
 * hold every job that the process can run, and nobody else's events would go out.
 */
export interface EndpointSlots {
  /**
   * A slot for the holder, until it gives it back; undefined when it has one now (taking it twice is harmless). Who may
   * not wait is sent away.
   */
  take(endpoint: string, holder: string, mayWait: boolean): NoSlot | undefined
  /** Resolves when the holder has been given a slot, or has waited long enough; `take` tells which. */
  wait(endpoint: string, holder: string): Promise<void>
  /** Gives back whatever the holder has. */
  release(holder: string): void
  /** Told how long each call took, and whether it got through. */
  observe(endpoint: string, hasSucceeded: boolean, durationMs: number): void
}

/** Enough for a receiver that answers at once; a process has room for many such endpoints. */
const slotsMax = 8
/** What fails gets one call at a time until one succeeds: then it costs the process hardly anything. */
const slotsWhileFailing = 1
/** Jobs that wait here hold a place in the process too, so they are few, and only where it is a matter of moments. */
const waitersMax = 64
const waitMaxMs = 1_000
/**
 * Those who are sent away come back in turn, as fast as the receiver takes events: the longer the queue the later, so
 * that each looks again a few times at most. Nobody stays away for longer than this, since the receiver may have become
 * quicker; who would have to comes back at some time in the second half of it. (If all came at its end, they would find
 * the slots taken by the first few, and leave them empty until they all come again.)
 */
const awayMinMs = 500
const awayMaxMs = 10 * 60_000
/** Steps of this size, modulo one, spread evenly however many there are: the golden ratio. */
const spreadStep = 0.618_033_988_749_895
/** How much the newest call says about how long the next will take. */
const newestWeight = 0.2
/** A new endpoint is taken to be quick; it soon shows. */
const durationAtFirstMs = 50

interface Endpoint {
  holders: Set<string>
  /** In turn; calling one ends its waiting. */
  waiters: Map<string, () => void>
  isFailing: boolean
  durationMs: number
  /** When those who were sent away so far will have had their turn. */
  busyUntilMs: number
  /** From 0 to 1: where in the second half of the longest time the last came back who would have been away for longer. */
  spread: number
}

export function createEndpointSlots({ nowMs }: { nowMs: () => number }): EndpointSlots {
  const endpoints = new Map<string, Endpoint>()
  const endpointOf = new Map<string, string>()

  const get = (key: string): Endpoint => {
    const known = endpoints.get(key)
    if (known !== undefined) return known
    const fresh = {
      ...{ holders: new Set<string>(), waiters: new Map<string, () => void>() },
      ...{ isFailing: false, durationMs: durationAtFirstMs, busyUntilMs: 0, spread: 0 },
    }
    endpoints.set(key, fresh)
    return fresh
  }
  const slotsOf = (endpoint: Endpoint) => (endpoint.isFailing ? slotsWhileFailing : slotsMax)
  const give = (key: string, endpoint: Endpoint, holder: string) => {
    endpoint.holders.add(holder)
    endpointOf.set(holder, key)
  }
  return {
    take: (key, holder, mayWait) => {
      const endpoint = get(key)
      if (endpoint.holders.has(holder)) return undefined
      if (endpoint.holders.size < slotsOf(endpoint)) {
        give(key, endpoint, holder)
        return undefined
      }
      const inFront = endpoint.waiters.size + 1
      const isSoon = (inFront * endpoint.durationMs) / slotsMax <= waitMaxMs
      if (mayWait && isSoon && !endpoint.isFailing && inFront <= waitersMax) return { kind: 'wait' }
      const now = nowMs()
      endpoint.busyUntilMs = Math.max(endpoint.busyUntilMs, now) + endpoint.durationMs / slotsOf(endpoint)
      const turnMs = awayMinMs + endpoint.busyUntilMs - now
      if (turnMs <= awayMaxMs) return { kind: 'go_away', ms: turnMs }
      endpoint.busyUntilMs = now + awayMaxMs
      endpoint.spread = (endpoint.spread + spreadStep) % 1
      return { kind: 'go_away', ms: awayMaxMs * (1 - endpoint.spread / 2) }
    },
    wait: (key, holder) =>
      new Promise((resolve) => {
        const { waiters } = get(key)
        const end = () => {
          clearTimeout(timer)
          waiters.delete(holder)
          resolve()
        }
        const timer = setTimeout(end, waitMaxMs)
        waiters.set(holder, end)
      }),
    release: (holder) => {
      const key = endpointOf.get(holder)
      if (key === undefined) return
      endpointOf.delete(holder)
      const endpoint = get(key)
      endpoint.holders.delete(holder)
      for (const [next, endWaiting] of [...endpoint.waiters]) {
        if (endpoint.holders.size >= slotsOf(endpoint)) break
        give(key, endpoint, next)
        endWaiting()
      }
      // What is known of an idle endpoint that works is not worth the memory.
      const isIdle = endpoint.holders.size === 0 && endpoint.waiters.size === 0
      if (isIdle && !endpoint.isFailing && endpoint.busyUntilMs <= nowMs()) endpoints.delete(key)
    },
    observe: (key, hasSucceeded, durationMs) => {
      const endpoint = get(key)
      // It takes events again: who comes now need not wait behind those who were sent away while it did not.
      if (endpoint.isFailing && hasSucceeded) endpoint.busyUntilMs = 0
      endpoint.isFailing = !hasSucceeded
      endpoint.durationMs += newestWeight * (durationMs - endpoint.durationMs)
    },
  }
}
