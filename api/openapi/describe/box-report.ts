import {
  count,
  currency,
  id,
  list,
  matching,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  time,
} from '../../json-schema.ts'
import { odds } from './catalogue.ts'
import { oddsHash } from './fairness.ts'

/** What may be a mistake in a box. */
export const warning = named(
  'BoxWarning',
  object(
    {
      code: oneOf([
        'entry_never_won',
        'box_never_opens',
        'closes_when_used_up',
        'fallback_never_given',
        'runs_out_early',
        'stock_carried_over',
        'stock_ended',
        'stock_given_out_again',
      ]),
      message: string,
    },
    { name: string },
  ),
)
/** Exact, and therefore text: a fraction's first decimals. */
const decimal = matching(/^-?\d+(\.\d+)?$/)
const cost = named('ExpectedCost', object({ currency, amount_minor: decimal }))
const runOut = named(
  'RunOut',
  object({
    entry: count,
    item_id: id,
    stock: count,
    expected_openings: decimal,
    standard_deviation: decimal,
    expected_days: nullable(decimal),
    expected_at: nullable(time),
  }),
)
const simulation = named(
  'Simulation',
  object({
    draws: count,
    seed: matching(/^[0-9a-f]{64}$/),
    entries: list(object({ entry: count, item_id: id, weight: count, expected: number, observed: count })),
    chi_square: nullable(number),
    degrees_of_freedom: nullable(count),
    p_value: nullable(number),
  }),
)
/** What a box means for its casino. */
export const report = named(
  'BoxReport',
  object({
    box_id: id,
    version: nullable(count),
    odds_hash: oddsHash,
    warnings: list(warning),
    items: list(object({ item_id: id, name: nullable(string), odds })),
    cost_per_opening: list(cost),
    cost_when_used_up: nullable(list(cost)),
    first_run_out: nullable(runOut),
    run_outs: list(runOut),
    simulation: nullable(simulation),
  }),
)
