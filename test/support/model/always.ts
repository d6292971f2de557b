import { cashbackTransitions } from '../../../core/cashback/state.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import type { PrizeState } from '../../../core/prize/state.ts'
import { differencesOf, factsOfOrder, leftoversOf } from './facts.ts'
import type { OrderFacts } from './facts.ts'
import { eventsOf, lastMoveOf } from './records.ts'
import type { CashbackRow, EventRow, OrderRow, PrizeRow, Records } from './records.ts'

/** The rules that hold at every moment, with any work in progress. Returns a sentence for each broken rule. */
export function findContradictions(records: Records): string[] {
  return [
    ...records.prizes.flatMap((prize) => findFateProblems(prize, records)),
    ...findHistoryProblems(records),
    ...findMoneyProblems(records),
    ...findStockProblems(records),
    ...findForgotten(records),
    ...findLostWork(records),
    ...records.grants
      .filter(({ id, count, used }) => used > count || used !== countOpenings(records, id))
      .map(({ id }) => `grant ${id} is used more often than it may be, or than it was`),
  ]
}

const liveOrderStates: readonly string[] = [
  'pending_confirmation',
  'confirmed',
  'submitted',
  'processing',
  'shipped',
  'exception',
  'cancel_requested',
]
export const openCashbackStates: readonly string[] = ['requested', 'processing', 'unknown', 'manual_review']

/** The player has the money: a wallet may be about to take it back, and has not said that it has. */
const paidCashbackStates: readonly string[] = ['credited', 'reversing', 'reversal_unknown', 'reversal_review']

/** The orders and cashbacks of a prize by its state: live and delivered ones, open and credited ones. */
const fates: Record<PrizeState, readonly [number, number, number, number]> = {
  won: [0, 0, 0, 0],
  ordered: [1, 0, 0, 0],
  fulfilled: [0, 1, 0, 0],
  cashback_pending: [0, 0, 1, 0],
  cashed_back: [0, 0, 0, 1],
  expired: [0, 0, 0, 0],
  voided: [0, 0, 0, 0],
}

function findFateProblems({ id, state }: PrizeRow, { orders, cashbacks }: Records): string[] {
  const itsOrders = orders.filter((order) => order.prize_id === id)
  const itsCashbacks = cashbacks.filter((cashback) => cashback.prize_id === id)
  const found = [
    itsOrders.filter((order) => liveOrderStates.includes(order.state)).length,
    itsOrders.filter((order) => order.state === 'delivered').length,
    itsCashbacks.filter((cashback) => openCashbackStates.includes(cashback.state)).length,
    itsCashbacks.filter((cashback) => paidCashbackStates.includes(cashback.state)).length,
  ]
  if (found.join() === fates[state].join()) return []
  const [live, delivered, open, credited] = found
  return [
    `prize ${id} is ${state}, with ${live} live and ${delivered} delivered orders, ${open} open and ${credited} credited cashbacks`,
  ]
}

function findHistoryProblems(records: Records): string[] {
  const { prizes, orders, cashbacks } = records
  return [
    ...prizes.flatMap((row) => findChainProblems('prize', row, prizeTransitions, records)),
    ...orders.flatMap((row) => findChainProblems('prize_order', row, orderTransitions, records)),
    ...cashbacks.flatMap((row) => findChainProblems('cashback', row, cashbackTransitions, records)),
    ...orders.flatMap((row) => findOrderProblems(row, records)),
  ]
}

