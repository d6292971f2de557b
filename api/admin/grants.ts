import Joi from 'joi'
import { grantOpenings } from '../../core/grant/grant-openings.ts'
import type { Grant } from '../../core/grant/decide-grants.ts'
import { listGrants } from '../../core/grant/read-grants.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import type { ListQuery } from './list-query.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { pathId, timestamp, wholeNumber } from '../inputs.ts'
import { count, id, nullable, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'

/** What a player's export has of a grant: all but the player. */
export const grantOfPlayer = shapeOf<Omit<Grant, 'playerId'>>()(undefined, {
  grant_id: field(id, (grant) => grant.id),
  box_id: field(id, (grant) => grant.boxId),
  count: field(count, (grant) => grant.count, { description: 'How many openings.', example: 1 }),
  used: field(count, (grant) => grant.used, {
    description: 'How many of them were used.',
    example: 0,
  }),
  expires_at: field(nullable(time), (grant) => grant.expiresAt),
  created_at: field(time, (grant) => grant.createdAt),
})

export const grant = shapeOf<Grant>()('Grant', {
  ...grantOfPlayer.fields,
  player_id: field(id, ({ playerId }) => playerId),
})

interface GrantInput {
  player_id: string | number
  box_id: string | number
  count: number
  grant_id?: string | number
  expires_at?: Date
}

const grantsMax = 1_000
/** Nobody opens a box so often; a number beyond it is a mistake. */
const openingsMax = 1_000_000

export const grantsInput = Joi.object<{ grants: GrantInput[] }>({
  grants: boundedList(
    Joi.object({
      player_id: callerId.required(),
      box_id: callerId.required(),
      count: wholeNumber(1, openingsMax).required().description('How many openings.').example(1),
      grant_id: callerId.empty(null),
      expires_at: timestamp,
    }),
    { max: grantsMax },
  )
    .required()
    .description('The grants.'),
})

/**
 * `POST …/grants` gives all of the openings or none. A `grant_id` makes its grant safe to repeat; without one, sending it
 * again grants again.
 */
export function createPostGrants({
  database,
  clock,
  admitPlayers,
}: Pick<ApiDeps, 'database' | 'clock' | 'admitPlayers'>): CasinoEndpoint {
  return async ({ casinoId, claim, body }) => {
    const input = parseInput(grantsInput, body)
    const requests = input.grants.map(({ player_id, box_id, grant_id, expires_at, ...rest }) => ({
      playerId: String(player_id),
      boxId: String(box_id),
      count: rest.count,
      grantId: grant_id === undefined ? undefined : String(grant_id),
      expiresAt: expires_at ?? null,
    }))
    await admitPlayers(
      casinoId,
      requests.map(({ playerId }) => playerId),
    )
    const grants = await grantOpenings({ database, clock }, { casinoId, claim }, requests)
    return { body: success(grants.map(grant.render)) }
  }
}

export const listInput = Joi.object<ListQuery & { box_id?: string }>({
  ...listParameters(),
  box_id: callerId,
})

/** `GET …/players/{player_id}/grants` */
export function createListPlayerGrants({ database }: Pick<ApiDeps, 'database'>): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const { page, input } = parseListQuery(listInput, request.query)
    const filter = { casinoId: request.casinoId, playerId, boxId: input.box_id }
    return { body: renderList(await listGrants(database, filter, page), grant.render, page) }
  }
}
