import type Joi from 'joi'
import { itemKinds } from '../../../core/prize/prize.ts'
import { boxQuery } from '../../admin/boxes.ts'
import { boxInput } from '../../admin/box-input.ts'
import { itemInput } from '../../admin/items.ts'
import { simulationInput } from '../../admin/simulate.ts'
import { pageInput } from '../../paging.ts'
import type { Descriptions } from '../description.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  named,
  nullable,
  object,
  oneOf,
  string,
  time,
} from '../json-schema.ts'
import type { JsonSchema } from '../json-schema.ts'
import { money, pageOf, success } from './bodies.ts'
import { boxAccess, odds, openingLimit } from './catalogue.ts'
import { oddsHash } from './fairness.ts'
import { currency } from './money.ts'

const item = named(
  'Item',
  object({
    item_id: id,
    name: string,
    kind: oneOf(itemKinds),
    description: nullable(string),
    image_url: nullable(string),
    cashback: nullable(money),
    claim_days: nullable(count),
    created_at: time,
    updated_at: time,
  }),
)

const boxFields = {
  box_id: id,
  version: count,
  name: string,
  description: nullable(string),
  image_url: nullable(string),
  enabled: boolean,
  access: boxAccess,
  limit: nullable(openingLimit),
  active_from: nullable(time),
  active_until: nullable(time),
  fallback_item_id: nullable(id),
  odds_hash: oddsHash,
  created_at: time,
  published_at: time,
}
const entry = named(
  'BoxEntry',
  object({ item_id: id, weight: count, stock: nullable(count), remaining: nullable(count) }),
)
const boxSummary = named('BoxSummary', object(boxFields))
const box = named('Box', object({ ...boxFields, entries: list(entry) }))

const warning = named(
  'BoxWarning',
  object(
    {
      code: oneOf([
        'entry_never_won',
        'box_never_opens',
        'closes_when_used_up',
        'fallback_never_given',
        'runs_out_early',
      ]),
      message: string,
    },
    { name: string },
  ),
)
const publishedBox = named(
  'PublishedBox',
  object({ ...boxFields, entries: list(entry), warnings: list(warning) }),
)

/** Exact, and therefore text: a fraction's first decimals. */
const decimal: JsonSchema = matching(/^-?\d+(\.\d+)?$/)
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
    entries: list(
      object({ entry: count, item_id: id, weight: count, expected: { type: 'number' }, observed: count }),
    ),
    chi_square: nullable({ type: 'number' }),
    degrees_of_freedom: nullable(count),
    p_value: nullable({ type: 'number' }),
  }),
)
const report = named(
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

/** A box, and what is to be simulated of it. */
const anyBox: Joi.ObjectSchema = boxInput
const draftInput = anyBox.concat(simulationInput)

const boxExample = {
  name: 'Daily box',
  access: 'limited',
  limit: { count: 1, period: 'day', time_zone: 'Europe/Malta' },
  entries: [
    { item_id: 'mug', weight: 1, stock: 10 },
    { item_id: 'spins', weight: 99 },
  ],
  fallback_item_id: 'spins',
}

export const boxDescriptions = {
  'PUT /items/:item_id': {
    operationId: 'putItem',
    tag: 'Items and boxes',
    summary: 'Create or replace an item',
    description: 'As a whole: what is left out, it no longer has. Prizes won before keep what was promised.',
    body: itemInput,
    answers: { 200: { description: 'The item.', schema: success(item) } },
    errors: [],
  },
  'GET /items/:item_id': {
    operationId: 'getItem',
    tag: 'Items and boxes',
    summary: 'Show an item',
    description: 'As it is now; prizes keep what they were won with.',
    answers: { 200: { description: 'The item.', schema: success(item) } },
    errors: ['item_unknown'],
  },
  'GET /items': {
    operationId: 'listItems',
    tag: 'Items and boxes',
    summary: 'List the items',
    description: 'The casino’s catalogue.',
    query: pageInput,
    answers: { 200: { description: 'The items.', schema: pageOf(item) } },
    errors: [],
  },
  'PUT /boxes/:box_id': {
    operationId: 'publishBox',
    tag: 'Items and boxes',
    summary: 'Publish a box',
    description: 'A new version, every time; its stocks begin anew. The versions before it stay as they are.',
    body: boxInput,
    answers: { 200: { description: 'The box, and what may be a mistake.', schema: success(publishedBox) } },
    errors: [],
    example: boxExample,
  },
  'GET /boxes/:box_id': {
    operationId: 'getBox',
    tag: 'Items and boxes',
    summary: 'Show a box',
    description: 'The current version, or the one that `version` names.',
    query: boxQuery,
    answers: {
      200: {
        description: 'The current version, or that one, with what is left of its stock.',
        schema: success(box),
      },
    },
    errors: ['box_unknown'],
  },
  'GET /boxes': {
    operationId: 'listBoxes',
    tag: 'Items and boxes',
    summary: 'List the boxes',
    description: 'Open or not; `GET /boxes` has those that players can open.',
    query: pageInput,
    answers: { 200: { description: 'The current versions, without entries.', schema: pageOf(boxSummary) } },
    errors: [],
  },
  'POST /boxes/:box_id/simulate': {
    operationId: 'simulateBox',
    tag: 'Items and boxes',
    summary: 'Simulate a box',
    description: 'What it means for the casino, and draws from it. Nothing is published or opened.',
    onlyReads: true,
    body: [
      { title: 'DraftSimulation', schema: draftInput },
      { title: 'PublishedSimulation', schema: simulationInput },
    ],
    isBodyOptional: true,
    answers: { 200: { description: 'The report.', schema: success(report) } },
    errors: ['box_unknown', 'overloaded'],
    example: { ...boxExample, draws: 10_000, openings_per_day: 500 },
  },
  'POST /boxes/:box_id/enable': {
    operationId: 'enableBox',
    tag: 'Items and boxes',
    summary: 'Switch a box on',
    description: 'The switch is the box’s: versions that are published later keep it.',
    answers: { 200: { description: 'The box.', schema: success(box) } },
    errors: ['box_unknown'],
  },
  'POST /boxes/:box_id/disable': {
    operationId: 'disableBox',
    tag: 'Items and boxes',
    summary: 'Switch a box off',
    description: 'Nobody can open it until it is switched on again. Granted openings stay.',
    answers: { 200: { description: 'The box.', schema: success(box) } },
    errors: ['box_unknown'],
  },
} as const satisfies Descriptions
