import Joi from 'joi'
import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { callerId, parseIdempotencyKey, parseInput } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

export const boxOpenInput = Joi.object<{ player_id: string | number; box_id: string | number }>({
  player_id: callerId.required(),
  box_id: callerId.required(),
})

/** `POST /box/open`: the player opens a box and wins a prize. */
export function createBoxOpenEndpoint({
  openBox,
  config,
}: Pick<ApiDeps, 'openBox' | 'config'>): PlayEndpoint {
  return async ({ caller, body, idempotencyKey, requestId }) => {
    const input = parseInput(boxOpenInput, body)
    const playerId = String(input.player_id)
    const boxId = String(input.box_id)
    const key = parseIdempotencyKey(idempotencyKey)
    const answer = await openBox.run({
      casinoId: caller.casinoId,
      playerId,
      boxId,
      forcedItemId: undefined,
      claim:
        key === undefined
          ? undefined
          : { key, fingerprint: fingerprintOf(config.hashSecret, 'box_open', { playerId, boxId }) },
      actor: `key:${caller.keyId}`,
      requestId,
    })
    return toReply(answer)
  }
}
