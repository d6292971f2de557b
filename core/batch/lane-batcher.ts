import { RewardsError } from '../errors.ts'
import { createBatcher } from './batcher.ts'
import type { Batcher, BatcherOptions, Later, Settled } from './batcher.ts'

/**
 * What a shared batch may say of an input instead of its result. `set_aside`: it needs what may take long (a row that
 * somebody holds, something large that must be read). `held_up`: one input has held up the batch, and nobody knows which.
 */
export type PutOff = 'set_aside' | 'held_up'

export interface LaneProcesses<Input, Output> {
  /** Works on inputs of several lanes, and puts off what others would have to wait for. */
  processShared: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | PutOff)[]>
  /** Works on inputs of one lane, however long it takes. */
  processAlone: (inputs: readonly Input[]) => Promise<readonly Settled<Output>[]>
  /** Whether a result shows that its lane would hold up a shared batch again. */
  isHeldUp: (result: Settled<Output>) => boolean
}

export interface LaneBatcherOptions<Input, Output>
  extends LaneProcesses<Input, Output>, Omit<BatcherOptions<Input, Output>, 'process'> {
  laneOf: (input: Input) => string
}

/** Of all lanes, beside the shared batches: while one lane waits for what holds it up, another goes on. */
const aloneInFlightMax = 2

interface Lane<Input, Output> {
  batcher: Batcher<Input, Output>
  /** How many inputs are in it. */
  depth: number
  /** What is new goes here too, until a batch has gone well. */
  isHeldUp: boolean
}

/**
 * A batcher whose lanes do not wait for each other. Everything goes into shared batches at first, which never do what may
 * take long: they put it off. What was put off goes into batches of its lane alone, of which there is one at a time. When
 * a whole batch was held up, its lanes are told apart in this way: each stays alone until a batch of its own goes well.
 */
export function createLaneBatcher<Input, Output>(
  options: LaneBatcherOptions<Input, Output>,
): Batcher<Input, Output> {
  const { laneOf, processShared, processAlone, isHeldUp, ...common } = options
  const lanes = new Map<string, Lane<Input, Output>>()
  const takeSlot = createSlots(aloneInFlightMax)
  /** How many inputs are in lanes that no shared batch has seen. */
  let direct = 0

  const shared = createBatcher<Input, Output>({
    ...common,
    laneOf,
    process: async (inputs) => {
      const results = await processShared(inputs)
      return inputs.map((input, index) => {
        const result = results[index]
        if (result === undefined) return { error: new RewardsError('internal', 'a batch lost a result') }
        return typeof result === 'string' ? putOff(input, result) : result
      })
    },
  })

  function putOff(input: Input, why: PutOff): Later<Output> {
    const lane = openLane(laneOf(input))
    if (why === 'held_up') lane.isHeldUp = true
    return { later: runAlone(lane, input) }
  }

  function openLane(name: string): Lane<Input, Output> {
    const known = lanes.get(name)
    if (known !== undefined) return known
    const lane: Lane<Input, Output> = {
      depth: 0,
      isHeldUp: false,
      batcher: createBatcher<Input, Output>({
        ...common,
        inFlightMax: 1,
        process: (inputs) =>
          takeSlot(async () => {
            const results = await processAlone(inputs)
            if (!results.some(isHeldUp)) lane.isHeldUp = false
            return results
          }),
      }),
    }
    lanes.set(name, lane)
    return lane
  }

  async function runAlone(lane: Lane<Input, Output>, input: Input): Promise<Output> {
    lane.depth++
    try {
      return await lane.batcher.run(input)
    } finally {
      lane.depth--
      const name = laneOf(input)
      if (lane.depth === 0 && !lane.isHeldUp) lanes.delete(name)
    }
  }

  return {
    run: (input) => {
      const lane = lanes.get(laneOf(input))
      if (lane?.isHeldUp !== true) return shared.run(input)
      direct++
      return runAlone(lane, input).finally(() => direct--)
    },
    depth: () => shared.depth() + direct,
    isFull: (name = '') => {
      const lane = lanes.get(name)
      return lane?.isHeldUp === true ? lane.batcher.isFull() : shared.isFull(name)
    },
  }
}

/** Lets so many work at once; the others wait in line. */
function createSlots(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const line: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken >= max) await new Promise<void>((resolve) => line.push(resolve))
    else taken++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) taken--
      else next()
    }
  }
}
