import { boxOpenInput } from '../../endpoints/box-open.ts'
import { prizeCashbackInput } from '../../endpoints/prize-cashback.ts'
import { prizeOrderInput } from '../../endpoints/prize-order.ts'
import { cashbackRecorded, openedBox, orderRecorded } from '../../success-body.ts'
import type { Description, Descriptions } from '../description.ts'

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
        schema: orderRecorded.type,
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
        schema: cashbackRecorded.type,
        headers: ['Idempotency-Replayed'],
      },
    },
    errors: ['prize_unknown', 'prize_not_owned', 'prize_not_cashable', 'overloaded'],
  },
} as const satisfies Descriptions
