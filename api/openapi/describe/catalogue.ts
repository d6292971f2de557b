import { catalogueBox } from '../../endpoints/box-shapes.ts'
import { boxInput, listInput } from '../../endpoints/boxes.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

const unchanged = {
  description: 'As it was: the caller has it already.',
  headers: ['ETag', 'Cache-Control'],
} as const

export const catalogueDescriptions = {
  'GET /boxes': {
    operationId: 'listOpenBoxes',
    tag: 'Catalogue',
    summary: 'List the boxes that are open',
    description: 'With their odds; for a player also what the player may open.',
    query: listInput,
    headers: ['If-None-Match'],
    answers: {
      200: { description: 'The boxes.', schema: pageOf(catalogueBox), headers: ['ETag', 'Cache-Control'] },
      304: unchanged,
    },
    errors: [],
  },
  'GET /boxes/:box_id': {
    operationId: 'getOpenBox',
    tag: 'Catalogue',
    summary: 'Show an open box',
    description:
      'With its odds and what is in stock; for a player also what the player may open. A box that is closed, sold out or off is not found.',
    query: boxInput,
    headers: ['If-None-Match'],
    answers: {
      200: { description: 'The box.', schema: success(catalogueBox), headers: ['ETag', 'Cache-Control'] },
      304: unchanged,
    },
    errors: ['box_unknown', 'box_closed', 'box_sold_out'],
  },
} as const satisfies Descriptions
