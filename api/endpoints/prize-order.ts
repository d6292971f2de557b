import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { deliveryInput } from '../shapes/delivery-details.ts'
import { callerId, parseIdempotencyKey, parseInput } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

export const prizeOrderInput = requestOf({
  player_id: required(callerId),
  prize_id: required(callerId),
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
