import { stepRows, toStepsJson } from '../event/steps.ts'
import { heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { relayAfterMs } from '../outbox/outbox.ts'
import { finishedWork, snoozedWork } from '../outbox/snooze.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { claimGrace } from '../prize/claim-grace.ts'
import { withHoldsEnded } from './end-holds.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { isPollProblem } from './poll-problem.ts'
import { orderTransitions } from './state.ts'
import { batchInput, boolean, bytea, instant, int, jsonb, text, timestamptz } from '../platform/sql.ts'

export interface StoreChangesDeps {
  database: Database
  clock: Clock
  handOver: HandOver
}

/**
 * Stores changes of orders, whoever wants them: order, prize, holds, delivery details, history, and the work that follows
 * or that this was, in one statement, for each order that still is what was loaded. Answers the orders as they are then.
 * Hands new work over. At most one change of each order.
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
  const news = changes.flatMap(({ order, newsOutcomes = [] }) =>
    newsOutcomes.map((piece) => ({ ...piece, orderId: order.id })),
  )
  const rows = await database.$queryRaw<{ order_id: string; new_outbox_id: bigint | null }[]>`
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
        claim_casino: text(({ change }) => change.claim?.casinoId ?? null),
        claim_key: text(({ change }) => change.claim?.key ?? null),
        claim_attempt: text(({ change }) => change.claim?.attemptId ?? null),
        steps: jsonb(({ change }) => toStepsJson(change.order.state, change.plan.steps)),
        provider: text(({ after }) => after.provider),
        carrier: text(({ after }) => after.carrier),
        tracking_number: text(({ after }) => after.trackingNumber),
        shipment_number: int(({ after }) => after.shipmentNumber),
        exception_reason: text(({ after }) => after.exceptionReason),
        returns_prize: boolean(({ after }) => after.returnsPrize),
        cancelled_from: text(({ after }) => after.cancelledFrom),
        provider_reference: text(({ after }) => after.providerReference),
        provider_asked: text(({ after }) => after.providerAsked),
        problem: text(({ after }) => after.problem),
        partner_occurred_at: timestamptz(({ after }) => after.partnerOccurredAt),
        announced_at: timestamptz(({ after }) => after.announcedAt),
        reminders_sent: int(({ after }) => after.remindersSent),
        attempts: int(({ after }) => after.attempts),
        attempt_until: timestamptz(({ after }) => after.attemptUntil),
        next_poll_at: timestamptz(({ after }) => after.nextPollAt),
        ended_at: timestamptz(({ after }) => after.endedAt),
      })}
    ),
    ${heldClaims},
    prize_locked AS (
      SELECT prize.casino_id, prize.id
        FROM prize JOIN input ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision AND input.prize_to IS NOT NULL
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    ),
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
    prize_moved AS (
      UPDATE prize
         SET state = prize_to, revision = prize.revision + 1, updated_at = ${instant(now)},
             ${claimGrace(now)}
        FROM accepted
       WHERE prize.casino_id = accepted.casino_id AND prize.id = accepted.prize_id AND prize_to IS NOT NULL
    ),
    order_changed AS (
      UPDATE prize_order
         SET state = to_state, revision = to_revision, provider = accepted.provider, carrier = accepted.carrier,
             tracking_number = accepted.tracking_number, shipment_number = accepted.shipment_number,
             exception_reason = accepted.exception_reason, returns_prize = accepted.returns_prize,
             cancelled_from = accepted.cancelled_from, provider_reference = accepted.provider_reference,
             provider_asked = accepted.provider_asked, problem = accepted.problem,
             partner_occurred_at = accepted.partner_occurred_at, announced_at = accepted.announced_at,
             reminders_sent = accepted.reminders_sent, attempts = accepted.attempts,
             attempt_until = accepted.attempt_until, next_poll_at = accepted.next_poll_at,
             delivery_ciphertext = COALESCE(accepted.delivery_ciphertext, prize_order.delivery_ciphertext),
             delivery_key = COALESCE(accepted.delivery_key, prize_order.delivery_key),
             delivery_key_id = COALESCE(accepted.delivery_key_id, prize_order.delivery_key_id),
             updated_at = CASE WHEN to_revision > accepted.revision THEN ${instant(now)} ELSE updated_at END,
             ended_at = accepted.ended_at
        FROM accepted
       WHERE prize_order.id = accepted.order_id AND NOT only_work
    ),
    hold_placed AS (
      INSERT INTO order_hold (id, casino_id, order_id, reason, placed_by, placed_at)
      SELECT hold_id, casino_id, order_id, hold_reason, actor, ${instant(now)}
        FROM accepted WHERE hold_id IS NOT NULL
    ),
    hold_released AS (
      UPDATE order_hold SET released_by = accepted.actor, released_at = ${instant(now)}
        FROM accepted
        JOIN ${batchInput(released, {
          order_id: text((hold) => hold.orderId),
          reason: text((hold) => hold.reason),
        })} ON input.order_id = accepted.order_id
       WHERE order_hold.order_id = input.order_id AND order_hold.reason = input.reason
         AND order_hold.released_at IS NULL
    ),
    news_settled AS (
      UPDATE partner_event SET outcome = input.outcome
        FROM accepted
        JOIN ${batchInput(news, {
          order_id: text((piece) => piece.orderId),
          id: text((piece) => piece.id),
          outcome: text((piece) => piece.outcome),
        })} ON input.order_id = accepted.order_id
       WHERE partner_event.casino_id = accepted.casino_id AND partner_event.id = input.id
    ),
    change AS (
      SELECT casino_id, 'prize_order' AS object_type, order_id AS object_id, revision + step.place AS sequence,
             'prize_order.' || step.event AS type, step.from_state, step.to_state, step.data, actor, reason, request_id
        FROM accepted
       CROSS JOIN LATERAL ${stepRows}
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1,
             CASE prize_to WHEN 'won' THEN 'prize.returned' ELSE 'prize.' || prize_to END,
             prize_from, prize_to, NULL, actor, reason, request_id
        FROM accepted WHERE prize_to IS NOT NULL
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, data, actor, reason,
                         request_id, created_at)
      SELECT casino_id, object_type, object_id, sequence, type, from_state, to_state, data, actor, reason, request_id,
             ${instant(now)}
        FROM change ORDER BY object_type DESC, object_id, sequence
    ),
    ${snoozedWork('accepted')},
    work_locked AS (
      SELECT id FROM outbox
       WHERE id = ANY(ARRAY(SELECT outbox_id FROM accepted WHERE snooze_until IS NULL)) ORDER BY id FOR UPDATE
    ),
    -- New work takes the place of what rests, a reminder or a poll, and nothing follows the end of an order.
    work_replaced AS (
      SELECT resting.id
        FROM accepted
       CROSS JOIN LATERAL (
         SELECT id FROM outbox
          WHERE outbox.object_id = accepted.order_id AND outbox.snoozed_until IS NOT NULL
            AND outbox.job_name = 'fulfil-prize-order' AND outbox.id IS DISTINCT FROM accepted.outbox_id
          FOR UPDATE
       ) AS resting
       WHERE accepted.causes_work OR accepted.prize_to IS NOT NULL
    ),
    work_done AS (
      DELETE FROM outbox
       WHERE id = ANY(ARRAY(SELECT id FROM work_locked UNION ALL SELECT id FROM work_replaced))
    ),
    work_due AS (
      INSERT INTO outbox (job_name, object_id, due_at)
      SELECT 'fulfil-prize-order', order_id, now() + ${relayAfterMs}::float8 * interval '1 millisecond'
        FROM accepted WHERE causes_work
      RETURNING id, object_id
    )
    SELECT accepted.order_id, work_due.id AS new_outbox_id
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.order_id`

  handOver(
    rows.flatMap(({ order_id: objectId, new_outbox_id: id }) =>
      id === null ? [] : [{ jobName: 'fulfil-prize-order' as const, outboxId: String(id), objectId }],
    ),
  )
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map(
    wanted.flatMap((change, index) => {
      const order = planned[index]?.after
      return order !== undefined && stored.has(order.id) ? [[change, order] as const] : []
    }),
  )
}

/** The order as the change leaves it. */
function outcomeOf({ order, plan }: OrderChange, now: Date): OrderSnapshot {
  const held = plan.placeHold === undefined ? order.openHolds : [...order.openHolds, plan.placeHold]
  const state = plan.steps.at(-1)?.to ?? order.state
  return {
    ...order,
    // Whatever happens to it, its provider is not silent about it any more, or need not be asked.
    ...(plan.steps.length > 0 && isPollProblem(order.problem) ? { problem: null } : {}),
    ...plan.fields,
    state,
    revision: order.revision + plan.steps.length,
    openHolds: held.filter((reason) => !plan.releaseHolds?.includes(reason)),
    updatedAt: plan.steps.length > 0 ? now : order.updatedAt,
    // What is written down after the end does not move it: delivery details are kept from there on.
    endedAt: orderTransitions[state].length === 0 ? (order.endedAt ?? now) : null,
    prizeState: plan.prizeTo ?? order.prizeState,
    prizeRevision: order.prizeRevision + (plan.prizeTo === undefined ? 0 : 1),
  }
}
