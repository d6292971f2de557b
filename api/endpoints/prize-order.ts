import Joi from 'joi'
import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { deliveryInput } from '../shapes/delivery-details.ts'
import { callerId, parseIdempotencyKey, parseInput } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

interface Input extends DeliveryDetails {
  player_id: string | number
  prize_id: string | number
}

export const prizeOrderInput = Joi.object<Input>({
  player_id: callerId.required(),
  prize_id: callerId.required(),
  ...deliveryInput,
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
    const key = parseIdempotencyKey(idempotencyKey, { isRequired: caller.requiresIdempotencyKey })
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
