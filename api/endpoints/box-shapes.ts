import type { WinnableItem } from '../../core/box/box.ts'
import type { BoxContents } from '../../core/box/read-contents.ts'
import type { OpeningsLeft } from '../../core/box/read-openings-left.ts'
import { itemKinds } from '../../core/item/item-kinds.ts'
import { amountToJson } from '../../core/money.ts'
import {
  boolean,
  count,
  hash,
  id,
  list,
  money,
  named,
  nullable,
  object,
  oneOf,
  ownExample,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { odds, opensFor } from '../shapes/box-terms.ts'
import { field, said, shapeOf, typesOf } from '../../core/shape/shape.ts'

/** A box without the parts that can change between two reads. */
export const boxHead = shapeOf<BoxContents>()(undefined, {
  id: field(id, (box) => box.boxId, { example: 'daily' }),
  name: field(string, (box) => box.name, { description: 'Its name.', example: 'Daily box' }),
  description: field(nullable(string), (box) => box.description, {
    description: 'A description for players.',
    example: 'One opening a day',
  }),
  image: field(nullable(string), (box) => box.imageUrl, {
    description: 'The URL of a picture.',
    example: null,
  }),
  version: field(count, (box) => box.version, { description: 'The box’s version.', example: 3 }),
  odds_hash: field(hash, (box) => box.oddsHash),
  ...opensFor.fields,
  active_until: field(nullable(time), (box) => box.activeUntil, {
    description: 'The time until which the box can be opened; without it there is no end.',
    example: '2030-12-31T23:59:59Z',
  }),
})

/** An item that can be won from it. */
export const winnableItem = shapeOf<WinnableItem>()(undefined, {
  id: field(id, (item) => item.id, { example: 'mug' }),
  name: field(string, (item) => item.name, { description: 'Its name.', example: 'Mug' }),
  kind: field(oneOf<string>(itemKinds), (item) => item.kind),
  description: field(nullable(string), (item) => item.description, {
    description: 'A description for players.',
    example: 'A blue mug',
  }),
  image: field(nullable(string), (item) => item.imageUrl, {
    description: 'The URL of a picture.',
    example: 'https://cdn.example.com/mug.png',
  }),
  cashback: field(
    nullable(money),
    ({ cashback }) =>
      cashback && { amount_minor: amountToJson(cashback.amountMinor), currency: cashback.currency },
    { description: 'The amount that the prize is worth as cashback; null when it cannot be cashed back.' },
  ),
  claim_days: field(nullable(count), (item) => item.claimDays, {
    description:
      'The number of days in which the player can claim the prize; without it there is no deadline.',
    example: 30,
  }),
})

/** The openings of a box that a player has left. */
export const openingsLeft = shapeOf<OpeningsLeft>()('OpeningsLeft', {
  can_open: field(boolean, (left) => left.count > 0, {
    description: 'Whether the player may open the box now.',
    example: true,
  }),
  openings_left: field(count, (left) => left.count, {
    description: 'The number of times that the player may open the box now.',
    example: 1,
  }),
  resets_at: field(nullable(time), (left) => left.resetsAt, {
    description: 'When the player’s limit is reset.',
    example: '2030-02-01T00:00:00.000Z',
  }),
  expires_at: field(nullable(time), (left) => left.expiresAt, {
    description: 'When the first of the player’s granted openings expires.',
    example: null,
  }),
})

const winnable = typesOf(winnableItem.fields)
const fallback = nullable(
  named('FallbackPrize', object({ ...winnable, odds: said(odds.type, { description: 'The probability.' }) })),
)
const spins = { id: 'spins', name: '10 free spins', kind: 'bonus', description: null, image: null }

/** The shape of the JSON that `renderBox` builds from parts which it renders once and keeps. */
export const catalogueBox = named(
  'CatalogueBox',
  object(
    {
      ...typesOf(boxHead.fields),
      prizes: said(
        list(
          named(
            'WinnablePrize',
            object({
              ...winnable,
              position: said(count, {
                description: 'The entry’s place in the odds table, from 1.',
                example: 1,
              }),
              available: said(boolean, { description: 'Whether it is in stock.', example: true }),
              odds: said(odds.type, { description: 'The probability.' }),
            }),
          ),
        ),
        { description: 'The entries that can be won.' },
      ),
      fallback: {
        ...fallback,
        description: 'The item that is given when an entry is out of stock.',
        [ownExample]: {
          ...spins,
          cashback: null,
          claim_days: 30,
          odds: { numerator: 9, denominator: 10, percentage: 90 },
        },
      },
    },
    { player: said(openingsLeft.type, { description: 'The openings that the player has left.' }) },
  ),
)
