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
        description: 'The order after the action.',
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
    description: 'Optionally only those in one state, of one player, or on hold.',
    query: ordersInput,
    answers: { 200: { description: 'The orders, without delivery details.', schema: pageOf(order.type) } },
    errors: [],
  },
  'GET /orders/:order_id': {
    operationId: 'getOrder',
    tag: 'Orders',
    summary: 'Show an order',
    description:
      'Shows its history. For keys it includes the delivery details, and each read is recorded in the audit trail. People use `reveal`.',
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
    description: 'Needs a reason. Each time is recorded in the audit trail.',
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
    description: 'Replaces all of them. An order that was already confirmed needs a new confirmation.',
    body: correctionInput,
    answers: { 200: { description: 'The order.', schema: success(order.type) } },
    errors: ['order_unknown', 'revision_changed', 'transition_illegal'],
  },
  'POST /orders/:order_id/confirm': move('confirm', 'Confirm an order', 'The order can then be sent.'),
  'POST /orders/:order_id/reject': move(
    'reject',
    'Reject an order',
    'The prize returns to the player, or is voided.',
  ),
  'POST /orders/:order_id/cancel': move(
    'cancel',
    'Cancel an order',
    'The prize returns to the player, or is voided. An order that a provider already has is cancelled once the provider agrees. ' +
      'Repeat the request with `final: true` to cancel it without the provider.',
  ),
  'POST /orders/:order_id/resume': move(
    'resume',
    'Withdraw a cancellation',
    'The order continues from where it was before the cancellation was requested.',
  ),
  'POST /orders/:order_id/hold': move('hold', 'Hold an order', 'An order is not sent while it is on hold.'),
  'POST /orders/:order_id/release': move('release', 'Release an order', 'Ends one hold, or all of them.'),
  'POST /orders/:order_id/ship': move(
    'ship',
    'Mark an order as shipped',
    'Can be repeated to change the carrier and tracking number.',
  ),
  'POST /orders/:order_id/deliver': move(
    'deliver',
    'Mark an order as delivered',
    'The order is then finished.',
  ),
  'POST /orders/:order_id/exception': move(
    'exception',
    'Mark an order as not delivered',
    'It can then be sent again or cancelled.',
  ),
  'POST /orders/:order_id/reship': move(
    'reship',
    'Send an order again',
    'Sends another parcel, with the next `shipment_number`.',
  ),
} as const satisfies Descriptions
