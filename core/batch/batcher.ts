import { RewardsError } from '../errors.ts'

/** One result of a batch: the value, or why there is none. */
export type Settled<Value> = { value: Value } | { error: unknown }

export interface Batcher<Input, Output> {
  /** Puts the input into the next batch; rejects with `overloaded` when too many wait already. */
  run(input: Input): Promise<Output>
  /** How many inputs wait for a batch or are in one. */
  depth(): number
  /** Whether the next input would be refused. */
  isFull(): boolean
}

export interface BatcherOptions<Input, Output> {
  /** Works on all inputs at once; one result for each, in the same order. Throwing fails them all. */
  process: (inputs: readonly Input[]) => Promise<readonly Settled<Output>[]>
  /** Inputs of the same key are never worked on at the same time, so that they cannot be in each other's way. */
  exclusiveKeyOf: (input: Input) => string
  /** Told the size and duration of each batch. */
  onBatch?: (size: number) => void
  batchSizeMax?: number
  inFlightMax?: number
  /** How many must wait for a batch to start while another is in flight. */
  worthwhileSize?: number
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
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/**
 * Turns concurrent calls into batches without a timer: what arrives while batches are in flight forms the next one. Under
 * low load a batch is one call and nothing waits.
 */
export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const {
    batchSizeMax = defaultBatchSizeMax,
    inFlightMax = defaultInFlightMax,
    worthwhileSize = defaultWorthwhileSize,
    backlogMax = defaultBacklogMax,
  } = options
  let waiting: Waiting<Input, Output>[] = []
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
    const batch: Waiting<Input, Output>[] = []
    const left: Waiting<Input, Output>[] = []
    for (const item of waiting) {
      if (batch.length < batchSizeMax && !busyKeys.has(item.key)) {
        busyKeys.add(item.key)
        batch.push(item)
      } else left.push(item)
    }
    waiting = left
    return batch
  }

  async function runBatch(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    inFlight++
    options.onBatch?.(batch.length)
    try {
      const results = await options.process(batch.map((item) => item.input))
      batch.forEach((item, index) => {
        const result = results[index] ?? { error: new RewardsError('internal', 'a batch lost a result') }
        if ('value' in result) item.resolve(result.value)
        else item.reject(result.error)
      })
    } catch (error) {
      for (const item of batch) item.reject(error)
    } finally {
      inFlight--
      for (const item of batch) busyKeys.delete(item.key)
      schedule()
    }
  }

  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= backlogMax) {
          reject(new RewardsError('overloaded'))
          return
        }
        waiting.push({ input, key: options.exclusiveKeyOf(input), resolve, reject })
        schedule()
      }),
    depth: () => waiting.length + busyKeys.size,
    isFull: () => waiting.length >= backlogMax,
  }
}
