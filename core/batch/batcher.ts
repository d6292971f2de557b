import { RewardsError } from '../errors.ts'
import { monotonicMs } from '../platform/clock.ts'
import { carrySpan, inSharedSpan } from '../trace/carried-span.ts'
import type { Span } from '../trace/tracer.ts'
import { createFlights } from './flights.ts'
import { inTurns } from './in-turns.ts'
import { createReturningCallers } from './returning-callers.ts'
import { wantedSize } from './wanted-size.ts'

/** One result of a batch: a value or an error. */
export type Settled<Value> = { value: Value } | { error: unknown }

/** The result comes after the end of the batch: another one works on it. */
export interface Later<Value> {
  later: Promise<Value>
}

export interface Batcher<Input, Output> {
  /** Adds the input to the next batch; rejects with `overloaded` if too many are waiting. */
  run(input: Input): Promise<Output>
  /** The number of inputs that wait or are in a batch. */
  depth(): number
  /** Whether the next input would be refused: in this lane, or in an empty one. */
  isFull(lane?: string): boolean
  /** How many more inputs of this lane are of use: more than these would only wait, and make no batch cheaper. */
  room(lane?: string): number
}

export interface BatcherOptions<Input, Output> {
  /** Of its spans, `batch <name>`; without it, its batches have none. */
  name?: string
  /** Processes all inputs together; one result for each, in the same order. If it throws, all fail. */
  process: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | Later<Output>)[]>
  /** Inputs with the same key are never processed at the same time. */
  exclusiveKeyOf: (input: Input) => string
  /** The input's lane. Lanes share batches and backlog fairly; by default all inputs are in one lane. */
  laneOf?: (input: Input) => string
  /** Called with the size of each batch. */
  onBatch?: (size: number) => void
  batchSizeMax?: number
  /** Without the one that passes them. */
  inFlightMax?: number
  /** The number of waiting inputs that start a batch while another is in flight; and of a batch that others may pass. */
  worthwhileSize?: number
  /** The maximum backlog of one lane while the others are empty. */
  backlogMax?: number
  /** Whether answered callers usually call again: then batches also form from those that are about to. */
  doCallersReturn?: boolean
  /** Monotonic; says how long answered callers are expected. */
  nowMs?: () => number
}

/** One statement's limit; more would make it longer without making a request cheaper. */
const defaultBatchSizeMax = 256
/** While the database processes one batch, this process prepares the other. */
const defaultInFlightMax = 2
/**
 * A statement costs about as much as ten rows. Fewer inputs than this wait a few milliseconds for the batch in flight,
 * and for others to join.
 */
const defaultWorthwhileSize = 16
/** Answered callers are expected for at most this part of the time that their batch took. */
const expectedPart = 0.5
/** At several thousand requests a second this is less than half a second of waiting; beyond it, refusing is better. */
const defaultBacklogMax = 1_024
/** As many as two batches of a busy process have. Each that waits is also memory that the collector copies. */
const usefulMax = 64

interface Waiting<Input, Output> {
  input: Input
  key: string
  lane: string
  span: Span | undefined
  resolve: (output: Output | Promise<Output>) => void
  reject: (error: unknown) => void
}

/**
 * Turns concurrent calls into batches: calls that arrive while batches are in flight form the next one.
 * Under low load a batch is one call.
 *
 * Most callers of a busy service call again right after their answer. If the first of them to return made a batch of its own,
 * all others would wait for that one. With `doCallersReturn`, those that are about to return count too (returning-callers.ts,
 * wanted-size.ts).
 *
 * Lanes (one per casino, for example) share batches, so that many lanes with one call each cost as little as one with
 * many. A batch takes from each lane in turn, and a lane's backlog may use the space that the others leave free.
 * However many calls one lane makes, the next call of another is accepted and joins the next batch. If one lane fills a
 * batch in flight, the others need not wait for its end: their calls start one beside it. `createLaneBatcher` also keeps
 * lanes from waiting for each other's locks and large data.
 */
