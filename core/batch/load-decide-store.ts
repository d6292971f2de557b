import { isOwnError, RewardsError } from '../errors.ts'
import { monotonicMs } from '../platform/clock.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Settled } from './batcher.ts'
import type { PutOff } from './lane-batcher.ts'

/**
 * The result of `decide` for one request: an answer, a write, or `next_round` if it depends on whether an earlier write
 * of the batch succeeds: then it is loaded and decided again after this round. In a shared batch it may be set aside,
 * if its data was not loaded.
 */
export type Decision<Write, Answer> = { answer: Answer } | { write: Write } | 'next_round' | 'set_aside'

/**
 * How much slow data a batch may load: `shared` none, a `turn` one statement's worth, `all` everything. Requests
 * without their data are set aside.
 */
export type Extent = 'shared' | 'turn' | 'all'

/**
 * The three steps of every state change. `Loaded` has everything that a batch's decisions need, also the time, random
 * numbers and new ids.
 */
export interface Change<Request, Loaded, Write, Answer> {
  load: (requests: readonly Request[], extent: Extent) => Promise<Loaded>
  /** Pure: it reads no clock, makes no ids and changes nothing. Throws a RewardsError to refuse the request. */
  decide: (request: Request, loaded: Loaded) => Decision<Write, Answer>
  /**
   * Notes in `loaded` what a decided write would take (of a stock, for example), for the later decisions of the batch.
   * This is only a plan, because the write may lose a race: it must not cause a refusal or a smaller result.
   * `next_round` is for that.
   */
  plan?: (write: Write, loaded: Loaded) => void
  /**
   * One guarded statement for all writes. Returns the answer of each write that took effect, in any order; a write
   * without an answer lost a race and had no effect.
   */
  store: Store<Write, Answer>
  /** The same without waiting for locked rows: their writes have no effect, as if they had lost a race. */
  storeFree?: Store<Write, Answer>
}

/** Returns the answers of the writes that took effect. A RewardsError without a cause says that nothing was sent. */
export type Store<Write, Answer> = (writes: readonly Write[]) => Promise<ReadonlyMap<Write, Answer>>

/**
 * One writer wins every round, and is answered before the others. If its caller asks again immediately, it is ahead in the
 * next one too: three losses of four were followed by one more. This many do not happen by chance.
 */
const roundsMax = 200
/** After so many rounds the time counts too, as the others of the batch wait. Fewer may span a pause of the process. */
const timeLimit = { afterRounds: 20, ms: 5_000 }
const transientAttemptsMax = 5
const lockedInARowMax = 4

/**
 * Carries out a change for many requests: load, decide, store. Requests that lost a race or wait for one are loaded and
 * decided again. One result per request, in order; a refused or failed request does not fail the others.
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

/** The results of a batch's requests so far, by place. */
export type Results<Answer> = Map<number, Settled<Answer> | PutOff>

function isSettled<Answer>(result: Settled<Answer> | PutOff | undefined): result is Settled<Answer> {
  return typeof result === 'object'
}

/** A request with its place in the batch. */
export interface Item<Request> {
  index: number
  request: Request
}

/** Until each request has a result, up to a limit of rounds and of time. */
export async function inRounds<Request>(
  requests: readonly Request[],
  results: ReadonlyMap<number, unknown>,
  runRound: (items: readonly Item<Request>[]) => Promise<void>,
): Promise<void> {
  let items = requests.map((request, index) => ({ index, request }))
  const endMs = monotonicMs() + timeLimit.ms
  for (let round = 0; round < roundsMax && items.length > 0; round++) {
    if (round >= timeLimit.afterRounds && monotonicMs() > endMs) return
    await runRound(items)
    items = items.filter(({ index }) => !results.has(index))
  }
}

/** Adds the writes, and the answers that are known already. */
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
      else {
        writes.set(decision.write, index)
        change.plan?.(decision.write, loaded)
      }
    } catch (error) {
      results.set(index, { error })
    }
  }
}

/** All together, or one by one if the database refuses a value, so that one request does not fail the others. */
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
    const isOfOne = kind === 'bad_data' || kind === 'locked' || isOwnError(error)
    if (writes.size > 1 && isOfOne) await storeOneByOne(change, writes, results)
    else {
      const reason = kind === 'locked' ? lockedError(error) : error
      for (const index of writes.values()) results.set(index, { error: reason })
    }
  }
}

/**
 * Does not wait any longer: these requests have waited the maximum time. False if the change cannot skip locked rows,
 * or the locked row is not one that it skips.
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

/** Writes with an answer took effect. */
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

/**
 * One request does not fail the others. If several in a row are locked, everything is (by a migration, for example).
 */
async function storeOneByOne<Request, Loaded, Write, Answer>(
  change: Change<Request, Loaded, Write, Answer>,
  writes: ReadonlyMap<Write, number>,
  results: Results<Answer>,
): Promise<void> {
  let lockedInARow = 0
  for (const [write, index] of writes) {
    if (lockedInARow >= lockedInARowMax) {
      results.set(index, { error: new RewardsError('storage_contended', 'too many rows are locked') })
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

/** A statement that certainly had no effect (a deadlock, for example) is retried immediately. */
export async function withRetries<Input, Output>(
  store: (inputs: readonly Input[]) => Promise<Output>,
  inputs: readonly Input[],
): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store(inputs)
    } catch (error) {
      if (classifyFailure(error) !== 'transient' || attempt === transientAttemptsMax) throw error
    }
  }
}
