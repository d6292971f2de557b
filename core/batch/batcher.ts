import { RewardsError } from '../errors.ts'
import { inTurns } from './in-turns.ts'

/** One result of a batch: the value, or why there is none. */
export type Settled<Value> = { value: Value } | { error: unknown }

/** The result comes after the batch's end: somebody else works on it. */
export interface Later<Value> {
  later: Promise<Value>
}

export interface Batcher<Input, Output> {
  /** Puts the input into the next batch; rejects with `overloaded` when too many wait already. */
  run(input: Input): Promise<Output>
  /** How many inputs wait for a batch or are in one. */
  depth(): number
  /** Whether the next input would be refused: of this lane, or of one of which nothing waits. */
  isFull(lane?: string): boolean
}

export interface BatcherOptions<Input, Output> {
  /** Works on all inputs at once; one result for each, in the same order. Throwing fails them all. */
  process: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | Later<Output>)[]>
  /** Inputs of the same key are never worked on at the same time, so that they cannot be in each other's way. */
  exclusiveKeyOf: (input: Input) => string
  /** Whose input it is. Lanes share batches and backlog fairly; without it all inputs are of one. */
  laneOf?: (input: Input) => string
  /** Told the size of each batch. */
  onBatch?: (size: number) => void
  batchSizeMax?: number
  inFlightMax?: number
  /** How many must wait for a batch to start while another is in flight. */
  worthwhileSize?: number
  /** How many of one lane may wait while nothing waits of others. */
  backlogMax?: number
}

/** One statement for so many; more makes the statement longer without making a request cheaper. */
const defaultBatchSizeMax = 256
/** While the database works on one batch, this process prepares the other. */
const defaultInFlightMax = 2
/**
 * A statement has a price of its own, about that of ten rows. Fewer than this rather wait the few milliseconds for the
 * batch that is in flight and for who comes meanwhile.
 */
const defaultWorthwhileSize = 16
/** At several thousand requests a second this is less than half a second of waiting; beyond it, refusing is kinder. */
const defaultBacklogMax = 1_024

interface Waiting<Input, Output> {
  input: Input
  key: string
  lane: string
  resolve: (output: Output | Promise<Output>) => void
  reject: (error: unknown) => void
}

/**
 * Turns concurrent calls into batches without a timer: what arrives while batches are in flight forms the next one. Under
 * low load a batch is one call and nothing waits.
 *
 * Lanes (casinos, say) share batches, so that many with a call each cost as little as one with many. A batch takes from
 * each lane in turn, and of the room to wait each may have as much as it leaves free: however much one asks for, the
 * next call of another finds room and is in the next batch. `createLaneBatcher` keeps lanes from waiting for each other.
 */
export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const {
    batchSizeMax = defaultBatchSizeMax,
    inFlightMax = defaultInFlightMax,
    worthwhileSize = defaultWorthwhileSize,
    backlogMax = defaultBacklogMax,
    laneOf = () => '',
  } = options
  let waiting: Waiting<Input, Output>[] = []
  const waitingOf = new Map<string, number>()
  const busyKeys = new Set<string>()
  let inFlight = 0
  let isScheduled = false

  /** At the end of this turn of the event loop, so that everything that arrived in it goes together. */
  function schedule(): void {
    if (isScheduled || !isTimeForBatch()) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      if (!isTimeForBatch()) return // a batch's end schedules the next
      const batch = takeBatch()
      if (batch.length === 0) return
      void runBatch(batch)
      schedule()
    })
  }

  function isTimeForBatch(): boolean {
    if (inFlight === 0) return waiting.length > 0
    return inFlight < inFlightMax && waiting.length >= worthwhileSize
  }

  function takeBatch(): Waiting<Input, Output>[] {
    const batch = new Set<Waiting<Input, Output>>()
    for (const item of inTurns(
      waiting.filter(({ key }) => !busyKeys.has(key)),
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

  async function runBatch(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    inFlight++
    options.onBatch?.(batch.length)
    try {
      const results = await options.process(batch.map((item) => item.input))
      batch.forEach((item, index) => {
        settle(item, results[index] ?? { error: new RewardsError('internal', 'a batch lost a result') })
      })
    } catch (error) {
      for (const item of batch) settle(item, { error })
    } finally {
      inFlight--
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

  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(input)
        if (isFull(lane)) {
          reject(new RewardsError('overloaded'))
          return
        }
        waiting.push({ input, key: options.exclusiveKeyOf(input), lane, resolve, reject })
        waitingOf.set(lane, (waitingOf.get(lane) ?? 0) + 1)
        schedule()
      }),
    depth: () => waiting.length + busyKeys.size,
    isFull: (lane = '') => isFull(options.laneOf === undefined ? '' : lane),
  }
}
