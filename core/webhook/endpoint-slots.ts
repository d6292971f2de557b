/**
 * How many calls of each endpoint this process may have under way. Without a bound, one receiver that hangs would soon
 * hold every job that the process can run, and nobody else's events would go out.
 */
export interface EndpointSlots {
  /**
   * A slot for the holder, until it gives it back: undefined when it has one now (taking it twice is harmless), otherwise
   * for how many milliseconds to go away.
   */
  take(endpoint: string, holder: string): number | undefined
  /** Gives back whatever the holder has. */
  release(holder: string): void
  /** Told how long each call took, and whether it got through. */
  observe(endpoint: string, hasSucceeded: boolean, durationMs: number): void
}

/** Enough for a receiver that answers at once; a process has room for many such endpoints. */
const slotsMax = 8
/** What fails gets one call at a time until one succeeds: then it costs the process hardly anything. */
const slotsWhileFailing = 1
/** Those who are sent away come back in turn, as fast as the receiver takes events; within these bounds. */
const awayMinMs = 500
const awayMaxMs = 5 * 60_000
/** How much the newest call says about how long the next will take. */
const newestWeight = 0.2
/** A new endpoint is taken to be quick; it soon shows. */
const durationAtFirstMs = 50

interface Endpoint {
  holders: Set<string>
  isFailing: boolean
  durationMs: number
  /** When those who were sent away so far will have had their turn. */
  busyUntilMs: number
}

export function createEndpointSlots({ nowMs }: { nowMs: () => number }): EndpointSlots {
  const endpoints = new Map<string, Endpoint>()
  const endpointOf = new Map<string, string>()

  const get = (key: string): Endpoint => {
    const known = endpoints.get(key)
    if (known !== undefined) return known
    const fresh = {
      holders: new Set<string>(),
      isFailing: false,
      durationMs: durationAtFirstMs,
      busyUntilMs: 0,
    }
    endpoints.set(key, fresh)
    return fresh
  }
  return {
    take: (key, holder) => {
      const endpoint = get(key)
      const slots = endpoint.isFailing ? slotsWhileFailing : slotsMax
      if (!endpoint.holders.has(holder) && endpoint.holders.size >= slots) {
        const now = nowMs()
        endpoint.busyUntilMs = Math.max(endpoint.busyUntilMs, now) + endpoint.durationMs / slots
        return Math.min(Math.max(endpoint.busyUntilMs - now, awayMinMs), awayMaxMs)
      }
      endpoint.holders.add(holder)
      endpointOf.set(holder, key)
      return undefined
    },
    release: (holder) => {
      const key = endpointOf.get(holder)
      if (key === undefined) return
      endpointOf.delete(holder)
      const endpoint = get(key)
      endpoint.holders.delete(holder)
      // What is known of an idle endpoint that works is not worth the memory.
      if (endpoint.holders.size === 0 && !endpoint.isFailing && endpoint.busyUntilMs <= nowMs())
        endpoints.delete(key)
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
