import { claimColumns, heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { workColumns, snoozedWork } from '../outbox/snooze.ts'
import {
  causedWork,
  finishedWork,
  finishedLockedWork,
  snoozedWorkOf,
  traceOfWork,
} from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import { eventsWithPrizes, historyWithPrize, lockedPrizes, movedPrizes } from '../prize/moved-prizes.ts'
import { withHoldsEnded } from './end-holds.ts'
import { changedHolds, settledUpdates } from './hold-steps.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { orderColumns } from './order-columns.ts'
import { isPollProblem } from './poll-problem.ts'
import { orderTransitions } from './state.ts'
import {
  assignedFrom,
  batchInput,
  boolean,
  bytea,
  instant,
  int,
  joined,
  jsonb,
  sql,
  text,
} from '../platform/sql.ts'

export interface StoreChangesDeps {
  database: Database
  clock: Clock
  handOver: HandOver
}

/**
 * The causes of a change of an order: an operator's request, the step or the result of an attempt, or shipment updates.
 * The statement has only the steps that its cause needs.
 */
type Cause = 'request' | 'attempt' | 'updates'

/** New work replaces a snoozed reminder or poll; an ended order has no work. */
const workReplaced = sql`work_replaced AS (
      SELECT snoozed.id
        FROM accepted
       CROSS JOIN ${snoozedWorkOf(sql`accepted.order_id`, ['fulfil-prize-order'], sql`accepted.outbox_id`)}
       WHERE accepted.causes_work OR accepted.prize_to IS NOT NULL
    )`

const replaced = sql`SELECT id FROM work_replaced`
const ownDone = finishedWork(sql`SELECT outbox_id FROM accepted WHERE snooze_until IS NULL`, replaced)

/** The steps for the work that caused the change, and for other waiting work. No work causes a request. */
const workOf: Readonly<Record<Cause, readonly Prisma.Sql[]>> = {
  request: [workReplaced, finishedLockedWork(replaced)],
  attempt: [snoozedWork('accepted'), workReplaced, ownDone],
  updates: [workReplaced, ownDone],
}

/** Continues the trace of the request, or of the work that caused the change. */
const nextWork = (traceparent: Prisma.Sql) =>
  causedWork({
    from: sql`accepted WHERE causes_work`,
    jobName: 'fulfil-prize-order',
    objectId: sql`order_id`,
    casinoId: sql`casino_id`,
    traceparent,
  })

const orderAssigned = assignedFrom('accepted', orderColumns)

/**
 * Stores changes of orders: order, prize, holds, delivery details, history and the following or finished work, in one
 * statement, for each order that is still as loaded. Returns the orders after the change. Hands over new work. At most
 * one change per order.
 */
export async function storeOrderChanges(
  { database, clock, handOver }: StoreChangesDeps,
  cause: Cause,
  wanted: readonly OrderChange[],
): Promise<ReadonlyMap<OrderChange, OrderSnapshot>> {
  const now = clock.now()
  const changes = wanted.map(withHoldsEnded)
  const planned = changes.map((change) => ({ change, after: outcomeOf(change, now) }))
  const isRequest = cause === 'request'
  const traceparent = isRequest ? sql`accepted.traceparent` : traceOfWork(sql`accepted.outbox_id`)
  const released = changes.flatMap(({ order, plan }) =>
    (plan.releaseHolds ?? []).map((reason) => ({ orderId: order.id, reason })),
  )
  const updates = changes.flatMap(({ order, updateOutcomes = [] }) =>
    updateOutcomes.map((update) => ({ ...update, orderId: order.id })),
  )
  const steps = [
    sql`input AS (
      SELECT * FROM ${batchInput(planned, { ...changeColumns, ...(isRequest ? requestColumns : {}) })}
    )`,
    ...(isRequest ? [heldClaims] : []),
    lockedPrizes,
    acceptedOrders(isRequest ? isClaimHeld : sql`true`),
    ...(isRequest ? [markedClaims] : []),
    movedPrizes('accepted', now),
    changedOrders(now, isRequest ? detailsCorrected : Prisma.empty),
    changedHolds(released, now),
    ...(cause === 'updates' ? [settledUpdates(updates)] : []),
    eventsWithPrizes('accepted', now, traceparent),
    ...workOf[cause],
    nextWork(traceparent),
  ]
  const rows = await database.$queryRaw<(DueRow & { order_id: string })[]>`
    WITH ${joined(steps, ',\n    ')}
    SELECT accepted.order_id, ${dueRow}
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.order_id`

  handOver(rows.flatMap((row) => toDueWork('fulfil-prize-order', row.order_id, row)))
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map(
    wanted.flatMap((change, index) => {
      const order = planned[index]?.after
      return order !== undefined && stored.has(order.id) ? [[change, order] as const] : []
    }),
  )
}

/** A change, and the order after it. */
interface Planned {
  change: OrderChange
  after: OrderSnapshot
}

const changeColumns = {
  casino_id: text(({ change }: Planned) => change.order.casinoId),
  order_id: text(({ change }: Planned) => change.order.id),
  revision: int(({ change }: Planned) => change.order.revision),
  to_state: text(({ after }: Planned) => after.state),
  to_revision: int(({ after }: Planned) => after.revision),
  ...orderColumns,
  prize_id: text(({ change }: Planned) => change.order.prizeId),
  prize_revision: int(({ change }: Planned) => change.order.prizeRevision),
  prize_to: text(({ change }: Planned) => change.plan.prizeTo ?? null),
  actor: text(({ change }: Planned) => change.actor),
  reason: text(({ change }: Planned) => change.reason ?? change.plan.note ?? null),
  request_id: text(({ change }: Planned) => change.requestId),
  history: jsonb(({ change: { order, plan } }: Planned) =>
    historyWithPrize({ objectType: 'prize_order', object: order, plan }),
  ),
  hold_id: text(({ change }: Planned) => (change.plan.placeHold === undefined ? null : newId('hld'))),
  hold_reason: text(({ change }: Planned) => change.plan.placeHold ?? null),
  only_work: boolean(({ change: { plan } }: Planned) => plan.steps.length === 0 && plan.fields === undefined),
  causes_work: boolean(({ change }: Planned) => change.plan.causesWork ?? false),
  ...workColumns(({ change }: Planned) => change.work),
}

const requestColumns = {
  traceparent: text(currentTraceparent),
  ...claimColumns(({ change }: Planned) => change.claim),
  delivery_ciphertext: bytea(({ change }: Planned) => change.delivery?.ciphertext ?? null),
  delivery_key: bytea(({ change }: Planned) => change.delivery?.wrappedKey ?? null),
  delivery_key_id: text(({ change }: Planned) => change.delivery?.keyId ?? null),
}

/** The rows of `input` whose order and prize are still as loaded, now locked, and that fulfil the condition. */
function acceptedOrders(condition: Prisma.Sql): Prisma.Sql {
  return sql`accepted AS (
      SELECT input.*
        FROM prize_order
        JOIN input ON prize_order.id = input.order_id AND prize_order.casino_id = input.casino_id
        LEFT JOIN prize_locked ON prize_locked.casino_id = input.casino_id AND prize_locked.id = input.prize_id
       WHERE prize_order.revision = input.revision AND (input.prize_to IS NULL OR prize_locked.id IS NOT NULL)
         AND ${condition}
       ORDER BY prize_order.id FOR UPDATE OF prize_order
    )`
}

/** A request may also correct the delivery details. */
const detailsCorrected = Prisma.raw(
  ['delivery_ciphertext', 'delivery_key', 'delivery_key_id']
    .map((name) => `${name} = COALESCE(accepted.${name}, prize_order.${name}), `)
    .join(''),
)

function changedOrders(now: Date, details: Prisma.Sql): Prisma.Sql {
  return sql`order_changed AS (
      UPDATE prize_order
         SET state = to_state, revision = to_revision, ${orderAssigned},
             ${details}updated_at = CASE WHEN to_revision > accepted.revision THEN ${instant(now)} ELSE updated_at END
        FROM accepted
       WHERE prize_order.id = accepted.order_id AND NOT only_work
    )`
}

/** The order after the change. */
function outcomeOf({ order, plan }: OrderChange, now: Date): OrderSnapshot {
  const held = plan.placeHold === undefined ? order.openHolds : [...order.openHolds, plan.placeHold]
  const state = plan.steps.at(-1)?.to ?? order.state
  return {
    ...order,
    // Any step ends the provider's silence, or the need to poll.
    ...(plan.steps.length > 0 && isPollProblem(order.problem) ? { problem: null } : {}),
    ...plan.fields,
    state,
    revision: order.revision + plan.steps.length,
    openHolds: held.filter((reason) => !plan.releaseHolds?.includes(reason)),
    updatedAt: plan.steps.length > 0 ? now : order.updatedAt,
    // Later steps do not change the end: the retention of delivery details starts there.
    endedAt: orderTransitions[state].length === 0 ? (order.endedAt ?? now) : null,
    prizeState: plan.prizeTo ?? order.prizeState,
    prizeRevision: order.prizeRevision + (plan.prizeTo === undefined ? 0 : 1),
  }
}
