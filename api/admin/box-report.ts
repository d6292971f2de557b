import type { EntryDefinition } from '../../core/box/box-definition.ts'
import type { BoxReport, ExpectedCost, ItemOdds, RunOut } from '../../core/box/box-report.ts'
import type { BoxWarning, BoxWarningCode } from '../../core/box/box-warnings.ts'
import { expectCounts, testFit } from '../../core/box/goodness-of-fit.ts'
import { toOdds } from '../../core/box/odds.ts'
import { odds } from '../shapes/box-terms.ts'
import {
  count,
  currency,
  hash,
  id,
  list,
  matching,
  nullable,
  number,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, optionalField, shapeOf } from '../../core/shape/shape.ts'

/** A possible mistake in a box. It names a parameter of `PUT …/boxes/{box_id}` as errors do, where it is about one. */
export const boxWarning = shapeOf<BoxWarning>()('BoxWarning', {
  code: field(
    oneOf<BoxWarningCode>([
      'entry_never_won',
      'box_never_opens',
      'closes_when_used_up',
      'fallback_never_given',
      'runs_out_early',
      'stock_carried_over',
      'stock_ended',
      'stock_given_out_again',
    ]),
    (warning) => warning.code,
    { description: 'A stable code for programs.', example: 'runs_out_early' },
  ),
  name: optionalField(
    string,
    ({ position }) => (position === null ? undefined : `entries.${position - 1}.stock`),
    {
      description: 'The parameter that it is about.',
      example: 'entries.0.stock',
    },
  ),
  message: field(string, (warning) => warning.message, {
    description: 'The same in a sentence, for people.',
    example: 'entry 1 is expected to run out before active_until',
  }),
})

/** Exact, and therefore text: a fraction's first decimals. */
const decimal = matching(/^-?\d+(\.\d+)?$/)

export const expectedCost = shapeOf<ExpectedCost>()('ExpectedCost', {
  currency: field(currency, (cost) => cost.currency),
  amount_minor: field(decimal, (cost) => cost.amountMinor, {
    description: 'In the currency’s smallest unit, with decimals.',
    example: '50',
  }),
})

const runOut = shapeOf<RunOut>()('RunOut', {
  entry: field(count, ({ position }) => position),
  item_id: field(id, ({ itemId }) => itemId),
  stock: field(count, ({ stock }) => stock, { description: 'The number that can be won.', example: 10 }),
  expected_openings: field(decimal, ({ expectedOpenings }) => expectedOpenings, {
    description: 'After how many openings the stock is expected to be used up.',
    example: '100',
  }),
  standard_deviation: field(decimal, ({ standardDeviation }) => standardDeviation, {
    description: 'Of that number.',
    example: '30',
  }),
  expected_days: field(nullable(decimal), ({ expectedDays }) => expectedDays, {
    description: 'After how many days the stock is expected to be used up.',
    example: '0.2',
  }),
  expected_at: field(nullable(time), ({ expectedAt }) => expectedAt, {
    description: 'When the stock is expected to be used up.',
    example: '2030-01-31T16:48:00.000Z',
  }),
})

interface Simulated {
  entries: readonly EntryDefinition[]
  counts: readonly number[]
  seed: Uint8Array
}

interface SimulatedEntry {
  entry: EntryDefinition
  position: number
  expected: number
  observed: number
}

const simulatedEntry = shapeOf<SimulatedEntry>()('SimulationEntry', {
  entry: field(count, ({ position }) => position),
  item_id: field(id, ({ entry }) => entry.itemId),
  weight: field(count, ({ entry }) => entry.weight, {
    description: 'How probable the entry is, beside the weights of the others.',
    example: 10,
  }),
  expected: field(number, ({ expected }) => Number(expected.toFixed(4)), {
    description: 'The expected number of draws.',
    example: 1000,
  }),
  observed: field(count, ({ observed }) => observed, {
    description: 'The number of draws.',
    example: 987,
  }),
})

interface Statistics extends Simulated {
  expected: readonly number[]
  fit: ReturnType<typeof testFit>
}

