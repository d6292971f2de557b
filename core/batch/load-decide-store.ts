import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'

/**
 * What `decide` says of one request: the answer is known already, or something must be written for it first, or it depends
 * on whether an earlier write of the batch takes effect: then it is loaded and decided again after this round.
 */
export type Decision<Write, Answer> = { answer: Answer } | { write: Write } | 'next_round'

/**
 * The three steps of every state change. `Loaded` is what the decisions of one batch need; a decision may note in it
 * what it would take (of a stock, for example), so that later requests of the batch see it. Such a note is a plan, because
 * the write may lose a race: nobody may be refused, or given less, because of one. That is what `next_round` is for.
 */
export interface Change<Request, Loaded, Write, Answer> {
  load: (requests: readonly Request[]) => Promise<Loaded>
  /** Pure. Throws a RewardsError to refuse the request. */
  decide: (request: Request, loaded: Loaded) => Decision<Write, Answer>
  /**
   * One guarded statement for all writes. Gives the answer of each write that took effect, in any order; a write that is
   * not answered has lost a race and took no effect at all.
   */
  store: (writes: readonly Write[]) => Promise<ReadonlyMap<Write, Answer>>
}

/** Somebody wins every round; between two who take turns at random, this many lost in a row do not happen by chance. */
const roundsMax = 20
const transientAttemptsMax = 5
const lockedInARowMax = 4

/**
 * Carries out a change for many requests: load, decide, store; who lost a race or waits for one is loaded and decided again. One result
 * for each request, in order; a refused or failed request does not fail its neighbours.
 */
export async function loadDecideStore<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<Settled<Answer>[]> {
  const results = new Map<number, Settled<Answer>>()
  let pending = requests.map((_, index) => index)
  for (let round = 0; round < roundsMax && pending.length > 0; round++) {
    await runRound(change, requests, pending, results)
    pending = pending.filter((index) => !results.has(index))
  }
  return requests.map((_, index) => results.get(index) ?? { error: new RewardsError('storage_contended') })
}

async function runRound<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
  pending: readonly number[],
  results: Map<number, Settled<Answer>>,
): Promise<void> {
  const loading = pending.flatMap((index) => {
    const request = requests[index]
    return request === undefined ? [] : [{ index, request }]
  })
  const writes = new Map<Write, number>()
  for (const { loaded, group } of await loadGroups(change, loading, results)) {
    for (const { index, request } of group) {
      try {
        const decision = change.decide(request, loaded)
        if (decision === 'next_round') continue
        if ('answer' in decision) results.set(index, { value: decision.answer })
        else writes.set(decision.write, index)
      } catch (error) {
        results.set(index, { error })
      }
    }
  }
  await storeAll(change, writes, results)
}

/** All at once; one by one when the database refuses a value, so that nobody fails for a neighbour. */
async function loadGroups<Item extends { index: number; request: Request }, Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  items: readonly Item[],
  results: Map<number, Settled<Answer>>,
): Promise<{ loaded: Loaded; group: readonly Item[] }[]> {
  try {
    return [{ loaded: await change.load(items.map((item) => item.request)), group: items }]
  } catch (error) {
    if (classifyFailure(error) !== 'bad_data' || items.length === 1) {
      for (const item of items) results.set(item.index, { error })
      return []
    }
    const groups = []
    for (const item of items) groups.push(...(await loadGroups(change, [item], results)))
    return groups
  }
}

async function storeAll<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Map<number, Settled<Answer>>,
): Promise<void> {
  if (writes.size === 0) return
  try {
    const stored = await storeWithRetries(change, [...writes.keys()])
    for (const [write, answer] of stored) {
      const index = writes.get(write)
      if (index !== undefined) results.set(index, { value: answer })
    }
  } catch (error) {
    const kind = classifyFailure(error)
    if (writes.size > 1 && (kind === 'bad_data' || kind === 'locked')) {
      await storeOneByOne(change, writes, results)
    } else {
      const reason =
        kind === 'locked' ? new RewardsError('storage_contended', 'a row is locked', { cause: error }) : error
      for (const index of writes.values()) results.set(index, { error: reason })
    }
  }
}

/** So that nobody fails for a neighbour. When several in a row are locked, everything is (a migration, say). */
async function storeOneByOne<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Map<number, Settled<Answer>>,
): Promise<void> {
  let lockedInARow = 0
  for (const [write, index] of writes) {
    if (lockedInARow >= lockedInARowMax) {
      results.set(index, { error: new RewardsError('storage_contended', 'everything is locked') })
      continue
    }
    await storeAll(change, new Map([[write, index]]), results)
    const result = results.get(index)
    const isLocked =
      result !== undefined && 'error' in result && classifyFailure(causeOf(result.error)) === 'locked'
    lockedInARow = isLocked ? lockedInARow + 1 : 0
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof RewardsError ? error.cause : error
}

/** A statement that certainly took no effect (a deadlock, say) is tried again at once. */
async function storeWithRetries<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  writes: readonly Write[],
): Promise<ReadonlyMap<Write, Answer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change.store(writes)
    } catch (error) {
      if (classifyFailure(error) !== 'transient' || attempt === transientAttemptsMax) throw error
    }
  }
}