/** Events are 1, 2 … up to the row's revision, each begins where the one before ended, and the last one is the row. */
function findChainProblems(
  type: string,
  row: PrizeRow | OrderRow | CashbackRow,
  table: Readonly<Record<string, readonly string[]>>,
  records: Records,
): string[] {
  const events = eventsOf(records, type, row.id)
  const name = `${type} ${row.id}`
  const problems = events.flatMap((event, index) => {
    const before = events[index - 1]?.to_state ?? null
    const { from_state: from, to_state: to } = event
    return [
      ...(event.sequence === index + 1 ? [] : [`${name} has event ${event.sequence} in place ${index + 1}`]),
      ...(from === before ? [] : [`${name} continues from ${from} where it was ${before}`]),
      ...(from === null || from === to || table[from]?.includes(to) ? [] : [`${name} goes ${from} → ${to}`]),
    ]
  })
  const last = events.at(-1)
  if (last?.to_state !== row.state) problems.push(`${name} is ${row.state}, by its history ${last?.to_state}`)
  if (events.length !== row.revision)
    problems.push(`${name} has ${events.length} events at revision ${row.revision}`)
  return problems
}

function findOrderProblems(row: OrderRow, records: Records): string[] {
  const events = eventsOf(records, 'prize_order', row.id)
  const moments = factsOfOrder(events)
  const facts = moments.at(-1)
  if (facts === undefined) return [`order ${row.id} has no history`]
  return [
    ...differencesOf(row, facts).map((difference) => `order ${row.id}: ${difference}`),
    ...events
      .filter((event, index) => isBegunDespiteHold(event, moments[index - 1]))
      .map(({ type, sequence }) => `order ${row.id} was held, and has ${type} all the same (${sequence})`),
    ...leftoversOf(row).map((leftover) => `order ${row.id}: ${leftover}`),
    ...findFateOfCancelled(row, lastMoveOf(events), records),
    ...findForgottenParcel(row, events, records),
    ...findUpdateProblems(row, records),
  ]
}

/** A step from before the hold may still end well; none begins under one. */
function isBegunDespiteHold({ type }: EventRow, before: OrderFacts | undefined): boolean {
  if (before === undefined || before.holds.length === 0) return false
  const isRecorded = type === 'prize_order.submitted' && before.submissionAttempts === 0
  return type === 'prize_order.submission_attempted' || isRecorded
}

/** A provider that cancels leads to what was asked for together with the cancellation. */
function findFateOfCancelled(
  { id, prize_id, state, returns_prize }: OrderRow,
  last: EventRow | undefined,
  records: Records,
): string[] {
  if (state !== 'cancelled' || last?.actor !== 'worker' || returns_prize === null) return []
  const wanted = returns_prize ? 'won' : 'voided'
  return eventsOf(records, 'prize', prize_id).some(
    ({ to_state, sequence }) => to_state === wanted && sequence > 1,
  )
    ? []
    : [`order ${id} is cancelled, and its prize did not become ${wanted}`]
}

/** Every parcel that a provider has is to be polled. One that came back is dealt with by operators. */
function findForgottenParcel(
  { id, state, provider }: OrderRow,
  events: readonly EventRow[],
  { outbox }: Records,
) {
  const isAskedAbout =
    provider === 'http' &&
    ['submitted', 'processing', 'shipped', 'cancel_requested'].includes(state) &&
    events.every(({ to_state }) => to_state !== 'exception')
  return isAskedAbout && outbox.every(({ object_id }) => object_id !== id)
    ? [`order ${id} is ${state}, and no work is due to ask about it`]
    : []
}

/** Noted updates are in the history, and the last applied one is the newest of all applied ones. */
function findUpdateProblems(order: OrderRow, records: Records): string[] {
  const { updates } = records
  const noted = updates.filter((update) => update.order_id === order.id && update.outcome === 'noted').length
  const told = eventsOf(records, 'prize_order', order.id).filter(
    ({ type }) => type === 'prize_order.news_ignored',
  ).length
  if (noted !== told)
    return [`${noted} shipment updates of order ${order.id} are noted, but its history has ${told}`]
  if (order.partner_occurred_at === null) return []
  const applied = updates.filter(
    (update) =>
      update.order_id === order.id &&
      update.shipment_number === order.shipment_number &&
      update.outcome === 'applied',
  )
  const newest = Math.max(...applied.map((update) => Date.parse(update.occurred_at)))
  return newest === Date.parse(order.partner_occurred_at)
    ? []
    : [`the newest shipment update of order ${order.id} is not the one that was applied last`]
}