const simulation = shapeOf<Statistics>()('Simulation', {
  draws: field(count, ({ counts }) => counts.reduce((sum, one) => sum + one, 0), {
    description: 'The number of draws.',
    example: 10_000,
  }),
  seed: field(hash, ({ seed }) => Buffer.from(seed).toString('hex'), {
    description: 'The seed of the draws: 32 bytes in hexadecimal.',
    example: '61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f',
  }),
  entries: field(
    list(simulatedEntry.type),
    ({ entries, counts, expected }) =>
      entries.map((entry, index) =>
        simulatedEntry.render({
          entry,
          position: index + 1,
          expected: expected[index] ?? 0,
          observed: counts[index] ?? 0,
        }),
      ),
    { description: 'The number of draws of each entry.' },
  ),
  chi_square: field(nullable(number), ({ fit }) => (fit === null ? null : Number(fit.chiSquare.toFixed(4))), {
    description: 'The statistic of the chi-square test; null where too little was drawn.',
    example: 0.19,
  }),
  degrees_of_freedom: field(nullable(count), ({ fit }) => fit?.degreesOfFreedom ?? null, {
    description: 'Of the test.',
    example: 1,
  }),
  p_value: field(nullable(number), ({ fit }) => (fit === null ? null : Number(fit.pValue.toPrecision(6))), {
    description: 'How probable a deviation like this one is.',
    example: 0.66,
  }),
})

/** The drawn numbers beside the expected ones. */
function renderSimulation(simulated: Simulated) {
  const weights = simulated.entries.map(({ weight }) => BigInt(weight))
  return simulation.render({
    ...simulated,
    expected: expectCounts(simulated.counts, weights),
    fit: testFit(simulated.counts, weights),
  })
}

const reportItem = shapeOf<ItemOdds & { name: string | null }>()('BoxReportItem', {
  item_id: field(id, ({ itemId }) => itemId),
  name: field(nullable(string), ({ name }) => name, { description: 'Its name.', example: 'Mug' }),
  odds: field(odds.type, ({ share }) => odds.render(toOdds(share.numerator, share.denominator)), {
    description: 'The probability.',
    example: { numerator: 1, denominator: 10, percentage: 10 },
  }),
})

export interface ReportOfBox extends BoxReport {
  boxId: string
  /** Null for a draft. */
  version: number | null
  oddsHash: string
  warnings: readonly BoxWarning[]
  nameOf: (itemId: string) => string | null
  /** Null without draws. */
  simulated: Simulated | null
}

/** The consequences of a box for its casino. */
export const boxReport = shapeOf<ReportOfBox>()('BoxReport', {
  box_id: field(id, ({ boxId }) => boxId),
  version: field(nullable(count), ({ version }) => version, {
    description: 'The box’s version; null for a draft.',
    example: 3,
  }),
  odds_hash: field(hash, ({ oddsHash }) => oddsHash),
  warnings: field(list(boxWarning.type), ({ warnings }) => warnings.map(boxWarning.render), {
    description: 'Possible mistakes.',
  }),
  items: field(
    list(reportItem.type),
    ({ items, nameOf }) => items.map((item) => reportItem.render({ ...item, name: nameOf(item.itemId) })),
    { description: 'The items that can be won.' },
  ),
  cost_per_opening: field(
    list(expectedCost.type),
    (report) => report.costPerOpening.map(expectedCost.render),
    {
      description: 'The expected cashback of an opening, by currency.',
    },
  ),
  cost_when_used_up: field(
    nullable(list(expectedCost.type)),
    ({ costWhenUsedUp }) => costWhenUsedUp?.map(expectedCost.render) ?? null,
    { description: 'The same when every limited stock is used up.', example: [] },
  ),
  first_run_out: field(
    nullable(runOut.type),
    ({ runOuts: [first] }) => (first === undefined ? null : runOut.render(first)),
    { description: 'The stock that is expected to be used up first.' },
  ),
  run_outs: field(list(runOut.type), ({ runOuts }) => runOuts.map(runOut.render), {
    description: 'When limited stocks are expected to be used up.',
  }),
  simulation: field(
    nullable(simulation.type),
    ({ simulated }) => (simulated === null ? null : renderSimulation(simulated)),
    { description: 'The draws; null without draws.' },
  ),
})