export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const {
    batchSizeMax = defaultBatchSizeMax,
    inFlightMax = defaultInFlightMax,
    worthwhileSize = defaultWorthwhileSize,
    backlogMax = defaultBacklogMax,
    doCallersReturn = false,
    nowMs = monotonicMs,
    laneOf = () => '',
  } = options
  let waiting: Waiting<Input, Output>[] = []
  const waitingOf = new Map<string, number>()
  const busyKeys = new Set<string>()
  const flights = createFlights({ usualMax: inFlightMax, worthwhileSize })
  let isScheduled = false
  const returning = doCallersReturn ? createReturningCallers(schedule, nowMs) : undefined

  /** At the end of this turn of the event loop, so that what arrived in it is in one batch. */
  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }

  function start(): void {
    const expected = returning?.count() ?? 0
    const isBypass = !isTimeForBatch(expected)
    if (isBypass && !isTimeForBypass()) {
      // The end of a batch schedules the next one, and so does the silence of callers that do not return.
      if (expected > 0 && waiting.length > 0 && flights.hasUsualSlot()) returning?.watch()
      return
    }
    const batch = takeBatch(isBypass ? (lane) => !flights.isFilling(lane) : () => true)
    if (batch.length === 0) return
    void runBatch(batch, isBypass)
    schedule()
  }

  function isTimeForBatch(expected: number): boolean {
    if (waiting.length === 0 || !flights.hasUsualSlot()) return false
    if (returning === undefined) return flights.isEmpty() || waiting.length >= worthwhileSize
    const inFlight = flights.count()
    const isEnough = (count: number) =>
      count >= wantedSize({ waiting: count, inFlight, returning: expected }, { worthwhileSize, batchSizeMax })
    // With fewer than wait it would not be enough either.
    return isEnough(waiting.length) && isEnough(countStartable())
  }

  /** The number of waiting inputs that may be in one batch now. */
  function countStartable(): number {
    return new Set(waiting.flatMap(({ key }) => (busyKeys.has(key) ? [] : [key]))).size
  }

  /** Whether this input completes a batch beside others, which need not wait for the rest of this turn. */
  function completesBatch(): boolean {
    if (returning === undefined || waiting.length < worthwhileSize) return false
    const expected = returning.count()
    return (expected > 0 || !flights.isEmpty()) && isTimeForBatch(expected)
  }

  /** One at a time, beside the usual batches. */
  function isTimeForBypass(): boolean {
    if (flights.hasBypass() || !flights.isAnyFilled()) return false
    return [...waitingOf.keys()].some((lane) => !flights.isFilling(lane))
  }

  function takeBatch(isWanted: (lane: string) => boolean): Waiting<Input, Output>[] {
    const batch = new Set<Waiting<Input, Output>>()
    for (const item of inTurns(
      waiting.filter(({ key, lane }) => !busyKeys.has(key) && isWanted(lane)),
      ({ lane }) => lane,
    )) {
      if (batch.size === batchSizeMax) break
      if (busyKeys.has(item.key)) continue // its first one is in this batch
      busyKeys.add(item.key)
      batch.add(item)
      waitingOf.set(item.lane, (waitingOf.get(item.lane) ?? 0) - 1)
      if (waitingOf.get(item.lane) === 0) waitingOf.delete(item.lane)
    }
    waiting = waiting.filter((item) => !batch.has(item))
    return [...batch]
  }

  async function runBatch(batch: readonly Waiting<Input, Output>[], isBypass: boolean): Promise<void> {
    const flight = flights.begin(
      batch.map(({ lane }) => lane),
      isBypass,
    )
    const startedMs = nowMs()
    let answered = batch.length
    options.onBatch?.(batch.length)
    try {
      const inputs = batch.map((item) => item.input)
      const spans = batch.map((item) => item.span)
      const results = await inSharedSpan(options.name, spans, () => options.process(inputs))
      batch.forEach((item, index) => {
        const result = results[index] ?? { error: new RewardsError('internal', 'a batch lost a result') }
        if ('later' in result) answered--
        settle(item, result)
      })
    } catch (error) {
      for (const item of batch) settle(item, { error })
    } finally {
      flights.end(flight)
      returning?.expect(answered, expectedPart * (nowMs() - startedMs))
      schedule()
    }
  }

  function settle(item: Waiting<Input, Output>, result: Settled<Output> | Later<Output>): void {
    if ('later' in result) {
      item.resolve(result.later)
      const free = () => {
        busyKeys.delete(item.key)
        schedule()
      }
      result.later.then(free, free)
      return
    }
    busyKeys.delete(item.key)
    if ('value' in result) item.resolve(result.value)
    else item.reject(result.error)
  }

  function isFull(lane: string): boolean {
    return (waitingOf.get(lane) ?? 0) >= 2 * backlogMax - waiting.length
  }

  function room(lane: string): number {
    const own = waitingOf.get(lane) ?? 0
    if (isFull(lane)) return 0
    return Math.max(worthwhileSize - own, Math.floor((2 * usefulMax - waiting.length - own) / 2))
  }

  const laneNamed = (lane: string) => (options.laneOf === undefined ? '' : lane)
  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(input)
        if (isFull(lane)) {
          reject(new RewardsError('overloaded'))
          return
        }
        const [key, span] = [options.exclusiveKeyOf(input), carrySpan(input)]
        waiting.push({ input, key, lane, span, resolve, reject })
        returning?.arrive()
        waitingOf.set(lane, (waitingOf.get(lane) ?? 0) + 1)
        if (completesBatch()) start()
        else schedule()
      }),
    depth: () => waiting.length + busyKeys.size,
    isFull: (lane = '') => isFull(laneNamed(lane)),
    room: (lane = '') => room(laneNamed(lane)),
  }
}
