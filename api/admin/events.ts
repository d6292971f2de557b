import Joi from 'joi'
import {
  eventTypeFilterPattern,
  eventTypeFilters,
  eventTypeFiltersMax,
  knownFiltersLike,
} from '../../core/event/event-types.ts'
import type { FeedPosition } from '../../core/event/feed-position.ts'
import { findReach, getEvent, readFeed } from '../../core/event/read-events.ts'
import type { Order } from '../../core/page.ts'
import { giving, requestOf, withDefault } from '../../core/shape/request-shape.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { pathId } from '../inputs.ts'
import { rangeOf, rangeParameters, refuseOtherOrder } from './list-query.ts'
import { cursorOf } from '../paging.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'config'>

const limitDefault = 100
const limitMax = 1_000

/** For an unknown type or prefix; `known` are the types that could be meant. */
export const unknownTypeMessage = 'has a type that no event has; known are {{#known}}'

export function listKnown(unknownType: string): string {
  return knownFiltersLike(unknownType).join(', ')
}

export const feedInput = requestOf({
  after: cursorOf(decodePlace).description('The `next_cursor` of the answer before.').example('MTIzNC41Ng'),
  limit: withDefault(Joi.number().integer().min(1).max(limitMax), limitDefault),
  types: giving<string[]>(
    Joi.string()
      .custom((value: string, helpers) => {
        const types = parseTypes(value)
        if (types === undefined) return helpers.error('any.invalid')
        const unknown = types.find((type) => !eventTypeFilters.has(type))
        return unknown === undefined ? types : helpers.error('any.only', { known: listKnown(unknown) })
      })
      .messages({
        'any.invalid': `{{#label}} must be up to ${eventTypeFiltersMax} types such as prize.won or prize.*, with commas between`,
        'any.only': `{{#label}} ${unknownTypeMessage}`,
      })
      .meta({ jsonSchema: { type: 'string', minLength: 1 } }),
  )
    .description('Types with commas between, as for webhooks.')
    .example('prize.won,cashback.*'),
  ...rangeParameters('asc'),
})

/**
 * `GET …/events?after=&limit=&types=`, oldest first unless `order` is `desc`. `next_cursor` is always there, so that a
 * poller can continue from it when there is nothing yet.
 */
export function createListEvents({ database, clock, config }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const input = parseInput(feedInput, { kind: 'object', value: query })
    const range = rangeOf(input)
    if (input.after !== undefined) refuseOtherOrder('after', input.after.order, range.order)
    const { keepFeedMs } = config
    const reach = await findReach(database, { casinoId, now: clock.now(), keepFeedMs })
    const page = await readFeed(database, {
      casinoId,
      ...range,
      reach,
      after: input.after?.position,
      types: input.types ?? [],
      limit: input.limit,
    })
    return {
      body: {
        status: 'success',
        data: page.events,
        next_cursor: encodePlace(page.next, range.order),
        has_more: page.hasMore,
        complete_since: reach.toISOString(),
      },
    }
  }
}

/** `GET …/events/{event_id}` */
export function createGetEvent({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async (request) => {
    return { body: success(await getEvent(database, request.casinoId, pathId(request, 'event_id'))) }
  }
}

function parseTypes(value: string): string[] | undefined {
  const types = value.split(',').map((type) => type.trim())
  const isGood =
    types.length <= eventTypeFiltersMax && types.every((type) => eventTypeFilterPattern.test(type))
  return isGood ? types : undefined
}

const turnedMark = 'desc '

/** A position says nothing about where to continue in the other order, so that of `desc` is marked. */
function encodePlace(position: FeedPosition, order: Order): string {
  const plain = encodePosition(position)
  return order === 'asc' ? plain : toBase64(turnedMark + toText(plain))
}

function decodePlace(cursor: string): { position: FeedPosition; order: Order } | undefined {
  const text = toText(cursor)
  const isTurned = text.startsWith(turnedMark)
  const position = decodePosition(isTurned ? toBase64(text.slice(turnedMark.length)) : cursor)
  if (position === undefined || toBase64(text) !== cursor) return undefined
  return { position, order: isTurned ? 'desc' : 'asc' }
}

function toText(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8')
}

function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

/** Callers are to send it back as it is, not to make their own. */
export function encodePosition({ txid, eventId }: FeedPosition): string {
  return toBase64(`${txid}.${eventId}`)
}

const bigintMax = 2n ** 63n - 1n

/** Undefined for a cursor that this service did not make. */
export function decodePosition(cursor: string): FeedPosition | undefined {
  const text = toText(cursor)
  const [, txid, eventId] = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})$/.exec(text) ?? []
  if (txid === undefined || eventId === undefined) return undefined
  if (BigInt(txid) > bigintMax || BigInt(eventId) > bigintMax) return undefined
  return encodePosition({ txid, eventId }) === cursor ? { txid, eventId } : undefined
}
