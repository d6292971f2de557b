import type Joi from 'joi'
import { boxQuery, boxesQuery, switchBoxInput } from '../../admin/boxes.ts'
import { boxStatistics, boxVersion, versionsInput } from '../../admin/box-versions.ts'
import { boxReport } from '../../admin/box-report.ts'
import { box, boxSummary, publishedBox } from '../../admin/box-shapes.ts'
import { boxInput } from '../../admin/box-input.ts'
import { item, itemInput } from '../../admin/items.ts'
import { simulationInput } from '../../admin/simulate.ts'
import { listInput } from '../../admin/list-query.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

/** A box, and the parameters of its simulation. */
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
    description:
      'Replaces the whole item: fields that are left out are removed. Prizes that were won earlier keep what was promised. With `expected_revision` it is replaced only if it has that revision (0: only if there is no item yet).',
    body: itemInput,
    answers: { 200: { description: 'The item.', schema: success(item.type) } },
    errors: ['quota_exceeded', 'revision_changed'],
  },
  'GET /items/:item_id': {
    operationId: 'getItem',
    tag: 'Items and boxes',
    summary: 'Show an item',
    description: 'Shows its current version. Prizes keep the version with which they were won.',
    answers: { 200: { description: 'The item.', schema: success(item.type) } },
    errors: ['item_unknown'],
  },
  'GET /items': {
    operationId: 'listItems',
    tag: 'Items and boxes',
    summary: 'List the items',
    description: 'Lists all items of the casino.',
    query: listInput,
    answers: { 200: { description: 'The items.', schema: pageOf(item.type) } },
    errors: [],
  },
  'PUT /boxes/:box_id': {
    operationId: 'publishBox',
    tag: 'Items and boxes',
    summary: 'Publish a box',
    description:
      'Publishes a new version. If the current version is the same, nothing changes and `unchanged` is true. The `stock` of an entry is how many can be won since the stock was last set: if the previous version has a stock of the same item, the entry continues with the new stock less what was won, unless it has `restock`. With `expected_version` the box is published only if that is its current version (0: only if there is no box yet). Earlier versions stay as they are.',
    body: boxInput,
    answers: {
      200: {
        description: 'The box, its stocks, and warnings about likely mistakes.',
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
    description: 'Shows the current version, or the one given by `version`.',
    query: boxQuery,
    answers: {
      200: {
        description: 'The version with its remaining stock.',
        schema: success(box.type),
      },
    },
    errors: ['box_unknown'],
  },
  'GET /boxes': {
    operationId: 'listBoxes',
    tag: 'Items and boxes',
    summary: 'List the boxes',
    description:
      'Lists all boxes, open or not. `GET /boxes` lists those that players can open. With `item_id` it lists the boxes in which the item can be won, with its entries.',
    query: boxesQuery,
    answers: {
      200: {
        description: 'The current versions, without entries other than those of `item_id`.',
        schema: pageOf(boxSummary.type),
      },
    },
    errors: [],
  },
  'GET /boxes/:box_id/versions': {
    operationId: 'listBoxVersions',
    tag: 'Items and boxes',
    summary: 'List the versions of a box',
    description: 'Lists the newest first. `GET …/boxes/{box_id}?version=` shows the entries of one.',
    query: versionsInput,
    answers: { 200: { description: 'The versions, without entries.', schema: pageOf(boxVersion.type) } },
    errors: ['box_unknown'],
  },
  'GET /boxes/:box_id/statistics': {
    operationId: 'getBoxStatistics',
    tag: 'Items and boxes',
    summary: 'Show what a box has given',
    description:
      'Shows the published odds beside what was drawn, from the newest 20,000 openings of the casino. Outcomes that a test chose are not counted.',
    query: boxQuery,
    answers: { 200: { description: 'The statistics.', schema: success(boxStatistics.type) } },
    errors: ['box_unknown'],
  },
  'POST /boxes/:box_id/simulate': {
    operationId: 'simulateBox',
    tag: 'Items and boxes',
    summary: 'Simulate a box',
    description: 'Reports its odds and costs, and makes trial draws. Nothing is published or opened.',
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
    summary: 'Enable a box',
    description: 'The state belongs to the box: later versions keep it.',
    body: switchBoxInput,
    isBodyOptional: true,
    answers: { 200: { description: 'The box.', schema: success(box.type) } },
    errors: ['box_unknown', 'revision_changed'],
  },
  'POST /boxes/:box_id/disable': {
    operationId: 'disableBox',
    tag: 'Items and boxes',
    summary: 'Disable a box',
    description: 'It cannot be opened until it is enabled again. Granted openings are kept.',
    body: switchBoxInput,
    isBodyOptional: true,
    answers: { 200: { description: 'The box.', schema: success(box.type), example: { enabled: false } } },
    errors: ['box_unknown', 'revision_changed'],
  },
} as const satisfies Descriptions
