import { catalogueBox } from '../../endpoints/box-shapes.ts'
import { boxInput, listInput } from '../../endpoints/boxes.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

const unchanged = {
  description: 'Not modified since the caller’s copy.',
  headers: ['ETag', 'Cache-Control'],
} as const

export const catalogueDescriptions = {
  'GET /boxes': {
    operationId: 'listOpenBoxes',
    tag: 'Catalogue',
    summary: 'List the open boxes',
    description: 'Shows their odds and, with `player_id`, how often the player may open them.',
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
      'Shows its odds and stock and, with `player_id`, how often the player may open it. A box that is closed, sold out or disabled is not found.',
    query: boxInput,
    headers: ['If-None-Match'],
    answers: {
      200: { description: 'The box.', schema: success(catalogueBox), headers: ['ETag', 'Cache-Control'] },
      304: unchanged,
    },
    errors: ['box_unknown', 'box_closed', 'box_sold_out'],
  },
} as const satisfies Descriptions
