import Joi from 'joi'
import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { callerId, parseIdempotencyKey, parseInput, text } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

interface Input extends DeliveryDetails {
  player_id: string | number
  prize_id: string | number
}

/** The longest e-mail address is 254 characters (RFC 5321); the other limits are ours. */
export const prizeOrderInput = Joi.object<Input>({
  player_id: callerId.required(),
  prize_id: callerId.required(),
  recipient_name: text(200).required(),
  street: text(300).required(),
  city: text(120).required(),
  state: text(120),
  postal_code: text(32).required(),
  country: text(100).required(),
  phone_number: text(50),
  email: text(254).email({ tlds: false }),
  additional_notes: text(2000),
})

/** `POST /prize/order`: the player wants the prize sent. */
export function createPrizeOrderEndpoint({
  placeOrder,
  config,
}: Pick<ApiDeps, 'placeOrder' | 'config'>): PlayEndpoint {
  return async ({ caller, body, idempotencyKey, requestId }) => {
    const { player_id, prize_id, ...delivery } = parseInput(prizeOrderInput, body)
    const playerId = String(player_id)
    const prizeId = String(prize_id)
    const key = parseIdempotencyKey(idempotencyKey)
    const answer = await placeOrder.run({
      casinoId: caller.casinoId,
      playerId,
      prizeId,
      delivery,
      claim:
        key === undefined
          ? undefined
          : {
              key,
              fingerprint: fingerprintOf(config.hashSecret, 'prize_order', {
                playerId,
                prizeId,
                ...delivery,
              }),
            },
      actor: `key:${caller.keyId}`,
      requestId,
    })
    return toReply(answer)
  }
}
