import { toStepsJson } from '../event/steps.ts'
import { claimColumns, heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { finishedWork, snoozedWork } from '../outbox/snooze.ts'
import { causedWork, continuedTrace, doneWork, restingWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { tracedFrom } from '../queue/jobs.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import { eventsWithPrizes, lockedPrizes, movedPrizes } from '../prize/moved-prizes.ts'
import { withHoldsEnded } from './end-holds.ts'
import { changedHolds, settledUpdates } from './hold-steps.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { orderColumns } from './order-columns.ts'
import { isPollProblem } from './poll-problem.ts'
import { orderTransitions } from './state.ts'
import { assignedFrom, batchInput, boolean, bytea } from '../platform/sql.ts'
import { instant, int, jsonb, sql, text } from '../platform/sql.ts'

export interface StoreChangesDeps {
  database: Database
  clock: Clock
  handOver: HandOver
}

const nextWork = causedWork({
  from: sql`accepted WHERE causes_work`,
  jobName: 'fulfil-prize-order',
  objectId: sql`order_id`,
  traceparent: continuedTrace('accepted'),
})

const workDone = doneWork(
  sql`SELECT outbox_id FROM accepted WHERE snooze_until IS NULL`,
  sql`SELECT id FROM work_replaced`,
)

const restingOfOrder = restingWork(sql`accepted.order_id`, ['fulfil-prize-order'], sql`accepted.outbox_id`)

const workSnoozed = snoozedWork('accepted')

const orderAssigned = assignedFrom('accepted', orderColumns)

interface NextWorkRow {
  order_id: string
  new_outbox_id: bigint | null
  traceparent: string | null
}

/**
 * Stores changes of orders: order, prize, holds, delivery details, history and the following or finished work, in one
 * statement, for each order that is still as loaded. Returns the orders after the change. Hands over new work. At most
 * one change per order.
 */
export async function storeOrderChanges(
  { database, clock, handOver }: StoreChangesDeps,
  wanted: readonly OrderChange[],
): Promise<ReadonlyMap<OrderChange, OrderSnapshot>> {
  const now = clock.now()
  const changes = wanted.map(withHoldsEnded)
  const planned = changes.map((change) => ({ change, after: outcomeOf(change, now) }))
  const released = changes.flatMap(({ order, plan }) =>
    (plan.releaseHolds ?? []).map((reason) => ({ orderId: order.id, reason })),
  )
  const updates = changes.flatMap(({ order, updateOutcomes = [] }) =>
    updateOutcomes.map((update) => ({ ...update, orderId: order.id })),
  )
  const rows = await database.$queryRaw<NextWorkRow[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(planned, {
        casino_id: text(({ change }) => change.order.casinoId),
        order_id: text(({ change }) => change.order.id),
        revision: int(({ change }) => change.order.revision),
        to_state: text(({ after }) => after.state),
        to_revision: int(({ after }) => after.revision),
        prize_id: text(({ change }) => change.order.prizeId),
        prize_revision: int(({ change }) => change.order.prizeRevision),
        prize_from: text(({ change }) => change.order.prizeState),
        prize_to: text(({ change }) => change.plan.prizeTo ?? null),
        actor: text(({ change }) => change.actor),
        reason: text(({ change }) => change.reason ?? change.plan.note ?? null),
        request_id: text(({ change }) => change.requestId),
        traceparent: text(currentTraceparent),
        causes_work: boolean(({ change }) => change.plan.causesWork ?? false),
        only_work: boolean(
          ({ change }) => change.plan.steps.length === 0 && change.plan.fields === undefined,
        ),
        ...finishedWork(({ change }: { change: OrderChange }) => change.work),
        hold_id: text(({ change }) => (change.plan.placeHold === undefined ? null : newId('hld'))),
        hold_reason: text(({ change }) => change.plan.placeHold ?? null),
        delivery_ciphertext: bytea(({ change }) => change.delivery?.ciphertext ?? null),
        delivery_key: bytea(({ change }) => change.delivery?.wrappedKey ?? null),
        delivery_key_id: text(({ change }) => change.delivery?.keyId ?? null),
        ...claimColumns(({ change }: { change: OrderChange }) => change.claim),
        steps: jsonb(({ change }) => toStepsJson(change.order.state, change.plan.steps)),
        ...orderColumns,
      })}
    ),
    ${heldClaims},
    ${lockedPrizes},
    accepted AS (
      SELECT input.*
        FROM prize_order
        JOIN input ON prize_order.id = input.order_id AND prize_order.casino_id = input.casino_id
        LEFT JOIN prize_locked ON prize_locked.casino_id = input.casino_id AND prize_locked.id = input.prize_id
       WHERE prize_order.revision = input.revision AND (input.prize_to IS NULL OR prize_locked.id IS NOT NULL)
         AND ${isClaimHeld}
       ORDER BY prize_order.id
         FOR UPDATE OF prize_order
    ),
    ${markedClaims},
    ${movedPrizes('accepted', now)},
    order_changed AS (
      UPDATE prize_order
         SET state = to_state, revision = to_revision, ${orderAssigned},
             delivery_ciphertext = COALESCE(accepted.delivery_ciphertext, prize_order.delivery_ciphertext),
             delivery_key = COALESCE(accepted.delivery_key, prize_order.delivery_key),
             delivery_key_id = COALESCE(accepted.delivery_key_id, prize_order.delivery_key_id),
             updated_at = CASE WHEN to_revision > accepted.revision THEN ${instant(now)} ELSE updated_at END
        FROM accepted
       WHERE prize_order.id = accepted.order_id AND NOT only_work
    ),
    ${changedHolds(released, now)},
    ${settledUpdates(updates)},
    ${eventsWithPrizes('accepted', { objectType: 'prize_order', objectId: 'order_id' }, now)},
    ${workSnoozed},
    -- New work replaces a snoozed reminder or poll; an ended order has no work.
    work_replaced AS (
      SELECT resting.id
        FROM accepted
       CROSS JOIN ${restingOfOrder}
       WHERE accepted.causes_work OR accepted.prize_to IS NOT NULL
    ),
    ${workDone},
    ${nextWork}
    SELECT accepted.order_id, work_due.id AS new_outbox_id, work_due.traceparent
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.order_id`

  handOver(
    rows.flatMap(({ order_id: objectId, new_outbox_id: id, traceparent }) => {
      if (id === null) return []
      const work = { outboxId: String(id), objectId, ...tracedFrom(traceparent) }
      return [{ jobName: 'fulfil-prize-order' as const, ...work }]
    }),
  )
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map(
    wanted.flatMap((change, index) => {
      const order = planned[index]?.after
      return order !== undefined && stored.has(order.id) ? [[change, order] as const] : []
    }),
  )
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
