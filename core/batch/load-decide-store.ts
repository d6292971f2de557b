import { RewardsError } from '../errors.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'
import type { PutOff } from './lane-batcher.ts'

/**
 * What `decide` says of one request: the answer is known already, or something must be written for it first, or it depends
 * on whether an earlier write of the batch takes effect: then it is loaded and decided again after this round. In a shared
 * batch it may be set aside, where what it needs was not loaded.
 */
export type Decision<Write, Answer> = { answer: Answer } | { write: Write } | 'next_round' | 'set_aside'

/**
 * How much a batch may load of what takes long: `shared` nothing of it, a `turn` as much as one statement reads, `all` of
 * it. What is left out is for the decision to set aside.
 */
export type Extent = 'shared' | 'turn' | 'all'

/**
 * The three steps of every state change. `Loaded` is what the decisions of one batch need; a decision may note in it
 * what it would take (of a stock, for example), so that later requests of the batch see it. Such a note is a plan, because
 * the write may lose a race: nobody may be refused, or given less, because of one. That is what `next_round` is for.
 */
export interface Change<Request, Loaded, Write, Answer> {
  load: (requests: readonly Request[], extent: Extent) => Promise<Loaded>
  /** Pure. Throws a RewardsError to refuse the request. */
  decide: (request: Request, loaded: Loaded) => Decision<Write, Answer>
  /**
   * One guarded statement for all writes. Gives the answer of each write that took effect, in any order; a write that is
   * not answered has lost a race and took no effect at all.
   */
  store: Store<Write, Answer>
  /** The same, without waiting for rows that somebody holds: their writes take no effect, as if they had lost a race. */
  storeFree?: Store<Write, Answer>
}

/** Gives the answers of the writes that have taken effect. */
export type Store<Write, Answer> = (writes: readonly Write[]) => Promise<ReadonlyMap<Write, Answer>>

/** Somebody wins every round; between two who take turns at random, this many lost in a row do not happen by chance. */
const roundsMax = 20
const transientAttemptsMax = 5
const lockedInARowMax = 4

/**
 * Carries out a change for many requests: load, decide, store; who lost a race or waits for one is loaded and decided
 * again. One result for each request, in order; a refused or failed request does not fail its neighbours.
 */
export async function loadDecideStore<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  requests: readonly Request[],
): Promise<Settled<Answer>[]> {
  const results: Results<Answer> = new Map()
  await inRounds(requests, results, async (items) => {
    const writes = new Map<Write, number>()
    for (const { loaded, group } of await loadGroups(change, items, results)) {
      decideAll(change, loaded, group, writes, results)
    }
    await storeAll(change, writes, results)
  })
  return requests.map((_, index) => {
    const result = results.get(index)
    return isSettled(result) ? result : { error: new RewardsError('storage_contended') }
  })
}

/** What became of the requests of a batch so far, by their places. */
export type Results<Answer> = Map<number, Settled<Answer> | PutOff>

function isSettled<Answer>(result: Settled<Answer> | PutOff | undefined): result is Settled<Answer> {
  return typeof result === 'object'
}

/** A request with its place in the batch. */
export interface Item<Request> {
  index: number
  request: Request
}

/** Until each request has its result, or for so many rounds. */
export async function inRounds<Request>(
  requests: readonly Request[],
  results: ReadonlyMap<number, unknown>,
  runRound: (items: readonly Item<Request>[]) => Promise<void>,
): Promise<void> {
  let items = requests.map((request, index) => ({ index, request }))
  for (let round = 0; round < roundsMax && items.length > 0; round++) {
    await runRound(items)
    items = items.filter(({ index }) => !results.has(index))
  }
}

/** Adds what is to be written, and what is known already. */
export function decideAll<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  loaded: Loaded,
  items: readonly Item<Request>[],
  writes: Map<Write, number>,
  results: Results<Answer>,
): void {
  for (const { index, request } of items) {
    try {
      const decision = change.decide(request, loaded)
      if (decision === 'next_round') continue
      if (decision === 'set_aside') results.set(index, decision)
      else if ('answer' in decision) results.set(index, { value: decision.answer })
      else writes.set(decision.write, index)
    } catch (error) {
      results.set(index, { error })
    }
  }
}

/** All at once; one by one when the database refuses a value, so that nobody fails for a neighbour. */
async function loadGroups<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  items: readonly Item<Request>[],
  results: Results<Answer>,
): Promise<{ loaded: Loaded; group: readonly Item<Request>[] }[]> {
  try {
    const loaded = await change.load(
      items.map((item) => item.request),
      'all',
    )
    return [{ loaded, group: items }]
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
  results: Results<Answer>,
): Promise<void> {
  if (writes.size === 0) return
  try {
    keepAnswers(await withRetries(change.store, [...writes.keys()]), writes, results)
  } catch (error) {
    const kind = classifyFailure(error)
    if (writes.size > 1 && kind === 'locked' && (await storeThoseFree(change, writes, results))) return
    if (writes.size > 1 && (kind === 'bad_data' || kind === 'locked')) {
      await storeOneByOne(change, writes, results)
    } else {
      const reason = kind === 'locked' ? lockedError(error) : error
      for (const index of writes.values()) results.set(index, { error: reason })
    }
  }
}

/**
 * Without waiting any more: who is not stored now has waited for as long as anybody may. False where the change cannot
 * pass over rows that are held, or what is held is none that it passes over.
 */
async function storeThoseFree<Request, Loaded, Write, Answer>(
  { storeFree }: Change<Request, Loaded, Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Results<Answer>,
): Promise<boolean> {
  if (storeFree === undefined) return false
  try {
    const stored = await withRetries(storeFree, [...writes.keys()])
    for (const index of writes.values()) results.set(index, { error: lockedError() })
    keepAnswers(stored, writes, results)
    return true
  } catch (error) {
    if (classifyFailure(error) !== 'unknown') return false
    for (const index of writes.values()) results.set(index, { error })
    return true
  }
}

/** Those that have an answer have taken effect. */
export function keepAnswers<Write, Answer>(
  stored: ReadonlyMap<Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Results<Answer>,
): void {
  for (const [write, answer] of stored) {
    const index = writes.get(write)
    if (index !== undefined) results.set(index, { value: answer })
  }
}

function lockedError(cause?: unknown): RewardsError {
  return new RewardsError('storage_contended', 'a row is locked', { cause })
}

/** So that nobody fails for a neighbour. When several in a row are locked, everything is (a migration, say). */
async function storeOneByOne<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Results<Answer>,
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
      isSettled(result) && 'error' in result && classifyFailure(causeOf(result.error)) === 'locked'
    lockedInARow = isLocked ? lockedInARow + 1 : 0
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof RewardsError ? error.cause : error
}

/** A statement that certainly took no effect (a deadlock, say) is tried again at once. */
export async function withRetries<Write, Answer>(
  store: Store<Write, Answer>,
  writes: readonly Write[],
): Promise<ReadonlyMap<Write, Answer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store(writes)
    } catch (error) {
      if (classifyFailure(error) !== 'transient' || attempt === transientAttemptsMax) throw error
    }
  }
}
