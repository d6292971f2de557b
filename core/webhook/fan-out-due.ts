import { endpointKeyOf } from './delivery.ts'
import type { EndpointName } from './endpoints.ts'
import type { FannedOut, FanOutScope } from './fan-out.ts'

/**
 * All endpoints are examined this often, or each time that a resting loop runs (worker/loops.ts): those that were
 * enabled, events of long transactions, and the remainder of a bounded run. In between, only casinos with new events
 * are, so that an idle process costs the same with ten thousand endpoints as with one.
 */
const lookAtAllMs = 2_000
/** A full endpoint is skipped for this long at first, and twice as long each time it is still full. */
const fullMinMs = 1_000
const fullMaxMs = 16_000

interface Deps {
  nowMs: () => number
  fanOut: (scope: FanOutScope) => Promise<FannedOut>
  findLastEvent: () => Promise<bigint>
  findNewEvents: (afterId: bigint) => Promise<{ casinoIds: string[] | 'all' }>
}

/** Fans events out where it is due. Returns undefined if nothing was examined. */
export function createFanOutDue({
  nowMs,
  fanOut,
  findLastEvent,
  findNewEvents,
}: Deps): () => Promise<FannedOut | undefined> {
  const full = new Map<string, { name: EndpointName; untilMs: number; pauseMs: number }>()
  let lookAtAllAtMs = -Infinity
  let lastEvent = 0n
  let afterCasinoId = ''

  const noteFull = (found: readonly EndpointName[], looked: FanOutScope) => {
    const now = nowMs()
    if (looked.casinoIds === 'all') {
      const unchanged = new Set([...found, ...looked.without].map(endpointKeyOf))
      for (const key of full.keys()) if (!unchanged.has(key)) full.delete(key) // has room again
    }
    for (const name of found) {
      const known = full.get(endpointKeyOf(name))
      const pauseMs = known === undefined ? fullMinMs : Math.min(known.pauseMs * 2, fullMaxMs)
      full.set(endpointKeyOf(name), { name, untilMs: now + pauseMs, pauseMs })
    }
  }

  return async () => {
    const now = nowMs()
    let casinoIds: FanOutScope['casinoIds'] = 'all'
    if (now < lookAtAllAtMs) {
      ;({ casinoIds } = await findNewEvents(lastEvent))
      if (casinoIds.length === 0) return undefined
    } else {
      // Before the run, so that events that come during it are new to the next one.
      lastEvent = await findLastEvent()
    }
    const without = [...full.values()].filter(({ untilMs }) => untilMs > now).map(({ name }) => name)
    const scope = { casinoIds, without, afterCasinoId }
    const done = await fanOut(scope)
    afterCasinoId = done.lastCasinoId
    noteFull(done.full, scope)
    // The remainder of this run continues immediately.
    lookAtAllAtMs =
      done.eventCount > 0 && casinoIds === 'all'
        ? -Infinity
        : Math.max(lookAtAllAtMs, now + (casinoIds === 'all' ? lookAtAllMs : 0))
    return done
  }
}
