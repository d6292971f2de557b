import { prizeTransitions } from '../../core/prize/state.ts'
import { id, boolean, list, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { readTimeline } from '../../core/timeline/read-timeline.ts'
import { entryKinds } from '../../core/timeline/timeline.ts'
import type { Timeline, TimelineEntry } from '../../core/timeline/timeline.ts'
import type { ApiDeps } from '../deps.ts'
import { pathId } from '../inputs.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'
import { delivery } from './webhook-deliveries.ts'

const object = shapeOf<TimelineEntry['object']>()(undefined, {
  type: field(string, ({ type }) => type, { example: 'prize' }),
  id: field(id, ({ id }) => id, { example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802' }),
})

const entry = shapeOf<TimelineEntry>()('TimelineEntry', {
  at: field(time, (entry) => entry.at),
  kind: field(oneOf(entryKinds), (entry) => entry.kind, {
    description:
      'An `event` changed the object; an `attempt` is a call of a provider or a wallet, or a wallet’s answer; a `delivery` sent ' +
      'an event to a webhook endpoint; an `action` of an operator changed nothing, for example because it was refused; a `note` is an operator’s.',
    example: 'event',
  }),
  object: field(object.type, (entry) => object.render(entry.object), {
    description: 'The object that it is about.',
  }),
  what: field(string, (entry) => entry.what, {
    description: 'The type of the event, the wallet’s operation, or the last part of the action’s path.',
    example: 'prize.won',
  }),
  from: field(nullable(string), (entry) => entry.from, { description: 'The state before.', example: null }),
  to: field(nullable(string), (entry) => entry.to, {
    description: 'The state after it; the outcome of a call or a delivery.',
    example: 'won',
  }),
  actor: field(nullable(string), (entry) => entry.actor),
  reason: field(nullable(string), (entry) => entry.reason, { example: null }),
  request_id: field(nullable(string), (entry) => entry.requestId),
  trace_id: field(nullable(string), (entry) => entry.traceId, {
    description:
      'The trace of the request or job that wrote an event; null where tracing was off or left it out, and for other entries.',
    example: null,
  }),
  detail: field(nullable(string), (entry) => entry.detail, {
    description:
      'The number of the attempt and the code of a wallet’s answer; the response to an action; the text of a note, null once it is erased or if it is damaged.',
    example: null,
  }),
  damaged: field(boolean, (entry) => entry.isDamaged, {
    description: 'Whether the text of a note cannot be decrypted: its row was altered, or its key is gone.',
    example: false,
  }),
  delivery: field(
    nullable(delivery.type),
    (entry) => (entry.delivery === null ? null : delivery.render(entry.delivery)),
    { description: 'The delivery, with its attempts and the next one.', example: null },
  ),
})

const states = Object.entries(prizeTransitions).map(([state, next]) => ({ state, next }))

const prizeState = shapeOf<(typeof states)[number]>()('PrizeState', {
  state: field(oneOf(Object.keys(prizeTransitions)), ({ state }) => state),
  next: field(list(oneOf<string>(Object.keys(prizeTransitions))), ({ next }) => next, {
    description: 'The states that may follow.',
    example: ['ordered', 'cashback_pending', 'expired', 'voided'],
  }),
})

export const timeline = shapeOf<Timeline & { traceUrl: string | null }>()('PrizeTimeline', {
  entries: field(list(entry.type), ({ entries }) => entries.map(entry.render), {
    description: 'In the order of time; the newest 500.',
  }),
  is_partial: field(boolean, ({ isPartial }) => isPartial, {
    description: 'Whether older entries are left out.',
    example: false,
  }),
  trace_url: field(nullable(string), ({ traceUrl }) => traceUrl, {
    description:
      'The address of a trace: `{trace_id}` stands for its id. Null if the service does not know one, and for keys of casinos.',
    example: 'https://jaeger.example/trace/{trace_id}',
  }),
  states: field(list(prizeState.type), () => states.map(prizeState.render), {
    description: 'The states that a prize can have, the first one first.',
  }),
})

/** `GET …/prizes/{prize_id}/timeline`: all that is recorded about a prize, its orders and its cashbacks. */
export function createGetTimeline(
  deps: Pick<ApiDeps, 'database' | 'cipher' | 'log' | 'config'>,
): CasinoEndpoint {
  const { traceUrl = null } = deps.config
  return async (request) => {
    const { casinoId } = request
    const prizeId = pathId(request, 'prize_id')
    const found = await readTimeline(deps, { casinoId, prizeId })
    const isOperators = request.caller.kind !== 'casino'
    // Notes may be about a person.
    return {
      body: success(timeline.render({ ...found, traceUrl: isOperators ? traceUrl : null })),
      headers: { 'Cache-Control': 'no-store' },
    }
  }
}
