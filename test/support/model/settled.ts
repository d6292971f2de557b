import { partnerIdOf } from '../../../core/partner/partner-id.ts'
import { openCashbackStates } from './always.ts'
import { eventsOf, lastMoveOf } from './records.ts'
import type { CashbackRow, EventRow, OrderRow, Records } from './records.ts'
import { findDisorder } from './feed.ts'
import type { Model, World } from './world.ts'

/** The number of calls after which an order of unknown outcome is left to operators, and again after every 7 more. */
const callsPerRound = 7

/** The work that remains although all partners behave. Empty when all has settled. */
export function findUnfinished(records: Records): string[] {
  const { outbox, orders, cashbacks, updates, deliveries, endpoints } = records
  const url = records.settings.find(({ name }) => name === 'fulfilment')?.value.url
  const present = url === undefined ? undefined : partnerIdOf(url)
  const isOn = endpoints.some(({ state }) => state === 'enabled')
  return [
    ...outbox
      .filter((row) => row.snoozed_until === null)
      .map((row) => `${row.job_name} ${row.object_id} is due`),
    ...orders.flatMap((order) => findOrderWork(order, present)),
    ...cashbacks
      .filter(({ state }) =>
        ['requested', 'processing', 'unknown', 'reversing', 'reversal_unknown'].includes(state),
      )
      .map(({ id, state }) => `cashback ${id} is ${state}`),
    ...updates
      .filter(({ outcome }) => outcome === null)
      .map(({ id }) => `shipment update ${id} has not been processed`),
    ...deliveries
      .filter(({ state }) => isOn && state === 'pending')
      .map(({ id, event_id }) => `delivery ${id} of event ${event_id} is pending`),
  ]
}

/** `present` is the provider that is used now; operators settle the orders that another one has or may have. */
function findOrderWork(order: OrderRow, present: string | undefined): string[] {
  const { id, state, holds, attempts } = order
  const isLeftToPeople = attempts > 0 && attempts % callsPerRound === 0
  switch (state) {
    case 'pending_confirmation':
      return order.announced_at === null ? [`order ${id} was not announced`] : []
    case 'confirmed':
      return holds.length > 0 ? [] : [`order ${id} was not submitted`]
    case 'cancel_requested':
      return order.provider === 'http' && order.provider_asked === present && !isLeftToPeople
        ? [`order ${id} was not cancelled`]
        : []
    default:
      return order.attempt_until === null ? [] : [`order ${id} is in a call`]
  }
}

/** The problems after everything has settled, between us and the partners. */
export function findPartnerProblems(model: Model, world: World, records: Records): string[] {
  const { wallet, providers } = world
  return [
    ...wallet.complaints.map((complaint) => `a call of the wallet was wrong: ${complaint}`),
    ...records.cashbacks.flatMap((cashback) => findWalletProblems(cashback, world, records)),
    ...(wallet.calls.every(({ cashbackId }) => records.cashbacks.some(({ id }) => id === cashbackId))
      ? []
      : ['the wallet was called with a transaction that is no cashback']),
    ...records.orders.flatMap((order) => findParcelProblems(order, world, records)),
    ...(providers.every(({ fake }) =>
      fake.calls.every(({ order_id }) => records.orders.some(({ id }) => id === order_id)),
    )
      ? []
      : ['the provider was called with an order that there is not']),
    ...findUpdateProblems(model, records),
    ...(world.wishes.hasWebhooks ? findWebhookProblems(world, records) : []),
  ]
}

function findWalletProblems(cashback: CashbackRow, { wallet }: World, records: Records): string[] {
  const { id } = cashback
  const calls = wallet.calls.filter(({ transactionId }) => transactionId === id)
  const attempts = calls.map(({ attempt }) => attempt)
  const worker = eventsOf(records, 'cashback', id).filter(({ actor }) => actor === 'worker')
  const says = (state: string) =>
    worker.some(({ from_state, to_state }) => to_state === state && from_state !== state)
  const isOutside = cashback.wallet === 'http'
  return [
    ...(new Set(attempts).size === attempts.length
      ? []
      : [`cashback ${id} was asked for twice in one attempt: ${attempts.join()}`]),
    ...(attempts.every((attempt) => attempt <= cashback.attempts)
      ? []
      : [`cashback ${id} was asked for more often than is on record`]),
    ...(says('declined') && wallet.bookings.has(id) ? [`cashback ${id} is declined and was paid`] : []),
    ...(worker.some(({ type }) => type === 'cashback.credited') && isOutside && !wallet.bookings.has(id)
      ? [`cashback ${id} is credited and was not paid`]
      : []),
    ...(openCashbackStates.includes(cashback.state) && cashback.state !== 'manual_review'
      ? [`cashback ${id} is ${cashback.state}`]
      : []),
    ...findDebitProblems(cashback, wallet, eventsOf(records, 'cashback', id)),
  ]
}

