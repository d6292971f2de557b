import { choice, requestOf } from '../../core/shape/request-shape.ts'
import { RewardsError } from '../../core/errors.ts'
import { getEvent } from '../../core/event/read-events.ts'
import { eventObject, parsePublicEventId } from '../../core/event/public-event.ts'
import { publicReceiverProblem } from '../../core/partner/public-problem.ts'
import { deliveryStates } from '../../core/webhook/delivery.ts'
import type { DeliveryState } from '../../core/webhook/delivery.ts'
import { getEndpoint } from '../../core/webhook/endpoints.ts'
import { listDeliveries, listDeliveriesOfEvent } from '../../core/webhook/read-deliveries.ts'
import type { DeliveryRecord, LoggedAttempt } from '../../core/webhook/read-deliveries.ts'
import { testEndpoint, testEvent } from '../../core/webhook/test-endpoint.ts'
import type { EndpointTest } from '../../core/webhook/test-endpoint.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput } from '../parse-input.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listParameters, parseListQuery, rangeOf, rangeParameters, renderList } from './list-query.ts'
import { pathId } from '../inputs.ts'
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

const attempt = shapeOf<LoggedAttempt>()('WebhookAttempt', {
  attempt: field(count, ({ attempt }) => attempt, {
    description: 'Counts the attempts of the delivery from 1.',
    example: 1,
  }),
  at: field(time, ({ at }) => at, {
    description: 'When its result was recorded.',
    example: '2030-01-31T12:00:00.000Z',
  }),
  status: field(nullable(count), ({ status }) => status, {
    description: 'The HTTP status of the answer; null without one.',
    example: 204,
  }),
  problem: field(nullable(string), ({ problem }) => publicReceiverProblem(problem), {
    description: 'Why it failed; `no_answer` for every failure without an answer.',
    example: null,
  }),
})

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
  recent_attempts: field(list(attempt.type), ({ attemptLog }) => attemptLog.map(attempt.render), {
    description: 'The last attempts that have ended, the oldest first: at most 20.',
  }),
  next_attempt_at: field(nullable(time), (delivery) => delivery.nextAttemptAt, {
    description: 'When it is tried again.',
    example: null,
  }),
  created_at: field(time, (delivery) => delivery.createdAt),
  updated_at: field(time, (delivery) => delivery.updatedAt),
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
export async function eventNumberOf(database: Deps['database'], request: CasinoRequest): Promise<string> {
  const event = await getEvent(database, request.casinoId, pathId(request, 'event_id'))
  const eventNumber = parsePublicEventId(event.id)
  if (eventNumber === undefined) throw new RewardsError('event_unknown')
  return eventNumber
}
