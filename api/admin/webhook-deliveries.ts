import Joi from 'joi'
import { choice, requestOf, withDefault } from '../../core/shape/request-shape.ts'
import { RewardsError } from '../../core/errors.ts'
import { getEvent } from '../../core/event/read-events.ts'
import { eventObject, parsePublicEventId } from '../../core/event/public-event.ts'
import { publicReceiverProblem } from '../../core/partner/public-problem.ts'
import { deliveryStates } from '../../core/webhook/delivery.ts'
import type { DeliveryState } from '../../core/webhook/delivery.ts'
import { getEndpoint } from '../../core/webhook/endpoints.ts'
import { listDeliveries, listDeliveriesOfEvent } from '../../core/webhook/read-deliveries.ts'
import type { DeliveryRecord } from '../../core/webhook/read-deliveries.ts'
import { replayEvent, replayFailed, replayRange } from '../../core/webhook/replay.ts'
import { testEndpoint, testEvent } from '../../core/webhook/test-endpoint.ts'
import type { EndpointTest } from '../../core/webhook/test-endpoint.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listParameters, parseListQuery, rangeOf, rangeParameters, renderList } from './list-query.ts'
import { decodePosition, encodePosition } from './events.ts'
import { inputError, pathId, timestamp } from '../inputs.ts'
import { decodeCursor, encodeCursor } from '../paging.ts'
import {
  boolean,
  count,
  eventId,
  id,
  list,
  nullable,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'
import { endpointNameOf } from './webhook-endpoints.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'log' | 'sendRequest' | 'runProbe'>

export const delivery = shapeOf<DeliveryRecord>()('WebhookDelivery', {
  delivery_id: field(id, (delivery) => delivery.id),
  endpoint_id: field(id, (delivery) => delivery.endpointId),
  event_id: field(eventId, (delivery) => delivery.eventId, {
    description: 'The event.',
    example: 'evt_1234',
  }),
  event_type: field(string, (delivery) => delivery.eventType, {
    description: 'The event’s type.',
    example: 'prize.won',
  }),
  object: field(eventObject.type, eventObject.render, { description: 'The object that it is about.' }),
  sequence: field(count, (delivery) => delivery.sequence, {
    description: 'Counts what happens to one object, or the openings of one player, from 1.',
    example: 1,
  }),
  replay_number: field(count, (delivery) => delivery.replayNumber, {
    description: '0 for the first delivery, then 1, 2 … for each repetition.',
    example: 0,
  }),
  state: field(oneOf(deliveryStates), (delivery) => delivery.state, { example: 'delivered' }),
  attempts: field(count, (delivery) => delivery.attempts),
  last_status: field(nullable(count), (delivery) => delivery.lastStatus, {
    description: 'The HTTP status of the last attempt.',
    example: 204,
  }),
  last_problem: field(nullable(string), (delivery) => publicReceiverProblem(delivery.lastProblem), {
    description: 'Why the last attempt failed; `no_answer` for every failure without an answer.',
    example: null,
  }),
  next_attempt_at: field(nullable(time), (delivery) => delivery.nextAttemptAt, {
    description: 'When it is tried again.',
    example: null,
  }),
  created_at: field(time, (delivery) => delivery.createdAt),
  updated_at: field(time, (delivery) => delivery.updatedAt),
})

interface Replayed {
  deliveryId: string
  endpointId: string
}

const replayedDelivery = shapeOf<Replayed>()('ReplayedDelivery', {
  delivery_id: field(id, ({ deliveryId }) => deliveryId),
  endpoint_id: field(id, ({ endpointId }) => endpointId),
})

export const replayedEvent = shapeOf<{ replayed: readonly Replayed[] }>()('ReplayedEvent', {
  replayed: field(list(replayedDelivery.type), ({ replayed }) => replayed.map(replayedDelivery.render), {
    description: 'The new deliveries.',
  }),
})

export const replayedEvents = shapeOf<{ count: number }>()('ReplayedEvents', {
  replayed_count: field(count, (replayed) => replayed.count, {
    description: 'The number of deliveries that are sent again.',
    example: 12,
  }),
})

export const deliveriesInput = requestOf({
  ...listParameters('desc'),
  state: choice<DeliveryState>(deliveryStates),
})

/** `GET …/webhook-endpoints/{endpoint_id}/deliveries?state=`, the newest first unless `order` is `asc`. */
export function createListDeliveries({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const { page, input } = parseListQuery(deliveriesInput, request.query, 'desc')
    await getEndpoint(database, name)
    return {
      body: renderList(await listDeliveries(database, name, input.state, page), delivery.render, page),
    }
  }
}

export const eventDeliveriesInput = requestOf(rangeParameters('desc'))

/** `GET …/events/{event_id}/deliveries`: to all endpoints, the newest first unless `order` is `asc`. */
export function createListEventDeliveries({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const range = rangeOf(parseInput(eventDeliveriesInput, { kind: 'object', value: request.query }))
    const eventNumber = await eventNumberOf(database, request)
    const deliveries = await listDeliveriesOfEvent(database, request.casinoId, eventNumber, range)
    return { body: success(deliveries.map(delivery.render)) }
  }
}

export const replayEventInput = requestOf({
  endpoint_id: callerId.empty(null),
})

/** `POST …/events/{event_id}/replay`: sends the event again, to one endpoint or to all that want its type. */
export function createReplayEvent({ database, clock }: Deps): CasinoEndpoint {
  return async (request) => {
    const eventNumber = await eventNumberOf(database, request)
    const { endpoint_id } = parseInput(replayEventInput, request.body)
    const endpointId = endpoint_id === undefined ? undefined : String(endpoint_id)
    const of = { casinoId: request.casinoId, eventNumber, endpointId, claim: request.claim }
    const replayed = await replayEvent({ database, clock }, of)
    return {
      body: success(replayedEvent.render({ replayed })),
    }
  }
}

export const replayInput = requestOf({
  from: timestamp.description('From which time on.').example('2030-01-31T00:00:00Z'),
  until: timestamp.description('A time; without it now.').example('2030-02-01T00:00:00Z'),
  only_failed: withDefault(Joi.boolean().strict().empty(null), false)
    .description('Only those that have failed permanently.')
    .example(false),
  cursor: Joi.string().empty(Joi.valid('', null)),
})

/**
 * `POST …/webhook-endpoints/{endpoint_id}/replay`: sends the events of a range again, or those of them that have failed
 * permanently. One request sends a bounded number: while the answer has a `next_cursor`, send the same body with it for
 * the rest.
 */
export function createReplayEndpoint({ database, clock }: Deps): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const { claim } = request
    const input = parseInput(replayInput, request.body)
    await getEndpoint(database, name)
    const until = input.until ?? clock.now()
    if (input.only_failed) {
      const afterId = input.cursor === undefined ? undefined : known(decodeCursor(input.cursor))
      const range = { from: input.from ?? new Date(0), until, afterId, claim }
      const { count, next } = await replayFailed({ database, clock }, name, range)
      return renderReplay(count, next === undefined ? undefined : encodeCursor(next))
    }
    const { from } = input
    if (from === undefined) throw inputError('from', 'required', 'from is required, except with only_failed')
    const after = input.cursor === undefined ? undefined : known(decodePosition(input.cursor))
    const { count, next } = await replayRange({ database, clock }, name, { from, until, after, claim })
    return renderReplay(count, next === undefined ? undefined : encodePosition(next))
  }
}