/** The ledger's transactions of a cashback, by its state. */
function kindsOf({ state }: CashbackRow): string {
  switch (state) {
    case 'credited':
    case 'reversing':
    case 'reversal_unknown':
    case 'reversal_review':
      return 'cashback_credit,cashback_reserve'
    case 'declined':
      return 'cashback_reserve,cashback_void'
    case 'reversed':
      return 'cashback_credit,cashback_reserve,cashback_reversal'
    default:
      return 'cashback_reserve'
  }
}

function findMoneyProblems({ cashbacks, entries }: Records): string[] {
  return cashbacks.flatMap((cashback) => {
    const its = entries.filter((entry) => entry.cashback_id === cashback.id)
    const kinds = [...new Set(its.map((entry) => entry.kind))].sort().join()
    const sum = (account?: string) =>
      its
        .filter((entry) => account === undefined || entry.account === account)
        .reduce((total, entry) => total + entry.amount_minor, 0)
    const pending = openCashbackStates.includes(cashback.state) ? cashback.amount_minor : 0
    const paid = paidCashbackStates.includes(cashback.state) ? cashback.amount_minor : 0
    const isRight =
      kinds === kindsOf(cashback) &&
      its.length === 2 * kinds.split(',').length &&
      its.every((entry) => entry.currency === cashback.currency) &&
      its.every((entry) => entry.player_id === null || entry.player_id === cashback.player_id) &&
      sum() === 0 &&
      sum('player_pending') === pending &&
      sum('player_wallet') === paid
    if (isRight) return []
    return [
      `cashback ${cashback.id} of ${cashback.amount_minor} is ${cashback.state}, with ${its.length} entries of ` +
        `${kinds}; pending ${sum('player_pending')}, paid ${sum('player_wallet')}, altogether ${sum()}`,
    ]
  })
}

function findStockProblems({ stocks }: Records): string[] {
  return stocks
    .filter((row) => row.remaining < 0 || row.remaining !== row.stock - row.taken + row.returned)
    .map(
      (row) =>
        `entry ${row.position} of ${row.box_id} has ${row.remaining} of ${row.stock} left: ` +
        `${row.taken} taken, ${row.returned} given back`,
    )
}

/**
 * Work that can be done immediately is due. Partners may be a reason to let it rest, which shows in events of trouble;
 * then it is looked at when all has settled.
 */
function findForgotten({ orders, cashbacks, outbox, events }: Records): string[] {
  if (events.some(({ type }) => /paused|unknown|resumed/.test(type))) return []
  const isDue = (id: string) => outbox.some((row) => row.object_id === id && row.snoozed_until === null)
  return [
    ...orders
      .filter(({ state, holds, attempts }) => state === 'confirmed' && holds.length === 0 && attempts === 0)
      .filter(({ id }) => !isDue(id))
      .map(({ id }) => `order ${id} is confirmed, and nobody is to submit it`),
    ...orders
      .filter(
        ({ id, state, announced_at }) =>
          state === 'pending_confirmation' && announced_at === null && !isDue(id),
      )
      .map(({ id }) => `order ${id} waits, and nobody is to be told`),
    ...cashbacks
      .filter(({ id, state }) => state === 'requested' && !isDue(id))
      .map(({ id }) => `cashback ${id} is requested, and nobody is to credit it`),
  ]
}

/** A question to a wallet comes with work in the outbox, due or snoozed, unless operators settle it. */
function findLostWork({ cashbacks, outbox }: Records): string[] {
  return cashbacks
    .filter(({ state }) => workedOn.includes(state))
    .filter(({ id }) => outbox.every(({ object_id }) => object_id !== id))
    .map(({ id, state }) => `cashback ${id} is ${state}, and nothing of it is in the outbox`)
}
const workedOn: readonly string[] = ['requested', 'processing', 'unknown', 'reversing', 'reversal_unknown']

function countOpenings({ openings }: Records, grantId: string): number {
  return openings.filter((opening) => opening.grant_id === grantId).length
}
