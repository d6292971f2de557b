import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'
import type { LaneProcesses, PutOff } from './lane-batcher.ts'
import { decideAll, inRounds, keepAnswers, loadDecideStore, withRetries } from './load-decide-store.ts'
import type { Change, Extent, Results, Store } from './load-decide-store.ts'

/** A change whose requests come from several casinos, none of which may wait for another's. */
export type SharedChange<Request, Loaded, Write, Answer> = Change<Request, Loaded, Write, Answer> & {
  storeFree: Store<Write, Answer>
  /** In a shared batch: as `storeFree`, but for rows that many need and nobody holds for long. By default `storeFree`. */
  storeShared?: Store<Write, Answer>
}

/** In a batch of one casino: who has lost so many races rather waits for the row. */
const racesMax = 3

/** What a batcher of lanes needs of a change. */
export function processesOf<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
): LaneProcesses<Request, Answer> {
  return {
    processShared: (requests) => loadDecideStoreShared(change, requests),
    processAlone: (requests) => loadDecideStoreFree(change, requests),
    processWaiting: (requests) => loadDecideStore(change, requests),
    isHeldUp: (result) =>
      'error' in result && result.error instanceof RewardsError && result.error.code === 'storage_contended',
  }
}

/**
 * As `loadDecideStore` for requests of several casinos, as long as none has to wait for another's: what lost a race, or
 * whose rows somebody holds, is set aside. When a statement fails all are held up, as nobody knows for whom it failed.
 */
export function loadDecideStoreShared<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const store = change.storeShared ?? change.storeFree
  return storeWithoutWaiting({ ...change, store }, requests, {
    extent: 'shared',
    racesMax: 1,
    lost: 'set_aside',
  })
}

/**
 * As `loadDecideStore` for requests of one casino, as long as none has to wait for a row that somebody holds: those are
 * held up. A row that is held looks like a lost race, so those who lose a few are held up too.
 */
export function loadDecideStoreFree<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const store = change.storeFree
  return storeWithoutWaiting({ ...change, store }, requests, { extent: 'turn', racesMax, lost: 'held_up' })
}

async function storeWithoutWaiting<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
  { extent, racesMax, lost }: { extent: Extent; racesMax: number; lost: PutOff },
): Promise<(Settled<Answer> | PutOff)[]> {
  const results: Results<Answer> = new Map()
  let races = 0
  await inRounds(requests, results, async (items) => {
    const writes = new Map<Write, number>()
    try {
      const loaded = await change.load(
        items.map(({ request }) => request),
        extent,
      )
      decideAll(change, loaded, items, writes, results)
      if (writes.size === 0) return
      const stored = await withRetries(change.store, [...writes.keys()])
      const isLastRace = stored.size < writes.size && ++races === racesMax
      if (isLastRace) for (const index of writes.values()) results.set(index, lost)
      keepAnswers(stored, writes, results)
    } catch (error) {
      const result = classifyFailure(error) === 'unknown' ? { error } : 'held_up'
      const failed = writes.size > 0 ? [...writes.values()] : items.map(({ index }) => index)
      for (const index of failed) results.set(index, result)
    }
  })
  return requests.map((_, index) => results.get(index) ?? lost)
}
