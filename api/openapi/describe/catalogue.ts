import { limitPeriods } from '../../../core/box/box.ts'
import { itemKinds } from '../../../core/item/item-kinds.ts'
import { boxInput, listInput } from '../../endpoints/boxes.ts'
import type { Descriptions } from '../description.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  money,
  named,
  nullable,
  object,
  oneOf,
  string,
  time,
} from '../../json-schema.ts'
import { pageOf, success } from './bodies.ts'

export const odds = named(
  'Odds',
  object({ numerator: count, denominator: count, percentage: { type: 'number' } }),
)

export const openingLimit = named(
  'OpeningLimit',
  object({ count, period: oneOf(limitPeriods), time_zone: string }),
)

export const boxAccess = oneOf(['granted', 'limited'])

const winnable = {
  id,
  name: string,
  kind: oneOf(itemKinds),
  description: nullable(string),
  image: nullable(string),
  cashback: nullable(money),
  claim_days: nullable(count),
  odds,
}

const catalogueBox = named(
  'CatalogueBox',
  object(
    {
      id,
      name: string,
      description: nullable(string),
      image: nullable(string),
      version: count,
      odds_hash: matching(/^[0-9a-f]{64}$/),
      access: boxAccess,
      limit: nullable(openingLimit),
      active_until: nullable(time),
      prizes: list(named('WinnablePrize', object({ ...winnable, position: count, available: boolean }))),
      fallback: nullable(named('FallbackPrize', object(winnable))),
    },
    {
      player: named(
        'OpeningsLeft',
        object({
          can_open: boolean,
          openings_left: count,
          resets_at: nullable(time),
          expires_at: nullable(time),
        }),
      ),
    },
  ),
)

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
