import type { PublishedStock } from '../../core/box/box-definition.ts'
import type { BoxWarning } from '../../core/box/box-warnings.ts'
import type { ItemEntry } from '../../core/box/boxes-with-item.ts'
import type { BoxDetails, BoxSummary, EntryDetails } from '../../core/box/read-boxes.ts'
import { int32Max, timestamp, webUrl, wholeNumber } from '../inputs.ts'
import { boolean, count, hash, id, list, nullable, string, time } from '../../core/shape/json-schema.ts'
import { opensFor } from '../shapes/box-terms.ts'
import { callerId, text } from '../parse-input.ts'
import { required } from '../../core/shape/request-shape.ts'
import { field, optionalField, shapeOf } from '../../core/shape/shape.ts'
import { boxWarning } from './box-report.ts'

/** A box without its entries. */
export const boxTerms = shapeOf<BoxSummary>()(undefined, {
  box_id: field(id, (box) => box.id),
  version: field(count, (box) => box.version, { description: 'The box’s version.', example: 3 }),
  name: field(string, (box) => box.name, {
    description: 'Its name.',
    example: 'Daily box',
    input: required(text(200)),
  }),
  description: field(nullable(string), (box) => box.description, {
    description: 'A description for players.',
    example: 'One opening a day',
    input: text(4_000),
  }),
  image_url: field(nullable(string), (box) => box.imageUrl, { input: webUrl }),
  enabled: field(boolean, (box) => box.isEnabled, { description: 'Whether the box is on.', example: true }),
  revision: field(count, (box) => box.revision, {
    description: 'Of the box: increases whenever it is switched on or off.',
  }),
  ...opensFor.fields,
  active_from: field(nullable(time), (box) => box.activeFrom, {
    description: 'The time from which the box can be opened; without it immediately.',
    example: '2030-01-01T00:00:00Z',
    input: timestamp,
  }),
  active_until: field(nullable(time), (box) => box.activeUntil, {
    description: 'The time until which the box can be opened; without it there is no end.',
    example: '2030-12-31T23:59:59Z',
    input: timestamp,
  }),
  fallback_item_id: field(nullable(id), (box) => box.fallbackItemId, {
    description: 'The item that is given when an entry is out of stock.',
    example: 'spins',
    input: callerId.empty(null),
  }),
  odds_hash: field(hash, (box) => box.oddsHash),
  created_at: field(time, (box) => box.createdAt),
  published_at: field(time, (box) => box.publishedAt, {
    description: 'When this version was published.',
    example: '2030-01-31T12:00:00.000Z',
  }),
})

export const boxEntry = shapeOf<EntryDetails>()('BoxEntry', {
  item_id: field(id, (entry) => entry.itemId, { input: required(callerId) }),
  weight: field(count, (entry) => Number(entry.weight), {
    description: 'How probable the entry is, beside the weights of the others.',
    example: 10,
    input: required(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  }),
  stock: field(nullable(count), (entry) => entry.stock, {
    description:
      'The number that can be won since the stock was last set; without it there is no limit. A later version continues with the rest.',
    example: 10,
    // An entry without any stock has odds that no player can have.
    input: wholeNumber(1, int32Max).empty(null),
  }),
  remaining: field(nullable(count), (entry) => entry.remaining, {
    description: 'The rest of the stock.',
    example: 10,
  }),
})

const itemEntry = shapeOf<ItemEntry>()(undefined, {
  entry: field(count, ({ position }) => position, {
    description: 'Its position among the entries of the box, from 1.',
    example: 1,
  }),
  weight: field(boxEntry.fields.weight.type, ({ weight }) => Number(weight), { example: 10 }),
  stock: field(boxEntry.fields.stock.type, ({ stock }) => stock, { example: 10 }),
  remaining: field(boxEntry.fields.remaining.type, ({ remaining }) => remaining, { example: 9 }),
})

/** A box of a list; with the entries of the item that the list is about, if it is about one. */
export const boxSummary = shapeOf<BoxSummary & { itemEntries?: readonly ItemEntry[] }>()('BoxSummary', {
  ...boxTerms.fields,
  item_entries: optionalField(list(itemEntry.type), ({ itemEntries }) => itemEntries?.map(itemEntry.render), {
    description:
      'Only with `item_id`: the first 100 entries that have the item. Empty if it is the fallback only.',
    example: undefined,
  }),
})

const spins = { item_id: 'spins', weight: 90, stock: null, remaining: null }

export const box = shapeOf<BoxDetails>()('Box', {
  ...boxTerms.fields,
  entries: field(list(boxEntry.type), ({ entries }) => entries.map(boxEntry.render), {
    description: 'The entries that can be drawn.',
    example: [{ item_id: 'mug', weight: 10, stock: 10, remaining: 9 }, spins],
  }),
})

function carriedOver({ isCarried, leftBefore, remaining }: PublishedStock): number {
  return isCarried ? Math.min(leftBefore ?? 0, remaining) : 0
}

const publishedStock = shapeOf<PublishedStock>()('PublishedStock', {
  entry: field(nullable(count), ({ position }) => position),
  item_id: field(id, ({ itemId }) => itemId),
  stock: field(boxEntry.fields.stock.type, ({ stock }) => stock),
  left_before: field(nullable(count), ({ leftBefore }) => leftBefore, {
    description: 'The number that could be won in the previous version; null without a stock there.',
    example: 7,
  }),
  carried_over: field(count, carriedOver, {
    description: 'The number of those that can still be won.',
    example: 7,
  }),
  given_out: field(count, (stock) => stock.remaining - carriedOver(stock), {
    description: 'The number that can be won in addition.',
    example: 3,
  }),
  remaining: field(count, ({ remaining }) => remaining, {
    description: 'The rest of the stock.',
    example: 10,
  }),
})

interface Published extends BoxDetails {
  isUnchanged: boolean
  stocks: readonly PublishedStock[]
  warnings: readonly BoxWarning[]
}

export const publishedBox = shapeOf<Published>()('PublishedBox', {
  ...box.fields,
  entries: field(box.fields.entries.type, box.fields.entries.read, {
    example: [{ item_id: 'mug', weight: 10, stock: 10, remaining: 10 }, spins],
  }),
  unchanged: field(boolean, ({ isUnchanged }) => isUnchanged, {
    description: 'Whether the current version was the same already, so that nothing was published.',
    example: false,
  }),
  stocks: field(list(publishedStock.type), ({ stocks }) => stocks.map(publishedStock.render), {
    description: 'How each stock of the previous version continues in this one.',
  }),
  warnings: field(list(boxWarning.type), ({ warnings }) => warnings.map(boxWarning.render), {
    description: 'Possible mistakes.',
  }),
})
