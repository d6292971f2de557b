import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { callerId, parseIdempotencyKey, parseInput } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

export const prizeCashbackInput = requestOf({
  player_id: required(callerId),
  prize_id: required(callerId),
})

/** `POST /prize/cashback`: the player takes the prize's cashback instead of the prize. */
export function createPrizeCashbackEndpoint({
  requestCashback,
  config,
}: Pick<ApiDeps, 'requestCashback' | 'config'>): PlayEndpoint {
  return async ({ caller, body, idempotencyKey, requestId }) => {
    const input = parseInput(prizeCashbackInput, body)
    const playerId = String(input.player_id)
    const prizeId = String(input.prize_id)
    const key = parseIdempotencyKey(idempotencyKey, { isRequired: caller.requiresIdempotencyKey })
    const answer = await requestCashback.run({
      casinoId: caller.casinoId,
      playerId,
      prizeId,
      claim:
        key === undefined
          ? undefined
          : { key, fingerprint: fingerprintOf(config.hashSecret, 'prize_cashback', { playerId, prizeId }) },
      actor: `key:${caller.keyId}`,
      requestId,
    })
    return toReply(answer)
  }
}
