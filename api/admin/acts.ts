import Joi from 'joi'
import { actActions, meaningOf } from '../../core/act/decide-act.ts'
import type { ActAction, ActParam, ActParams } from '../../core/act/decide-act.ts'
import type { ActMove } from '../../core/act/decide-act-move.ts'
import { makeAct } from '../../core/act/make-act.ts'
import { moveAct } from '../../core/act/move-act.ts'
import { getAct, listActObjects, listActs } from '../../core/act/read-acts.ts'
import { actObjectStates, actTransitions } from '../../core/act/state.ts'
import type { ActState } from '../../core/act/state.ts'
import type { ReversalPrize } from '../../core/cashback/cashback.ts'
import type { ResolvedOutcome } from '../../core/cashback/decide-resolution.ts'
import { RewardsError } from '../../core/errors.ts'
import { rightsOf } from '../../core/operator/rights.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { exceptionReasons, holdReasons } from '../../core/prize-order/state.ts'
import type { ExceptionReason, HoldReason } from '../../core/prize-order/state.ts'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { Operator } from '../endpoint.ts'
import { expectedRevision, inputError, pathId, reason } from '../inputs.ts'
import { pageParameters, parsePageQuery, renderPage } from '../paging.ts'
import { callerId, parseInput, text } from '../parse-input.ts'
import { act, actObject, renderMadeAct } from './act-shapes.ts'
import { approvalLimitsOf } from './approvals.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { success } from './render.ts'
import { replayInput, selectEvents } from './webhook-replays.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'handOver' | 'admitPlayers'>

/** A person has looked at each of them. */
const objectsMax = 1_000

const strictBoolean = Joi.boolean().strict()

const params = requestOf({
  return_prize: strictBoolean
    .description('Of `order.reject` and `order.cancel`, as for the single order.')
    .example(true),
  final: strictBoolean.description('Of `order.cancel`, as for the single order.').example(true),
  hold_reason: choice<HoldReason>(holdReasons),
  exception_reason: choice<ExceptionReason>(exceptionReasons),
  carrier: text(100),
  outcome: choice<ResolvedOutcome>(['credited', 'declined', 'reversed'])
    .description('Of `cashback.resolve`: what the wallet has done.')
    .example('credited'),
  prize: choice<ReversalPrize>(['return', 'void'])
    .description('Of `cashback.reverse`: whether the prize goes back to the player or is void.')
    .example('return'),
  money_back: strictBoolean
    .description('Of `cashback.reverse`: the casino has the money already, so no wallet is asked.')
    .example(false),
  item_id: callerId.description('Of `player.give-prize`: what the prizes are.').example('mug'),
  endpoint_id: callerId,
})

export const actInput = requestOf({
  action: required(choice<ActAction>(actActions))
    .description('The action on each object.')
    .example('order.confirm'),
  params: params.description('The further fields of the action, the same for each object.').example({}),
  object_ids: boundedList(callerId, { max: objectsMax })
    .description('The objects, each once. Required, except with `event_range`.')
    .example(['ord_01b977d7aa0076a1b2c3d4e5f6071803']),
  event_range: replayInput.description(
    'Only for `event.replay` with an `endpoint_id`, instead of `object_ids`: the events that the endpoint was given in a time. Up to 10,000 are selected.',
  ),
  expected_revisions: boundedList(expectedRevision, { max: objectsMax })
    .description(
      'The revision that the caller has seen of each object, in the order of `object_ids`. An object that has changed since is refused. Only for orders, cashbacks and prizes.',
    )
    .example([3]),
})

export const actMoveInput = requestOf({ reason: required(reason).example('The warehouse has them') })

export const actsInput = requestOf({
  ...listParameters('desc'),
  state: choice(Object.keys(actTransitions) as ActState[]),
})

export const actObjectsInput = requestOf({ ...pageParameters, state: choice(actObjectStates) })

/** `POST …/acts`: previews an action on a selection, and freezes it. Changes none of the objects. */
export function createPostAct(deps: Deps): CasinoEndpoint {
  return async ({ casinoId, caller, actor, claim, body }) => {
    const input = parseInput(actInput, body)
    const { action, params: given = {} } = input
    refuseWithoutRight(caller, action)
    const params = paramsOf(action, given)
    const { objectIds, nextCursor } = await selectionOf(deps, casinoId, { ...input, params })
    if (new Set(objectIds).size < objectIds.length) {
      throw inputError('object_ids', 'unique', 'object_ids must not have an object twice')
    }
    const expectedRevisions = revisionsOf(action, objectIds, input.expected_revisions)
    if (meaningOf(action).objectType === 'player') await deps.admitPlayers(casinoId, objectIds)
    const made = await makeAct(deps, {
      casinoId,
      action,
      params,
      objectIds,
      expectedRevisions,
      actor,
      limits: await approvalLimitsOf(deps, casinoId),
      claim,
    })
    return { status: 201, body: success(renderMadeAct({ ...made, nextCursor })) }
  }
}

