import Joi from 'joi'
import { getClientSeed, setClientSeed } from '../../core/player/client-seeds.ts'
import type { ClientSeedState } from '../../core/player/client-seeds.ts'
import { id, nullable, oneOf, seedId, string } from '../../core/shape/json-schema.ts'
import { orNull, requestOf, required } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { EndpointReply, PlayEndpoint } from '../endpoint.ts'
import { callerId, parseInput } from '../parse-input.ts'

const clientSeedInForce = shapeOf<NonNullable<ClientSeedState['inForce']>>()(undefined, {
  seed_id: field(seedId, (seed) => seed.seedId),
  client_seed: field(nullable(string), (seed) => seed.clientSeed),
})

export const clientSeed = shapeOf<ClientSeedState & { playerId: string }>()('ClientSeed', {
  player_id: field(id, ({ playerId }) => playerId),
  client_seed: field(nullable(string), (state) => state.clientSeed),
  applies_from: field(oneOf(['active', 'next']), ({ appliesFrom }) => appliesFrom, {
    description: 'From which seed on the client seed applies.',
    example: 'active',
  }),
  in_force: field(
    nullable(clientSeedInForce.type),
    ({ inForce }) => inForce && clientSeedInForce.render(inForce),
    { description: 'The client seed under the seed in use.' },
  ),
})

const playerParams = requestOf({ player_id: required(callerId) })

/** Stored unchanged, with its white space: the player recomputes outcomes with it. `null` removes it. */
export const clientSeedInput = requestOf({
  client_seed: required(
    orNull(
      Joi.string()
        .max(128)
        .pattern(/^[^\p{Cc}\p{Cs}]*$/u),
    ),
  ),
})

/**
 * `PUT /fairness/players/{player_id}/client-seed`: the client seed for the player's draws, from the next server seed on
 * that is new to the player.
 */
export function createPutClientSeed({
  database,
  loadActiveSeeds,
}: Pick<ApiDeps, 'database' | 'loadActiveSeeds'>): PlayEndpoint {
  return async ({ caller, params, body }) => {
    const playerId = parsePlayerId(params)
    const wanted = parseInput(clientSeedInput, body).client_seed
    // The casino's seeds must exist first: a later one could be chosen to fit the client seed.
    await loadActiveSeeds([caller.casinoId])
    return render(playerId, await setClientSeed(database, caller.casinoId, playerId, wanted))
  }
}

/** `GET /fairness/players/{player_id}/client-seed` */
export function createGetClientSeed({ database }: Pick<ApiDeps, 'database'>): PlayEndpoint {
  return async ({ caller, params }) => {
    const playerId = parsePlayerId(params)
    return render(playerId, await getClientSeed(database, caller.casinoId, playerId))
  }
}

function parsePlayerId(params: Readonly<Record<string, string>>): string {
  return String(parseInput(playerParams, { kind: 'object', value: params }).player_id)
}

function render(playerId: string, state: ClientSeedState): EndpointReply {
  return { body: { status: 'success', data: clientSeed.render({ ...state, playerId }) } }
}