function known<Value>(decoded: Value | undefined): Value {
  if (decoded !== undefined) return decoded
  throw inputError('cursor', 'invalid', 'cursor must be a next_cursor of an earlier answer')
}

function renderReplay(count: number, nextCursor: string | undefined) {
  return {
    body: {
      ...success(replayedEvents.render({ count })),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    },
  }
}

export const endpointTest = shapeOf<EndpointTest>()('WebhookEndpointTest', {
  event: field(testEvent.type, ({ event }) => event, { description: 'The event.' }),
  delivered: field(boolean, ({ outcome }) => outcome.kind === 'delivered', {
    description: 'Whether the receiver took it.',
    example: true,
  }),
  status: field(nullable(count), ({ outcome }) => outcome.status, {
    description: 'The HTTP status of the answer.',
    example: 204,
  }),
  // The reason for a missing answer would reveal which hosts and ports exist.
  problem: field(
    nullable(string),
    (tested) => (tested.outcome.status === null ? 'no_answer' : problemOf(tested)),
    { example: null },
  ),
  duration_ms: field(count, ({ durationMs }) => durationMs, {
    description: 'How long it took.',
    example: 120,
  }),
})

function problemOf({ outcome }: EndpointTest): string | null {
  return outcome.kind === 'delivered' ? null : outcome.problem
}

/** `POST …/webhook-endpoints/{endpoint_id}/test`: sends a test event now, and shows the receiver's answer. */
export function createTestEndpoint(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const runCall = <Result>(call: () => Promise<Result>) =>
      deps.runProbe(name.casinoId, () => request.aside(call))
    const tested = await testEndpoint({ ...deps, runCall }, name)
    const problem = problemOf(tested)
    if (tested.outcome.status === null) deps.log.info({ ...name, problem }, 'a test event was not answered')
    return {
      body: success(endpointTest.render(tested)),
    }
  }
}

/** The number of the event that the path names, which is the casino's. Throws `event_unknown`. */
async function eventNumberOf(database: Deps['database'], request: CasinoRequest): Promise<string> {
  const event = await getEvent(database, request.casinoId, pathId(request, 'event_id'))
  const eventNumber = parsePublicEventId(event.id)
  if (eventNumber === undefined) throw new RewardsError('event_unknown')
  return eventNumber
}
