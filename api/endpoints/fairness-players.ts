import Joi from 'joi'
import { getClientSeed, setClientSeed } from '../../core/player/client-seeds.ts'
import type { ClientSeedState } from '../../core/player/client-seeds.ts'
import type { ApiDeps } from '../deps.ts'
import type { EndpointReply, PlayEndpoint } from '../endpoint.ts'
import { callerId, parseInput } from '../parse-input.ts'

const playerParams = Joi.object<{ player_id: string | number }>({ player_id: callerId.required() })

/** Kept as it is, white space too: it is the player's, who recomputes outcomes with it. `null` takes it back. */
export const clientSeedInput = Joi.object<{ client_seed: string | null }>({
  client_seed: Joi.string()
    .max(128)
    .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
    .allow(null)
    .required(),
})

/**
 * `PUT /fairness/players/{player_id}/client-seed`: what the player wants mixed in from the next seed on that is new to
 * them.
 */
export function createPutClientSeed({
  database,
  loadActiveSeeds,
}: Pick<ApiDeps, 'database' | 'loadActiveSeeds'>): PlayEndpoint {
  return async ({ caller, params, body }) => {
    const playerId = parsePlayerId(params)
    const { client_seed: clientSeed } = parseInput(clientSeedInput, body)
    // First of all the casino's seeds: whoever makes one later knows what it will be mixed with.
    await loadActiveSeeds([caller.casinoId])
    return render(playerId, await setClientSeed(database, caller.casinoId, playerId, clientSeed))
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

function render(playerId: string, { clientSeed, appliesFrom, inForce }: ClientSeedState): EndpointReply {
  return {
    body: {
      status: 'success',
      data: {
        player_id: playerId,
        client_seed: clientSeed,
        applies_from: appliesFrom,
        in_force: inForce === null ? null : { seed_id: inForce.seedId, client_seed: inForce.clientSeed },
      },
    },
  }
}
