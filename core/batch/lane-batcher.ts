import { RewardsError } from '../errors.ts'
import { createBatcher } from './batcher.ts'
import type { Batcher, BatcherOptions, Later, Settled } from './batcher.ts'

/**
 * What a batch may say of an input instead of its result. `set_aside`: it needs what may take long (something large that
 * must be read), or has lost a race. `held_up`: somebody holds a row that it needs, or that another input of its batch
 * needs, and nobody knows which.
 */
export type PutOff = 'set_aside' | 'held_up'

export interface LaneProcesses<Input, Output> {
  /** Works on inputs of several lanes, and puts off what others would have to wait for. */
  processShared: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | PutOff)[]>
  /** Works on inputs of one lane, for a short turn: what is `set_aside` needs another one, what is `held_up` must wait. */
  processAlone: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | PutOff)[]>
  /** Works on inputs of one lane, and waits for rows that somebody holds. */
  processWaiting: (inputs: readonly Input[]) => Promise<readonly Settled<Output>[]>
  /** Whether a result shows that its lane would hold up a shared batch again. */
  isHeldUp: (result: Settled<Output>) => boolean
}

export interface LaneBatcherOptions<Input, Output>
  extends LaneProcesses<Input, Output>, Omit<BatcherOptions<Input, Output>, 'process'> {
  laneOf: (input: Input) => string
}

/** Turns of all lanes, beside the shared batches: while one lane reads what is large, another goes on. */
const turnsInFlightMax = 2
/** Each turn does what one statement can; a full batch of large boxes takes 16. Who is not done then waits. */
const turnsMax = 20
/** Those that wait for rows have slots of their own, so that turns never wait for them. */
const waitingInFlightMax = 2

interface Lane<Input, Output> {
  alone: Batcher<Input, Output>
  /** Of those that are in it, the ones that wait for rows. */
  waiting: Batcher<Input, Output>
  /** How many inputs are in it. */
  depth: number
  /** What is new goes here too, until a batch has gone well. */
  isHeldUp: boolean
}

/**
 * A batcher whose lanes do not wait for each other. Everything goes into shared batches at first, which never do what may
 * take long: they put it off. What was put off goes into batches of its lane alone, of which there is one at a time, and
 * which take short turns with those of other lanes. Only what cannot be done without waiting for somebody's rows waits,
 * beside all others. When a whole shared batch was held up, its lanes are told apart in this way: each stays alone until
 * a batch of its own goes well.
 */
export function createLaneBatcher<Input, Output>(
  options: LaneBatcherOptions<Input, Output>,
): Batcher<Input, Output> {
  const { laneOf, processShared, processAlone, processWaiting, isHeldUp, ...common } = options
  const lanes = new Map<string, Lane<Input, Output>>()
  const takeTurn = createSlots(turnsInFlightMax)
  const takeWaitingSlot = createSlots(waitingInFlightMax)
  /** How many inputs are in lanes that no shared batch has seen. */
  let direct = 0

  const shared = createBatcher<Input, Output>({
    ...common,
    laneOf,
    process: async (inputs) => {
      const results = await processShared(inputs)
      return inputs.map((input, index) => {
        const result = results[index] ?? lostResult()
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
      alone: createBatcher<Input, Output>({
        ...common,
        inFlightMax: 1,
        process: async (inputs) => {
          const results = await takeTurns(inputs)
          const isWaiting = results.includes('held_up') || lane.waiting.depth() > 0
          if (!isWaiting) lane.isHeldUp = false
          return inputs.map((input, index) => {
            const result = results[index] ?? lostResult()
            return typeof result === 'string' ? { later: lane.waiting.run(input) } : result
          })
        },
      }),
      waiting: createBatcher<Input, Output>({
        ...common,
        inFlightMax: 1,
        process: (inputs) =>
          takeWaitingSlot(async () => {
            const results = await processWaiting(inputs)
            if (!results.some(isHeldUp)) lane.isHeldUp = false
            return results
          }),
      }),
    }
    lanes.set(name, lane)
    return lane
  }

  /** As many turns as they need, up to a bound, each in line behind those of other lanes. */
  async function takeTurns(inputs: readonly Input[]): Promise<(Settled<Output> | 'held_up')[]> {
    const results = new Map<Input, Settled<Output> | 'held_up'>()
    let left = inputs
    for (let turn = 0; turn < turnsMax && left.length > 0; turn++) {
      const ofTurn = await takeTurn(() => processAlone(left))
      left.forEach((input, index) => {
        const result = ofTurn[index] ?? lostResult()
        if (result !== 'set_aside') results.set(input, result)
      })
      left = left.filter((input) => !results.has(input))
    }
    return inputs.map((input) => results.get(input) ?? 'held_up')
  }

  async function runAlone(lane: Lane<Input, Output>, input: Input): Promise<Output> {
    lane.depth++
    try {
      return await lane.alone.run(input)
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
      return lane?.isHeldUp === true ? lane.alone.isFull() || lane.waiting.isFull() : shared.isFull(name)
    },
  }
}

function lostResult(): { error: unknown } {
  return { error: new RewardsError('internal', 'a batch lost a result') }
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