/** The money is taken back once, and only the worker that heard it from the wallet says so without a person. */
function findDebitProblems(
  { id, state }: CashbackRow,
  { calls, bookings }: World['wallet'],
  events: readonly EventRow[],
): string[] {
  const debits = calls.filter(({ type, cashbackId }) => type === 'cashback.debit' && cashbackId === id)
  const asked = debits.map(({ transactionId, attempt }) => `${transactionId} ${attempt}`)
  const taken = [...new Set(debits.map(({ transactionId }) => transactionId))].filter((one) =>
    bookings.has(one),
  )
  const last = lastMoveOf(events)
  const isByWorker = last?.actor === 'worker'
  return [
    ...(new Set(asked).size === asked.length
      ? []
      : [`cashback ${id} was debited twice in one attempt: ${asked.join()}`]),
    ...(taken.length <= 1 ? [] : [`cashback ${id} was taken back ${taken.length} times: ${taken.join()}`]),
    ...(state === 'reversed' && isByWorker && taken.length === 0
      ? [`cashback ${id} is reversed, and the wallet has taken nothing back`]
      : []),
    ...(last?.type === 'cashback.reversal_declined' && isByWorker && taken.length > 0
      ? [`cashback ${id} is credited, and the wallet has taken it back`]
      : []),
  ]
}

function findParcelProblems(order: OrderRow, { providers }: World, records: Records): string[] {
  const submissions = providers
    .flatMap(({ fake }) => fake.calls)
    .filter(({ order_id, type }) => order_id === order.id && type === 'order.submit')
  const ids = [...new Set(submissions.map(({ submission_id }) => submission_id))]
  const events = eventsOf(records, 'prize_order', order.id)
  const attempts = events.filter(({ type }) => type === 'prize_order.submission_attempted').length
  const present = `${order.id}-${order.shipment_number}`
  const latest = lastMoveOf(events)
  const takers = providers.filter(({ fake }) => fake.parcels.has(present))
  const isLive = takers.some(({ cancelled }) => !cancelled.has(present))
  // People have been asked, and are believed whatever they say.
  const wasAsked = events.some(({ data }) => data?.['problem'] === 'provider_changed')
  const isCancelledByUs = order.state === 'cancelled' && latest?.actor === 'worker'
  return [
    ...(submissions.length <= attempts
      ? []
      : [`order ${order.id} was submitted ${submissions.length} times in ${attempts} attempts`]),
    ...ids
      .filter((id) => new Set(submissions.filter((call) => call.submission_id === id).map(bodyOf)).size > 1)
      .map((id) => `the submissions of ${id} differ`),
    ...submissions
      .filter(({ shipment_number }) => shipment_number > order.shipment_number)
      .map(({ submission_id }) => `${submission_id} was submitted and is none of the order's shipments`),
    ...(isLive && isCancelledByUs && !wasAsked
      ? [`order ${order.id} is cancelled, and its parcel is on its way`]
      : []),
    ...(wasAsked ? [] : findSecondProviders(ids, providers)),
    ...(order.state === 'submitted' &&
    events.at(-1)?.type === 'prize_order.submitted' &&
    latest?.actor === 'worker' &&
    order.provider === 'http' &&
    takers.length === 0
      ? [`order ${order.id} is submitted, and nobody has its parcel`]
      : []),
  ]
}

/** A parcel of one provider is not with another one, which is not asked about it. */
function findSecondProviders(ids: readonly string[], providers: World['providers']): string[] {
  return ids.flatMap((id) =>
    providers
      .filter(({ fake: taker }) => taker.parcels.has(id))
      .flatMap((taker) => providers.filter((other) => other !== taker))
      .filter(
        ({ fake: { parcels, calls } }) =>
          parcels.has(id) ||
          calls.some(({ type, submission_id }) => submission_id === id && type !== 'order.submit'),
      )
      .map(() => `a second provider has ${id}, or was asked about it`),
  )
}

function bodyOf(call: object): string {
  return JSON.stringify(call)
}

function findUpdateProblems(model: Model, { updates }: Records): string[] {
  // Updates that were polled, or that came with the answer to a late cancellation.
  const polled = updates.filter(({ id }) => /^(polled|answered)\//.test(id))
  return updates.length - polled.length === model.updates.size
    ? []
    : [`${updates.length} shipment updates are kept, but ${model.updates.size} were sent`]
}

/** Every event was taken, and the first calls for each object came in the order of its events. */
function findWebhookProblems({ receiver }: World, { events }: Records): string[] {
  const received = receiver.received()
  const firsts = received.filter((event, index) => received.findIndex(({ id }) => id === event.id) === index)
  const untold = events.filter(({ id }) => !receiver.taken.has(`evt_${id}`))
  return [
    ...untold.map(({ id, type, object_id }) => `event evt_${id}, ${type} of ${object_id}, was never taken`),
    ...findDisorder(firsts).map((problem) => `the receiver ${problem}`),
  ]
}
