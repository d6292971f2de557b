import type { Opening } from '../core/box/opening.ts'
import { itemKinds } from '../core/item/item-kinds.ts'
import {
  boolean,
  closed,
  count,
  currency,
  hash,
  id,
  named,
  object,
  oneOf,
  openingId,
  seedId,
  string,
  timeAsText,
} from '../core/shape/json-schema.ts'
import type { JsonSchema } from '../core/shape/json-schema.ts'
import { field, optionalField, said, shapeOf } from '../core/shape/shape.ts'

/** The answer of the three operations. Its keys are final, while other answers may get more one day. */
const isSuccess = said(oneOf(['success']), { description: 'The result of the request.' })

/** The documented answer of `POST /prize/order`. */
export const orderRecorded = recorded(
  'RecordedOrder',
  'Prize order recorded. Awaiting confirmation for shipment.',
)

/** The documented answer of `POST /prize/cashback`. */
export const cashbackRecorded = recorded('RecordedCashback', 'Cashback decision recorded')

function recorded(title: string, message: string): { body: string; type: JsonSchema } {
  return {
    body: JSON.stringify({ status: 'success', message }),
    type: named(
      title,
      closed(
        object({
          status: isSuccess,
          message: said(oneOf([message]), { description: 'The same in a sentence, for people.' }),
        }),
      ),
    ),
  }
}

/** The other two operations take `prize.id` as `prize_id`. Missing values are left out. */
const wonPrize = shapeOf<Opening>()('WonPrize', {
  id: field(id, (opening) => opening.prizeId, { example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802' }),
  item_id: field(id, ({ draw }) => draw.item.id),
  name: field(string, ({ draw }) => draw.item.name, { description: 'Its name.', example: 'Mug' }),
  kind: field(oneOf<string>(itemKinds), ({ draw }) => draw.item.kind),
  description: optionalField(string, ({ draw }) => draw.item.description ?? undefined, {
    description: 'A description for players.',
    example: 'A blue mug',
  }),
  image_url: optionalField(string, ({ draw }) => draw.item.imageUrl ?? undefined),
  cashback: optionalField(
    named('WonCashback', closed(object({ amount_minor: count, currency }))),
    ({ draw: { item } }) =>
      item.cashback === null
        ? undefined
        : { amount_minor: Number(item.cashback.amountMinor), currency: item.cashback.currency },
    { description: 'The amount that the prize is worth as cashback; absent when it cannot be cashed back.' },
  ),
  // A Date would make writing it slower.
  expires_at: optionalField(timeAsText, ({ expiresAt }) => expiresAt?.toISOString()),
})

/** The data that the draw was derived from. */
const drawnOpening = shapeOf<Opening>()('Opening', {
  id: field(openingId, (opening) => opening.id, { example: 'opn_01b977d7aa0076a1b2c3d4e5f6071801' }),
  box_id: field(id, (opening) => opening.boxId),
  box_version: field(count, (opening) => opening.version),
  odds_hash: field(hash, (opening) => opening.oddsHash),
  seed_id: field(seedId, (opening) => opening.seedId),
  seed_commitment: field(hash, (opening) => opening.seedCommitment),
  nonce: field(count, (opening) => Number(opening.nonce)),
  client_seed: optionalField(string, (opening) => opening.clientSeed ?? undefined),
  substituted_for: optionalField(id, ({ draw }) => (draw.isSubstituted ? draw.entry.item.id : undefined), {
    description: 'The item that was drawn and is out of stock.',
    example: undefined,
  }),
  forced: optionalField(boolean, ({ draw }) => (draw.isForced ? true : undefined), {
    description: 'That a test key has chosen the outcome.',
    example: undefined,
  }),
})

const message = 'Box opened successfully'

export const openedBox = named(
  'OpenedBox',
  closed(
    object({
      status: isSuccess,
      message: said(oneOf([message]), { description: 'The same in a sentence, for people.' }),
      prize: said(closed(wonPrize.type), { description: 'The prize that was won.' }),
      opening: said(closed(drawnOpening.type), {
        description: 'The opening, with what is needed to check its draw.',
      }),
    }),
  ),
)

/** The documented answer of `POST /box/open`, with the won prize. */
export function renderOpening(opening: Opening): string {
  return JSON.stringify({
    status: 'success',
    message,
    prize: wonPrize.render(opening),
    opening: drawnOpening.render(opening),
  })
}
