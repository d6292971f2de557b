import { endpointKeyOf } from './delivery.ts'
import type { EndpointName } from './endpoints.ts'
import type { FannedOut, FanOutScope } from './fan-out.ts'

/**
 * Everything is looked at this often: endpoints that were switched on, events whose transactions took long, and what was
 * too much for one look. In between only casinos with new events are, so an idle process costs as much with ten thousand
 * endpoints as with one.
 */
const lookAtAllMs = 2_000
/** An endpoint without room is left alone for so long at first, and twice as long each time that it still has none. */
const fullMinMs = 1_000
const fullMaxMs = 16_000

interface Deps {
  nowMs: () => number
  fanOut: (scope: FanOutScope) => Promise<FannedOut>
  findLastEvent: () => Promise<bigint>
  findNewEvents: (afterId: bigint) => Promise<{ casinoIds: string[] | 'all' }>
}

/** Fans events out where something is due. Gives undefined when nothing was looked at. */
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
      // Before the look, so that what comes during it is new to the next one.
      lastEvent = await findLastEvent()
    }
    const without = [...full.values()].filter(({ untilMs }) => untilMs > now).map(({ name }) => name)
    const scope = { casinoIds, without, afterCasinoId }
    const done = await fanOut(scope)
    afterCasinoId = done.lastCasinoId
    noteFull(done.full, scope)
    // What was too much for this look goes on at once.
    lookAtAllAtMs =
      done.eventCount > 0 && casinoIds === 'all'
        ? -Infinity
        : Math.max(lookAtAllAtMs, now + (casinoIds === 'all' ? lookAtAllMs : 0))
    return done
  }
}
