import { cashbackKeyOf, findCashbacks } from '../cashback/load-cashbacks.ts'
import { decideCashbackMove } from '../cashback/decide-resolution.ts'
import { RewardsError } from '../errors.ts'
import { parsePublicEventId } from '../event/public-event.ts'
import type { Money } from '../money.ts'
import type { Database } from '../platform/database.ts'
import { bigintArray } from '../platform/sql.ts'
import { decideMove } from '../prize-order/decide-move.ts'
import { findOrders, orderKeyOf } from '../prize-order/load-orders.ts'
import { decideVoid } from '../prize/decide-void.ts'
import { cashbackMoveOf, itemIdOf, meaningOf, moveDetailsOf, orderMoveOf } from './decide-act.ts'
import type { ActAction, ActParams } from './decide-act.ts'

/** An object of a selection as it is now, and the obstacle to the action. */
export interface PreviewedObject {
  objectId: string
  /** Null for an object that never changes, or is unknown. */
  revision: number | null
  amount: Money | null
  refusal: { code: string; message: string | null } | null
}

interface Selection {
  casinoId: string
  action: ActAction
  params: ActParams
  objectIds: readonly string[]
}

/** Looks at each object with the decision of its own move. Changes nothing. */
export async function loadObjects(
  database: Database,
  selection: Selection,
  now: Date,
): Promise<PreviewedObject[]> {
  const { objectType } = meaningOf(selection.action)
  switch (objectType) {
    case 'prize_order':
      return loadOrderObjects(database, selection)
    case 'cashback':
      return loadCashbackObjects(database, selection, now)
    case 'prize':
      return loadPrizeObjects(database, selection)
    case 'player':
      return loadPlayerObjects(database, selection)
    case 'event':
      return loadEventObjects(database, selection)
    default:
      return objectType satisfies never
  }
}

async function loadOrderObjects(database: Database, selection: Selection): Promise<PreviewedObject[]> {
  const { casinoId, action, params, objectIds } = selection
  const orders = await findOrders(
    database,
    objectIds.map((orderId) => ({ casinoId, orderId })),
  )
  const move = orderMoveOf(action)
  if (move === undefined) throw new Error(`${action} is no move of an order`)
  return objectIds.map((objectId) => {
    const order = orders.get(orderKeyOf({ casinoId, orderId: objectId }))
    if (order === undefined) return unknown(objectId, 'order_unknown')
    const refusal = refusalOf(() => decideMove(move, order, moveDetailsOf(params)))
    return { objectId, revision: order.revision, amount: null, refusal }
  })
}

async function loadCashbackObjects(
  database: Database,
  { casinoId, action, params, objectIds }: Selection,
  now: Date,
): Promise<PreviewedObject[]> {
  const cashbacks = await findCashbacks(
    database,
    objectIds.map((cashbackId) => ({ casinoId, cashbackId })),
  )
  const move = cashbackMoveOf(action, params)
  return objectIds.map((objectId) => {
    const cashback = cashbacks.get(cashbackKeyOf(casinoId, objectId))
    if (cashback === undefined) return unknown(objectId, 'cashback_unknown')
    const { revision, amountMinor, currency } = cashback
    const refusal = refusalOf(() => decideCashbackMove(move, cashback, now))
    return { objectId, revision, amount: { amountMinor, currency }, refusal }
  })
}

async function loadPrizeObjects(
  database: Database,
  { casinoId, objectIds }: Selection,
): Promise<PreviewedObject[]> {
  const rows = await database.everyPrize.findMany({ where: { casinoId, id: { in: [...objectIds] } } })
  const prizes = new Map(rows.map((prize) => [prize.id, prize]))
  return objectIds.map((objectId) => {
    const prize = prizes.get(objectId)
    if (prize === undefined) return unknown(objectId, 'prize_unknown')
    const refusal = refusalOf(() => decideVoid(prize))
    return { objectId, revision: prize.revision, amount: amountOf(prize), refusal }
  })
}

interface CashbackValue {
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
}

function amountOf({
  cashbackAmountMinor: amountMinor,
  cashbackCurrency: currency,
}: CashbackValue): Money | null {
  return amountMinor === null || currency === null ? null : { amountMinor, currency }
}

/** The player may be new. */
async function loadPlayerObjects(
  database: Database,
  { casinoId, params, objectIds }: Selection,
): Promise<PreviewedObject[]> {
  const id = itemIdOf(params)
  const item = await database.item.findUnique({ where: { casinoId_id: { casinoId, id } } })
  if (item === null) return objectIds.map((objectId) => unknown(objectId, 'item_unknown'))
  const amount = amountOf(item)
  return objectIds.map((objectId) => ({ objectId, revision: null, amount, refusal: null }))
}

async function loadEventObjects(
  database: Database,
  { casinoId, objectIds }: Selection,
): Promise<PreviewedObject[]> {
  const numbers = new Map(objectIds.map((objectId) => [objectId, parsePublicEventId(objectId)]))
  const wanted = [...numbers.values()].flatMap((number) => (number === undefined ? [] : [BigInt(number)]))
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM every_event WHERE id = ANY(${bigintArray(wanted)}) AND casino_id = ${casinoId}::text`
  const known = new Set(rows.map(({ id }) => String(id)))
  return objectIds.map((objectId) =>
    known.has(numbers.get(objectId) ?? '')
      ? { objectId, revision: null, amount: null, refusal: null }
      : unknown(objectId, 'event_unknown'),
  )
}

function unknown(objectId: string, code: string): PreviewedObject {
  return { objectId, revision: null, amount: null, refusal: { code, message: null } }
}

function refusalOf(decide: () => unknown): PreviewedObject['refusal'] {
  try {
    decide()
    return null
  } catch (error) {
    if (!(error instanceof RewardsError)) throw error
    return { code: error.code, message: messageOf(error) }
  }
}

/** Null if the error says no more than its code, which has a message of its own. */
export function messageOf({ code, message }: RewardsError): string | null {
  return message === code ? null : message
}
