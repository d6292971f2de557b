import type Joi from 'joi'
import { boxQuery } from '../../admin/boxes.ts'
import { boxReport } from '../../admin/box-report.ts'
import { box, boxSummary, publishedBox } from '../../admin/box-shapes.ts'
import { boxInput } from '../../admin/box-input.ts'
import { item, itemInput } from '../../admin/items.ts'
import { simulationInput } from '../../admin/simulate.ts'
import { listInput } from '../../admin/list-query.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

/** A box, and what is to be simulated of it. */
const anyBox: Joi.ObjectSchema = boxInput
const draftInput = anyBox.concat(simulationInput)

const boxExample = {
  name: 'Daily box',
  description: 'One opening a day',
  access: 'limited',
  limit: { count: 1, period: 'day', time_zone: 'Europe/Malta' },
  entries: [
    { item_id: 'mug', weight: 10, stock: 10 },
    { item_id: 'spins', weight: 90 },
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
    answers: { 200: { description: 'The item.', schema: success(item.type) } },
    errors: ['quota_exceeded'],
  },
  'GET /items/:item_id': {
    operationId: 'getItem',
    tag: 'Items and boxes',
    summary: 'Show an item',
    description: 'As it is now; prizes keep what they were won with.',
    answers: { 200: { description: 'The item.', schema: success(item.type) } },
    errors: ['item_unknown'],
  },
  'GET /items': {
    operationId: 'listItems',
    tag: 'Items and boxes',
    summary: 'List the items',
    description: 'The casino’s catalogue.',
    query: listInput,
    answers: { 200: { description: 'The items.', schema: pageOf(item.type) } },
    errors: [],
  },
  'PUT /boxes/:box_id': {
    operationId: 'publishBox',
    tag: 'Items and boxes',
    summary: 'Publish a box',
    description:
      'A new version, unless the current one is the same: then nothing changes, and `unchanged` is true. The `stock` of an entry is the most that can be won of it since it was last given out: where the version before has a stock of the same item, the entry goes on with the new stock less what was won, unless it says `restock`. With `expected_version` nothing is published on top of any other version (0: of any box). The versions before stay as they are.',
    body: boxInput,
    answers: {
      200: {
        description: 'The box, what became of its stocks, and what may be a mistake.',
        schema: success(publishedBox.type),
      },
    },
    errors: ['quota_exceeded', 'box_version_conflict'],
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
        schema: success(box.type),
      },
    },
    errors: ['box_unknown'],
  },
  'GET /boxes': {
    operationId: 'listBoxes',
    tag: 'Items and boxes',
    summary: 'List the boxes',
    description: 'Open or not; `GET /boxes` has those that players can open.',
    query: listInput,
    answers: {
      200: { description: 'The current versions, without entries.', schema: pageOf(boxSummary.type) },
    },
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
    answers: { 200: { description: 'The report.', schema: success(boxReport.type) } },
    errors: ['box_unknown', 'overloaded'],
    example: { ...boxExample, draws: 10_000, openings_per_day: 500 },
  },
  'POST /boxes/:box_id/enable': {
    operationId: 'enableBox',
    tag: 'Items and boxes',
    summary: 'Switch a box on',
    description: 'The switch is the box’s: versions that are published later keep it.',
    answers: { 200: { description: 'The box.', schema: success(box.type) } },
    errors: ['box_unknown'],
  },
  'POST /boxes/:box_id/disable': {
    operationId: 'disableBox',
    tag: 'Items and boxes',
    summary: 'Switch a box off',
    description: 'Nobody can open it until it is switched on again. Granted openings stay.',
    answers: { 200: { description: 'The box.', schema: success(box.type), example: { enabled: false } } },
    errors: ['box_unknown'],
  },
} as const satisfies Descriptions
