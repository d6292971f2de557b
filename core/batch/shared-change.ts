import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'
import type { LaneProcesses, PutOff } from './lane-batcher.ts'
import { decideAll, inRounds, keepAnswers, loadDecideStore, withRetries } from './load-decide-store.ts'
import type { Change, Results, Store } from './load-decide-store.ts'

/** A change whose requests come from several casinos, none of which may wait for another's. */
export type SharedChange<Request, Loaded, Write, Answer> = Change<Request, Loaded, Write, Answer> & {
  storeFree: Store<Write, Answer>
}

/** What a batcher of lanes needs of a change. */
export function processesOf<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
): LaneProcesses<Request, Answer> {
  return {
    processShared: (requests) => loadDecideStoreShared(change, requests),
    processAlone: (requests) => loadDecideStore(change, requests),
    isHeldUp: (result) =>
      'error' in result && result.error instanceof RewardsError && result.error.code === 'storage_contended',
  }
}

/**
 * As `loadDecideStore` for requests of several casinos, as long as none has to wait for another's: what lost a race, or
 * whose rows somebody holds, is set aside. When a statement fails all are held up, as nobody knows for whom it failed.
 */
export async function loadDecideStoreShared<Request, Loaded, Write, Answer>(
  change: SharedChange<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<(Settled<Answer> | PutOff)[]> {
  const results: Results<Answer> = new Map()
  await inRounds(requests, results, async (items) => {
    const writes = new Map<Write, number>()
    try {
      const loaded = await change.load(
        items.map(({ request }) => request),
        true,
      )
      decideAll(change, loaded, items, writes, results)
      if (writes.size === 0) return
      const stored = await withRetries(change.storeFree, [...writes.keys()])
      for (const index of writes.values()) results.set(index, 'set_aside')
      keepAnswers(stored, writes, results)
    } catch (error) {
      const result = classifyFailure(error) === 'unknown' ? { error } : 'held_up'
      const failed = writes.size > 0 ? [...writes.values()] : items.map(({ index }) => index)
      for (const index of failed) results.set(index, result)
    }
  })
  return requests.map((_, index) => results.get(index) ?? 'set_aside')
}
