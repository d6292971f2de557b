import { findKeyId } from '../core/casino/find-key.ts'
import type { ReadBody } from './parse-input.ts'

/**
 * The objects that a path or a body may name, and their names in the request log. Players are persons, so none of them
 * is here; and the log uses no other fields of a body.
 */
const logNames = {
  casino_id: 'casinoId',
  box_id: 'boxId',
  item_id: 'itemId',
  prize_id: 'prizeId',
  order_id: 'orderId',
  cashback_id: 'cashbackId',
  opening_id: 'openingId',
  event_id: 'eventId',
  endpoint_id: 'endpointId',
  key_id: 'keyId',
} as const

const fields = Object.keys(logNames) as (keyof typeof logNames)[]

/** The objects that a request names, by their names in the log; as they were sent. */
export type NamedObjects = Partial<Record<(typeof logNames)[keyof typeof logNames], string>>

/** The objects that the path names, and else the body. */
export function findNamedObjects(params: Readonly<Record<string, string>>, body: ReadBody): NamedObjects {
  const named: NamedObjects = {}
  for (const field of fields) {
    const id = params[field] ?? (body.kind === 'object' ? body.value[field] : undefined)
    if (typeof id === 'string' || typeof id === 'number') named[logNames[field]] = String(id)
  }
  return named
}

/** The ids that this service makes: they say nothing about a person. */
const ownId = /^[a-z]{3}_[0-9a-f]{32}$/
/** Others are made by casinos. */
const plainId = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * Those that may be logged. A caller may send an address or a key where an id belongs, so an id that is not of our
 * making is logged only when the answer shows that there is such an object: a success, 403 or 409.
 */
export function loggableObjects(named: NamedObjects, status: number): NamedObjects {
  const exist = status < 400 || status === 403 || status === 409
  return Object.fromEntries(
    Object.entries(named).filter(
      ([, id]) => ownId.test(id) || (exist && plainId.test(id) && findKeyId(id) === undefined),
    ),
  )
}
