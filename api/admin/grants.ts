import { grantOpenings } from '../../core/grant/grant-openings.ts'
import type { Grant } from '../../core/grant/decide-grants.ts'
import { listGrants, listPlayerGrants } from '../../core/grant/read-grants.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, idInQuery, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { pathId, timestamp, wholeNumber } from '../inputs.ts'
import { count, id, nullable, time } from '../../core/shape/json-schema.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'

const grantsMax = 1_000
/** No player opens a box so often; a number beyond it is a mistake. */
const openingsMax = 1_000_000

/** A grant in a player's export: all but the player. */
export const grantOfPlayer = shapeOf<Omit<Grant, 'playerId'>>()(undefined, {
  grant_id: field(id, (grant) => grant.id, { input: callerId.empty(null) }),
  box_id: field(id, (grant) => grant.boxId, { input: required(callerId) }),
  count: field(count, (grant) => grant.count, {
    description: 'The number of openings.',
    example: 1,
    input: required(wholeNumber(1, openingsMax)),
  }),
  used: field(count, (grant) => grant.used, {
    description: 'The number of used openings.',
    example: 0,
  }),
  expires_at: field(nullable(time), (grant) => grant.expiresAt, { input: timestamp }),
  created_at: field(time, (grant) => grant.createdAt),
})

export const grant = shapeOf<Grant>()('Grant', {
  ...grantOfPlayer.fields,
  player_id: field(id, ({ playerId }) => playerId, { input: required(callerId) }),
})

export const grantsInput = requestOf({
  grants: required(boundedList(requestOf(inputsOf(grant.fields)), { max: grantsMax })).description(
    'The grants.',
  ),
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
      requests.map(({ playerId }) => playerId, { input: required(callerId) }),
    )
    const grants = await grantOpenings({ database, clock }, { casinoId, claim }, requests)
    return { body: success(grants.map(grant.render)) }
  }
}

/** `GET …/grants`: the newest first. */
export function createListGrants({ database }: Pick<ApiDeps, 'database'>): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(grantsQuery, query, 'desc')
    const filter = { casinoId, boxId: input.box_id, grantId: input.grant_id }
    const grants = await listGrants(database, filter, page)
    return { body: renderList(grants, grant.render, page) }
  }
}

export const grantsQuery = requestOf({
  ...listParameters('desc', 'their times'),
  box_id: idInQuery,
  grant_id: idInQuery.description('Only this grant.'),
})

export const playerGrantsQuery = requestOf({
  ...listParameters(),
  box_id: idInQuery,
  grant_id: idInQuery.description('Only this grant.'),
})

/** `GET …/players/{player_id}/grants` */
export function createListPlayerGrants({ database }: Pick<ApiDeps, 'database'>): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const { page, input } = parseListQuery(playerGrantsQuery, request.query)
    const { box_id: boxId, grant_id: grantId } = input
    const filter = { casinoId: request.casinoId, playerId, boxId, grantId }
    return { body: renderList(await listPlayerGrants(database, filter, page), grant.render, page) }
  }
}
