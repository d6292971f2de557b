import { order, orderDetails, revealedDelivery } from '../../admin/order-shapes.ts'
import { correctionInput, moveInputs, ordersInput, revealInput } from '../../admin/orders.ts'
import type { Description, Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

const endedAt = '2030-02-07T12:00:00.000Z'
const parcel = { provider: 'manual', carrier: 'DHL', tracking_number: 'JD0123456789' }
const movedTo: Record<keyof typeof moveInputs, object> = {
  confirm: { state: 'confirmed' },
  reject: { state: 'rejected', ended_at: endedAt },
  cancel: { state: 'cancelled', ended_at: endedAt },
  resume: { state: 'submitted', provider: 'http' },
  hold: { holds: ['kyc_pending'] },
  release: {},
  ship: { state: 'shipped', ...parcel },
  deliver: { state: 'delivered', ...parcel, ended_at: endedAt },
  exception: { state: 'exception', ...parcel, exception_reason: 'address_invalid' },
  reship: { state: 'confirmed', shipment_number: 2 },
}

function move(name: keyof typeof moveInputs, summary: string, description: string) {
  const isSaying = name === 'hold' || name === 'exception'
  return {
    operationId: name === 'exception' ? 'reportOrderException' : `${name}Order`,
    tag: 'Orders',
    summary,
    description,
    body: moveInputs[name],
    ...(isSaying ? {} : { isBodyOptional: true }),
    answers: {
      200: {
        description: 'The order as the move left it.',
        schema: success(order.type),
        example: movedTo[name],
      },
    },
    errors: ['order_unknown', 'revision_changed', 'transition_illegal'],
  } as const satisfies Description
}

export const orderDescriptions = {
  'GET /orders': {
    operationId: 'listOrders',
    tag: 'Orders',
    summary: 'List the orders',
    description: 'Of a state, of a player, held or not.',
    query: ordersInput,
    answers: { 200: { description: 'The orders, without delivery details.', schema: pageOf(order.type) } },
    errors: [],
  },
  'GET /orders/:order_id': {
    operationId: 'getOrder',
    tag: 'Orders',
    summary: 'Show an order',
    description:
      'With its history. Each reading of the delivery details is in the audit trail. People see them with `reveal` only.',
    answers: {
      200: {
        description: 'The order, with its delivery details until they are erased.',
        schema: success(orderDetails.type),
      },
    },
    errors: ['order_unknown'],
  },
  'POST /orders/:order_id/reveal': {
    operationId: 'revealOrderDelivery',
    tag: 'Orders',
    summary: 'Reveal the delivery details',
    description: 'To a person, who says why. Each time is in the audit trail.',
    body: revealInput,
    isBodyOptional: true,
    onlyReads: true,
    answers: {
      200: {
        description: 'The delivery details; null once they are erased.',
        schema: success(revealedDelivery.type),
        headers: ['Cache-Control'],
      },
    },
    errors: ['order_unknown'],
  },
  'PUT /orders/:order_id/delivery': {
    operationId: 'correctOrderDelivery',
    tag: 'Orders',
    summary: 'Correct the delivery details',
    description: 'All of them. An order that was confirmed with the old ones needs a new confirmation.',
    body: correctionInput,
    answers: { 200: { description: 'The order.', schema: success(order.type) } },
    errors: ['order_unknown', 'revision_changed', 'transition_illegal'],
  },
  'POST /orders/:order_id/confirm': move('confirm', 'Confirm an order', 'From then on it can be sent.'),
  'POST /orders/:order_id/reject': move(
    'reject',
    'Reject an order',
    'The player gets the prize back, or it is void.',
  ),
  'POST /orders/:order_id/cancel': move(
    'cancel',
    'Cancel an order',
    'The player gets the prize back, or it is void. What a provider has is cancelled when the provider agrees; ' +
      'repeated with `final` true, people have the last word.',
  ),
  'POST /orders/:order_id/resume': move(
    'resume',
    'Go on with a cancelled cancellation',
    'The order goes on from where it was before the cancellation.',
  ),
  'POST /orders/:order_id/hold': move('hold', 'Hold an order', 'While it is held it is not sent.'),
  'POST /orders/:order_id/release': move('release', 'Release an order', 'From one hold, or from all.'),
  'POST /orders/:order_id/ship': move(
    'ship',
    'Say that an order is on its way',
    'Or, later, with which carrier and tracking number.',
  ),
  'POST /orders/:order_id/deliver': move('deliver', 'Say that an order has arrived', 'That ends it.'),
  'POST /orders/:order_id/exception': move(
    'exception',
    'Say that an order has not arrived',
    'It can be sent again, or cancelled.',
  ),
  'POST /orders/:order_id/reship': move(
    'reship',
    'Send an order again',
    'As another parcel, with the next `shipment_number`.',
  ),
} as const satisfies Descriptions
