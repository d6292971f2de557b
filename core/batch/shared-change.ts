import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'
import type { LaneProcesses, PutOff } from './lane-batcher.ts'
import { decideAll, inRounds, keepAnswers, loadDecideStore, withRetries } from './load-decide-store.ts'
import type { Change, Extent, Item, Results, Store } from './load-decide-store.ts'

/** A change whose requests come from several casinos, which must not wait for each other. */
export type SharedChange<Request, Loaded, Write, Answer> = Change<Request, Loaded, Write, Answer> & {
  storeFree: Store<Write, Answer>
  /** In a shared batch: like `storeFree`, except for contended rows with short locks. By default `storeFree`. */
  storeShared?: Store<Write, Answer>
  /**
   * In a shared batch, instead of all three steps: one statement that stores the requests which are plainly allowed, without
   * waiting for locked rows, and loads the others. Returns the answers of those that it has stored.
   */
  storeOrLoad?: (
    requests: readonly Request[],
  ) => Promise<{ stored: ReadonlyMap<Request, Answer>; loaded: Loaded }>
}

const sharedBatch = { extent: 'shared', racesMax: 1, lost: 'set_aside' } as const

/** In a batch of one casino: after this many lost races, it is better to wait for the row. */
const racesMax = 3

/** The functions of a change that a lane batcher needs. */
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
 * Like `loadDecideStore` for requests of several casinos, without waiting: requests that lost a race, or whose rows are
 * locked, are set aside. If a statement fails, all are held up, because the cause is not known.
 */
export function loadDecideStoreShared<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const { storeOrLoad } = change
  if (storeOrLoad !== undefined) return storeOrDecide({ ...change, storeOrLoad }, requests)
  const store = change.storeShared ?? change.storeFree
  return storeWithoutWaiting({ ...change, store }, requests, sharedBatch)
}

/**
 * Like `loadDecideStore` for requests of one casino, without waiting for locked rows: their requests are held up. A
 * locked row looks like a lost race, so requests that lost a few are held up too.
 */
export function loadDecideStoreFree<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const store = change.storeFree
  return storeWithoutWaiting({ ...change, store }, requests, { extent: 'turn', racesMax, lost: 'held_up' })
}

/**
 * Decides only what one statement has not stored. What is allowed even so lost a race, or its row is locked: it is set
 * aside. If the statement had no effect, all are loaded and decided, and only those that it would have stored are held up.
 */
async function storeOrDecide<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer> &
    Required<Pick<SharedChange<Request, Loaded, Write, Answer>, 'storeOrLoad'>>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const results: Results<Answer> = new Map()
  const left: Item<Request>[] = []
  try {
    const { stored, loaded } = await withRetries(change.storeOrLoad, requests)
    for (const [index, request] of requests.entries()) {
      const value = stored.get(request)
      if (value === undefined) left.push({ index, request })
      else results.set(index, { value })
    }
    decideAll(change, loaded, left, new Map(), results)
  } catch (error) {
    // It may have stored some: a decision could refuse what they have just been given.
    if (!(error instanceof Error) || classifyFailure(error) === 'unknown') {
      return requests.map(() => ({ error }))
    }
    const store = () => Promise.reject(error)
    return storeWithoutWaiting({ ...change, store }, requests, sharedBatch)
  }
  return requests.map((_, index) => results.get(index) ?? 'set_aside')
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