/** The ids of the request, or those of the range of events. Throws an InputError unless there is one of the two. */
async function selectionOf(
  deps: Deps,
  casinoId: string,
  {
    action,
    object_ids: ids,
    event_range: range,
    params,
  }: Omit<ParsedBy<typeof actInput>, 'params'> & { params: ActParams },
): Promise<{ objectIds: string[]; nextCursor: string | undefined }> {
  if (range === undefined) {
    if (ids === undefined) throw inputError('object_ids', 'required', 'object_ids is required')
    return { objectIds: ids.map(String), nextCursor: undefined }
  }
  if (ids !== undefined)
    throw inputError('event_range', 'unknown', 'event_range takes the place of object_ids: send one of them')
  const { endpoint_id: endpointId } = params
  if (action !== 'event.replay')
    throw inputError('event_range', 'unknown', `event_range is not for ${action}`)
  if (endpointId === undefined) {
    throw inputError('params.endpoint_id', 'required', 'params.endpoint_id is required with event_range')
  }
  const { eventIds, nextCursor } = await selectEvents(deps, { casinoId, endpointId }, range, 'event_range')
  if (eventIds.length === 0)
    throw inputError('event_range', 'empty', 'event_range has no events to send again')
  return { objectIds: [...eventIds], nextCursor }
}

/** `POST …/acts/{act_id}/start`, `approve`, `decline` and `stop`. Answers the act as it is then. */
export function createMoveAct(deps: Deps, move: ActMove): CasinoEndpoint {
  return async (request) => {
    const { casinoId, caller, actor, requestId, claim, body } = request
    const actId = pathId(request, 'act_id')
    const { reason: why } = parseInput(actMoveInput, body)
    refuseWithoutRight(caller, (await getAct(deps.database, casinoId, actId)).action)
    const limits = await approvalLimitsOf(deps, casinoId)
    const moved = await moveAct(deps, { casinoId, actId, move, actor, reason: why, requestId, limits, claim })
    return { body: success(act.render(moved)) }
  }
}

/** `GET …/acts?state=`, the newest first unless `order` is `asc`. */
export function createListActs({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(actsInput, query, 'desc')
    return {
      body: renderList(await listActs(database, { casinoId, state: input.state }, page), act.render, page),
    }
  }
}

/** `GET …/acts/{act_id}` */
export function createGetAct({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async (request) => ({ body: success(act.render(await findAct(database, request))) })
}

/** `GET …/acts/{act_id}/objects?state=`, by their ids. */
export function createListActObjects({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async (request) => {
    const { page, input } = parsePageQuery(actObjectsInput, request.query)
    const { id: actId } = await findAct(database, request)
    const objects = await listActObjects(database, { actId, state: input.state }, page)
    return { body: renderPage(objects, actObject.render) }
  }
}

function findAct(database: Deps['database'], request: CasinoRequest) {
  return getAct(database, request.casinoId, pathId(request, 'act_id'))
}

/** The route is open to all roles: the needed right depends on the action. */
function refuseWithoutRight(caller: Operator, action: ActAction): void {
  if (caller.kind === 'person' && !rightsOf(caller.record.role).includes(meaningOf(action).right)) {
    throw new RewardsError('right_missing')
  }
}

/** Those of the action. Throws an InputError for one that is missing, or belongs to another action. */
function paramsOf(
  action: ActAction,
  { endpoint_id: endpointId, item_id: itemId, ...given }: ParsedBy<typeof params>,
): ActParams {
  const all: ActParams = {
    ...given,
    ...(endpointId === undefined ? {} : { endpoint_id: String(endpointId) }),
    ...(itemId === undefined ? {} : { item_id: String(itemId) }),
  }
  const { required: needed, optional } = meaningOf(action)
  for (const name of needed) {
    if (all[name] === undefined) throw inputError(`params.${name}`, 'required', `params.${name} is required`)
  }
  const known: readonly string[] = [...needed, ...optional] satisfies ActParam[]
  for (const name of Object.keys(all)) {
    if (known.includes(name)) continue
    throw inputError(`params.${name}`, 'unknown', `params.${name} is not a field of ${action}`)
  }
  return all
}

/** By the objects' ids. Throws an InputError unless there is one for each of them. */
function revisionsOf(
  action: ActAction,
  objectIds: readonly string[],
  expected: readonly number[] | undefined,
): ReadonlyMap<string, number> {
  if (expected === undefined) return new Map()
  const { objectType } = meaningOf(action)
  if (objectType === 'player' || objectType === 'event') {
    const message = `expected_revisions is not for ${action}: a ${objectType} has no revision`
    throw inputError('expected_revisions', 'unknown', message)
  }
  const entries = objectIds.flatMap((objectId, index) => {
    const revision = expected[index]
    return revision === undefined ? [] : [[objectId, revision] as const]
  })
  if (entries.length === objectIds.length && expected.length === objectIds.length) return new Map(entries)
  const message = 'expected_revisions must have one revision for each object of object_ids'
  throw inputError('expected_revisions', 'length', message)
}
