import Joi from 'joi'
import { getEndpoint } from '../../core/webhook/endpoints.ts'
import { replayEvent, replayFailed, replayRange } from '../../core/webhook/replay.ts'
import { selectEventsOfRange, selectFailedEvents } from '../../core/webhook/select-events.ts'
import { count, id, list } from '../../core/shape/json-schema.ts'
import { requestOf, withDefault } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import { inputError, timestamp } from '../inputs.ts'
import { decodeCursor, encodeCursor } from '../paging.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { InputError } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { decodePosition, encodePosition } from './events.ts'
import { success } from './render.ts'
import { eventNumberOf } from './webhook-deliveries.ts'
import { endpointNameOf } from './webhook-endpoints.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

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
 * permanently. Bounded: while the answer has a `next_cursor`, there is more, to be asked for with the same body and it.
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
    if (from === undefined) throw fromIsMissing('from')
    const after = input.cursor === undefined ? undefined : known(decodePosition(input.cursor))
    const { count, next } = await replayRange({ database, clock }, name, { from, until, after, claim })
    return renderReplay(count, next === undefined ? undefined : encodePosition(next))
  }
}

/**
 * The events that a replay of this range would send again, for an act on them. `nextCursor` is undefined if there are
 * no more. `label` names the range in messages.
 */
export async function selectEvents(
  { database, clock }: Deps,
  name: { casinoId: string; endpointId: string },
  input: ParsedBy<typeof replayInput>,
  label: string,
): Promise<{ eventIds: readonly string[]; nextCursor: string | undefined }> {
  await getEndpoint(database, name)
  const until = input.until ?? clock.now()
  const { cursor, from } = input
  if (input.only_failed) {
    const afterId = cursor === undefined ? undefined : known(decodeCursor(cursor), `${label}.cursor`)
    const range = { from: from ?? new Date(0), until, afterId }
    const { eventIds, next } = await selectFailedEvents(database, name, range)
    return { eventIds, nextCursor: next === undefined ? undefined : encodeCursor(next) }
  }
  if (from === undefined) throw fromIsMissing(`${label}.from`)
  const after = cursor === undefined ? undefined : known(decodePosition(cursor), `${label}.cursor`)
  const { eventIds, next } = await selectEventsOfRange(database, name, { from, until, after })
  return { eventIds, nextCursor: next === undefined ? undefined : encodePosition(next) }
}

function fromIsMissing(name: string): InputError {
  return inputError(name, 'required', `${name} is required, except with only_failed`)
}

function known<Value>(decoded: Value | undefined, name = 'cursor'): Value {
  if (decoded !== undefined) return decoded
  throw inputError(name, 'invalid', `${name} must be a next_cursor of an earlier answer`)
}

function renderReplay(count: number, nextCursor: string | undefined) {
  return {
    body: {
      ...success(replayedEvents.render({ count })),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    },
  }
}
