import { isUtf8 } from 'node:buffer'
import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { callerId, InputError, parseIdempotencyKey, parseInput } from '../parse-input.ts'
import { toReply } from './play-reply.ts'

export const boxOpenInput = requestOf({
  player_id: required(callerId),
  box_id: required(callerId),
})

/** `POST /box/open`: the player opens a box and wins a prize, in a sandbox the one that `X-Test-Outcome` names. */
export function createBoxOpenEndpoint({
  openBox,
  config,
}: Pick<ApiDeps, 'openBox' | 'config'>): PlayEndpoint {
  return async ({ caller, body, idempotencyKey, testOutcome, requestId }) => {
    const input = parseInput(boxOpenInput, body)
    const playerId = String(input.player_id)
    const boxId = String(input.box_id)
    const key = parseIdempotencyKey(idempotencyKey, { isRequired: caller.requiresIdempotencyKey })
    // Outside of a sandbox only chance decides, also if a live key sends an outcome.
    const forcedItemId = caller.sandboxOf === null ? undefined : parseTestOutcome(testOutcome)
    const parameters = { playerId, boxId, forcedItemId }
    const answer = await openBox.run({
      casinoId: caller.casinoId,
      playerId,
      boxId,
      forcedItemId,
      claim:
        key === undefined
          ? undefined
          : { key, fingerprint: fingerprintOf(config.hashSecret, 'box_open', parameters) },
      actor: `key:${caller.keyId}`,
      requestId,
    })
    return toReply(answer)
  }
}

/** Reads an `X-Test-Outcome` header: an item's id, in UTF-8. */
function parseTestOutcome(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const bytes = Buffer.from(header, 'latin1') // as which Node reads headers
  const itemId = bytes.toString()
  if (isUtf8(bytes) && callerId.validate(itemId).error === undefined) return itemId
  throw new InputError({
    'X-Test-Outcome': [
      { error: 'identifier', message: 'X-Test-Outcome must be an item_id of 1 to 128 characters' },
    ],
  })
}
