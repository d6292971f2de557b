import fc from 'fast-check'
import { findContradictions } from './always.ts'
import { crashOfApi } from './crash.ts'
import { anything } from './deed.ts'
import type { Deed } from './deed.ts'
import { exchange, late, moods, resume, updates } from './deeds-of-partners.ts'
import {
  claim,
  give,
  grant,
  moveOfCashback,
  moveOfOrder,
  open,
  orderAndConfirm,
  repeat,
} from './deeds-of-people.ts'
import {
  cancellation,
  doubt,
  exchangeInDoubt,
  expiry,
  fight,
  quarrel,
  lateUpdates,
  refusals,
  reversal,
  rivalry,
} from './deeds-of-trouble.ts'
import { pollFeed } from './feed.ts'
import { findUnacknowledged } from './play.ts'
import { readRecords } from './records.ts'
import { settleNow } from './settle.ts'
import { insist } from './world.ts'
import type { Model, World } from './world.ts'

export type ModelCommand = fc.AsyncCommand<Model, World>

/** A command does one deed, or two at the same time, and looks afterwards whether all that must hold still does. */
class Command implements ModelCommand {
  private readonly deeds: readonly Deed[]

  constructor(deeds: readonly Deed[]) {
    this.deeds = deeds
  }

  check = (model: Readonly<Model>) => this.deeds.every((deed) => deed.isPossible(model))

  async run(model: Model, world: World): Promise<void> {
    const results = await Promise.allSettled(this.deeds.map((deed) => deed.run(model, world)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    await checkNow(model, world)
  }

  toString = () => this.deeds.map(({ label }) => label).join(' while ')
}

/** The rules that hold after every command. */
export async function checkNow(model: Model, world: World): Promise<void> {
  const records = await readRecords(world.machine.database, world.casino.id)
  const problems = [...findContradictions(records), ...findUnacknowledged(model, records)]
  insist(problems.length === 0, () => problems.join('\n'))
}

const hourMs = 3_600_000
const time = fc.constantFrom(1_000, 60_000, hourMs, 26 * hourMs, 80 * hourMs).map((ms): Deed => ({
  label: `${ms / 1_000} seconds pass`,
  isPossible: anything,
  run: async (_, { machine, casino }) => {
    await machine.passTime(casino.id, ms)
    await machine.sweepPrizes()
  },
}))

const rest: Deed = {
  label: 'what is due is done',
  isPossible: anything,
  run: (_, world) => settleNow(world),
}

const poll = fc.integer({ min: 1, max: 20 }).map((limit): Deed => ({
  label: `poll ${limit} events`,
  isPossible: anything,
  run: async (model, world) => {
    await pollFeed(model, world, limit)
  },
}))

const workers = fc.constantFrom<Deed>(
  { label: 'start a worker', isPossible: anything, run: (_, { machine }) => machine.startWorker() },
  { label: 'stop a worker', isPossible: anything, run: (_, { machine }) => machine.stopWorker() },
)

const deed = fc.oneof(
  { weight: 4, arbitrary: give },
  { weight: 3, arbitrary: open },
  { weight: 1, arbitrary: grant },
  { weight: 8, arbitrary: claim },
  { weight: 6, arbitrary: orderAndConfirm },
  { weight: 10, arbitrary: moveOfOrder },
  { weight: 4, arbitrary: repeat },
  { weight: 7, arbitrary: moveOfCashback },
  { weight: 4, arbitrary: updates },
  { weight: 5, arbitrary: moods },
  { weight: 4, arbitrary: time },
  { weight: 5, arbitrary: fc.constant(rest) },
  { weight: 1, arbitrary: fc.constant(late) },
  { weight: 1, arbitrary: resume },
  { weight: 2, arbitrary: poll },
  { weight: 1, arbitrary: exchange },
  { weight: 3, arbitrary: fight },
  { weight: 4, arbitrary: refusals },
  { weight: 3, arbitrary: lateUpdates },
  { weight: 2, arbitrary: doubt },
  { weight: 2, arbitrary: cancellation },
  { weight: 1, arbitrary: exchangeInDoubt },
  { weight: 2, arbitrary: quarrel },
  { weight: 2, arbitrary: reversal },
  { weight: 2, arbitrary: rivalry },
  { weight: 2, arbitrary: expiry },
)

/** Two deeds at the same time: mostly two that might want the same thing. */
const together = fc.oneof(fc.tuple(claim, claim), fc.tuple(moveOfOrder, moveOfOrder), fc.tuple(deed, deed))

/** Accidents that only real processes can suffer. */
const accidents = [
  { weight: 2, arbitrary: fc.tuple(deed, workers).map((two) => new Command(two)) },
  { weight: 1, arbitrary: crashOfApi.map((one) => new Command([one])) },
]

/** Lists of commands for `fc.asyncModelRun`. */
export function commandLists(maxCommands: number, replayPath: string | undefined, hasProcesses: boolean) {
  const command = fc.oneof(
    { weight: 12, arbitrary: deed.map((one) => new Command([one])) },
    { weight: 4, arbitrary: together.map((two) => new Command(two)) },
    { weight: 1, arbitrary: workers.map((one) => new Command([one])) },
    ...(hasProcesses ? accidents : []),
  )
  const lists = fc.commands<Model, World, false>([command], {
    maxCommands,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  // Else short lists come first and more often; long ones get further, and are shortened when they fail.
  return fc.noBias(lists)
}
