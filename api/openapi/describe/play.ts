import { boxOpenInput } from '../../endpoints/box-open.ts'
import { prizeCashbackInput } from '../../endpoints/prize-cashback.ts'
import { prizeOrderInput } from '../../endpoints/prize-order.ts'
import { itemKinds } from '../../../core/item/item-kinds.ts'
import type { Description, Descriptions } from '../description.ts'
import {
  boolean,
  count,
  currency,
  id,
  matching,
  named,
  object,
  oneOf,
  string,
  time,
} from '../../json-schema.ts'
import type { JsonSchema } from '../../json-schema.ts'

/** Its keys are all there are, unlike those of the other answers, which may have more one day. */
function closed(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false }
}

const hash = matching(/^[0-9a-f]{64}$/)

const cashbackValue = named('WonCashback', closed(object({ amount_minor: count, currency })))

const wonPrize = closed(
  object(
    { id, item_id: id, name: string, kind: oneOf(itemKinds) },
    { description: string, image_url: string, cashback: cashbackValue, expires_at: time },
  ),
)

const opening = closed(
  object(
    {
      id: matching(/^opn_[0-9a-f]{32}$/, 'opn_01b977d7aa0076a1b2c3d4e5f6071801'),
      box_id: id,
      box_version: count,
      odds_hash: hash,
      seed_id: matching(/^sed_[0-9a-f]{32}$/),
      seed_commitment: hash,
      nonce: count,
    },
    { client_seed: string, substituted_for: id, forced: boolean },
  ),
)

const openedBox = named(
  'OpenedBox',
  closed(
    object({
      status: oneOf(['success']),
      message: oneOf(['Box opened successfully']),
      prize: named('WonPrize', wonPrize),
      opening: named('Opening', opening),
    }),
  ),
)

function recorded(title: string, message: string): JsonSchema {
  return named(title, closed(object({ status: oneOf(['success']), message: oneOf([message]) })))
}

const repeatable = {
  tag: 'Operations',
  headers: ['Idempotency-Key'],
} as const satisfies Partial<Description>

export const playDescriptions = {
  'POST /box/open': {
    operationId: 'openBox',
    ...repeatable,
    headers: ['Idempotency-Key', 'X-Test-Outcome'],
    summary: 'Open a box',
    description:
      'Uses one of the openings that the player has, draws a prize and puts it into the player’s inventory. The prize’s `id` is what the other two operations take as `prize_id`.',
    body: boxOpenInput,
    answers: {
      200: {
        description: 'The box was opened.',
        schema: openedBox,
        headers: ['Idempotency-Replayed'],
      },
    },
    errors: [
      'box_unknown',
      'box_closed',
      'box_sold_out',
      'opening_not_entitled',
      'test_outcome_unknown',
      'overloaded',
    ],
  },
  'POST /prize/order': {
    operationId: 'orderPrize',
    ...repeatable,
    summary: 'Order a prize',
    description:
      'Records that the player wants a physical prize sent. It is sent once the casino has confirmed the order.',
    body: prizeOrderInput,
    answers: {
      200: {
        description: 'The order is recorded.',
        schema: recorded('RecordedOrder', 'Prize order recorded. Awaiting confirmation for shipment.'),
        headers: ['Idempotency-Replayed'],
      },
    },
    errors: ['prize_unknown', 'prize_not_owned', 'prize_not_orderable', 'overloaded'],
  },
  'POST /prize/cashback': {
    operationId: 'cashBackPrize',
    ...repeatable,
    summary: 'Cash a prize back',
    description: 'Records that the player takes the prize’s cashback instead of the prize.',
    body: prizeCashbackInput,
    answers: {
      200: {
        description: 'The decision is recorded.',
        schema: recorded('RecordedCashback', 'Cashback decision recorded'),
        headers: ['Idempotency-Replayed'],
      },
    },
    errors: ['prize_unknown', 'prize_not_owned', 'prize_not_cashable', 'overloaded'],
  },
} as const satisfies Descriptions
