import Joi from 'joi'
import { RewardsError } from '../../core/errors.ts'
import { updateKeys, toShipmentUpdate } from '../../core/partner/fulfilment-provider.ts'
import { shipmentStatuses } from '../../core/partner/provider-outcome.ts'
import type { ShipmentStatus } from '../../core/partner/provider-outcome.ts'
import { verifySignature } from '../../core/partner/signature.ts'
import { updateAheadMaxMs, receiveShipmentUpdate } from '../../core/prize-order/receive-shipment-update.ts'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { PartnerEndpoint } from '../endpoint.ts'
import { inputError, int32Max, wholeNumber } from '../inputs.ts'
import { callerId, parseInput, refuseApiKeys } from '../parse-input.ts'

const orderId = /^ord_[0-9a-f]{32}$/
export const input = requestOf({
  order_id: required(Joi.string())
    .custom((value: string, helpers) => (orderId.test(value) ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{{#label}} must be the id of an order: ord_ and 32 hexadecimal digits' })
    .meta({ jsonSchema: { type: 'string', minLength: 1, pattern: orderId.source } }),
  shipment_number: required(wholeNumber(1, int32Max)),
  status: required(choice<ShipmentStatus>(shipmentStatuses)),
  ...updateKeys,
})

/**
 * `POST /partners/fulfilment/{casino_id}`: a shipment update from a casino's fulfilment provider, signed as Standard
 * Webhooks are with a secret of the casino's setting. A report is kept, once for each `webhook-id`, before it is
 * answered; whether anything follows is decided afterwards, so a repeated or old update is a success too.
 */
export function createPartnersFulfilmentEndpoint({
  database,
  clock,
  handOver,
  findSettings,
}: Pick<ApiDeps, 'database' | 'clock' | 'handOver' | 'findSettings'>): PartnerEndpoint {
  return async ({ caller, body, params }) => {
    const casinoId = params['casino_id'] ?? ''
    // An unsigned request learns nothing, not even which casinos exist.
    if (callerId.validate(casinoId).error !== undefined) throw new RewardsError('signature_invalid')
    const secrets = (await findSettings([casinoId])).get(casinoId)?.get('fulfilment').secrets ?? []
    const verified = verifySignature(secrets, caller.headers, caller.rawBody, clock.now())
    if (verified.kind === 'invalid') throw new RewardsError('signature_invalid')
    if (callerId.validate(verified.id).error !== undefined) throw new RewardsError('signature_invalid')
    refuseApiKeys({ 'webhook-id': verified.id })
    const update = parseInput(input, body)
    if (update.occurred_at.getTime() > clock.now().getTime() + updateAheadMaxMs) {
      throw inputError('occurred_at', 'max', 'occurred_at must not be more than a day ahead of now')
    }
    await receiveShipmentUpdate({ database, clock, handOver }, casinoId, {
      id: verified.id,
      orderId: update.order_id,
      shipmentNumber: update.shipment_number,
      ...toShipmentUpdate(update),
    })
    return { body: { status: 'success' } }
  }
}
