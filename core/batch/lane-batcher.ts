import { RewardsError } from '../errors.ts'
import { createBatcher } from './batcher.ts'
import type { Batcher, BatcherOptions, Later, Settled } from './batcher.ts'

/**
 * Why a batch returns an input without a result. `set_aside`: it needs something slow (large data to read), or lost a
 * race. `held_up`: a row that it needs, or that another input of its batch needs, is locked.
 */
export type PutOff = 'set_aside' | 'held_up'

export interface LaneProcesses<Input, Output> {
  /** Processes inputs of several lanes, and puts off those that the others would have to wait for. */
  processShared: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | PutOff)[]>
  /** Processes inputs of one lane for a short turn: `set_aside` asks for another turn, `held_up` for waiting. */
  processAlone: (inputs: readonly Input[]) => Promise<readonly (Settled<Output> | PutOff)[]>
  /** Processes inputs of one lane, and waits for locked rows. */
  processWaiting: (inputs: readonly Input[]) => Promise<readonly Settled<Output>[]>
  /** Whether a result shows that its lane would hold up a shared batch again. */
  isHeldUp: (result: Settled<Output>) => boolean
}

export interface LaneBatcherOptions<Input, Output>
  extends LaneProcesses<Input, Output>, Omit<BatcherOptions<Input, Output>, 'process' | 'doCallersReturn'> {
  laneOf: (input: Input) => string
}

/** Turns of all lanes, beside the shared batches: while one lane reads large data, another continues. */
const turnsInFlightMax = 2
/** Each turn is one statement's work; a full batch of large boxes takes 16. After that the input waits for locks. */
const turnsMax = 20
/** Inputs that wait for locks have slots of their own, so that turns never wait for them. */
const waitingInFlightMax = 2

interface Lane<Input, Output> {
  alone: Batcher<Input, Output>
  /** Those of them that wait for locks. */
  waiting: Batcher<Input, Output>
  /** The number of its inputs. */
  depth: number
  /** New inputs go here too, until a batch succeeds. */
  isHeldUp: boolean
}

/**
 * A batcher whose lanes do not wait for each other. All inputs go into shared batches first, which put off anything
 * slow. Those that are put off go into batches of their own lane, one at a time, in short turns with those of other
 * lanes. Only inputs that need a locked row wait for it, apart from all others. If a whole shared batch was held up,
 * its lanes are separated in this way: each stays alone until a batch of its own succeeds. Callers of shared batches are
 * expected to return.
 */
export function createLaneBatcher<Input, Output>(
  options: LaneBatcherOptions<Input, Output>,
): Batcher<Input, Output> {
  const { laneOf, processShared, processAlone, processWaiting, isHeldUp, ...common } = options
  const lanes = new Map<string, Lane<Input, Output>>()
  const takeTurn = createSlots(turnsInFlightMax)
  const takeWaitingSlot = createSlots(waitingInFlightMax)
  /** The number of inputs in lanes that bypass the shared batches. */
  let direct = 0

  const shared = createBatcher<Input, Output>({
    ...common,
    laneOf,
    doCallersReturn: true,
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

  /** As many turns as they need, up to a limit, alternating with other lanes. */
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
    room: (name = '') => {
      const lane = lanes.get(name)
      return lane?.isHeldUp === true ? Math.min(lane.alone.room(), lane.waiting.room()) : shared.room(name)
    },
  }
}

function lostResult(): { error: unknown } {
  return { error: new RewardsError('internal', 'a batch returned too few results') }
}

/** Limits the number that run in parallel; the others queue. */
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
