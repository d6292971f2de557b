import { writtenEvents } from '../event/written-events.ts'
import type { Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { erasedUpdateId } from '../prize-order/erased-update-id.ts'
import { batchInput, instant, rowLocks, sql, text, textArray, timestamptz } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import { findDue } from '../set-aside/find-due.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

/** One statement erases this many in a few dozen milliseconds. */
export const erasedAtOnceMax = 500

export interface ErasableCasino {
  casinoId: string
  /** Orders finished before this are due. */
  finishedBefore: Date
}

/**
 * Erases delivery details of orders that were finished long enough ago, and the provider's data about them: data key
 * and ciphertext, tracking numbers, reasons, the provider's own ids. The orders themselves stay. Returns the number of
 * orders; if the batch is full, there may be more.
 */
export async function eraseFinishedDeliveries(
  deps: SetAsideDeps,
  casinos: readonly ErasableCasino[],
): Promise<number> {
  const due = await findDue(deps.database, {
    casinos: batchInput(casinos, {
      casino_id: text((casino) => casino.casinoId),
      finished_before: timestamptz((casino) => casino.finishedBefore),
    }),
    due: sql`
      SELECT prize_order.casino_id, prize_order.id, prize_order.ended_at AS due_at FROM prize_order
       WHERE prize_order.casino_id = input.casino_id AND prize_order.ended_at < input.finished_before
         AND prize_order.delivery_key IS NOT NULL AND ${isErasable(deps.clock.now())}`,
    max: erasedAtOnceMax,
  })
  return eraseOrders(deps, due, { actor: 'worker', reason: null, requestId: null }, rowLocks.skip)
}

/** The condition that a row of prize_order is not set aside. */
export function isErasable(now: Date): Prisma.Sql {
  return isNotSetAside('erase-deliveries', now, {
    casinoId: sql`prize_order.casino_id`,
    id: sql`prize_order.id`,
  })
}

/** The requester and the reason, for the history. */
export interface EraseWish {
  actor: string
  reason: string | null
  requestId: string | null
}

/**
 * Erases the delivery details of those of these orders that have ended. Locked orders are waited for or skipped.
 * Returns the number erased.
 */
export function eraseOrders(
  deps: SetAsideDeps,
  orders: readonly Found[],
  wish: EraseWish,
  locks: RowLocks,
): Promise<number> {
  return workAroundDamage(deps, 'erase-deliveries', orders, (found) => erase(deps, found, wish, locks))
}

/**
 * A statement of its own locks the orders: a shipment update in progress holds a shared lock on its order
 * (receive-shipment-update.ts). So the erasing statement starts when all data to erase is there, and later updates find
 * the order erased. It erases only the orders that the first statement locked: for an order that was skipped, it could
 * start too early.
 */
async function erase(
  { database, clock }: SetAsideDeps,
  found: readonly Found[],
  { actor, reason, requestId }: EraseWish,
  locks: RowLocks,
): Promise<number> {
  const now = clock.now()
  const ids = found.map(({ id }) => id)
  const [, rows] = await database.$inTransaction([
    database.$executeRaw`
      WITH locked AS (
        SELECT id FROM prize_order WHERE id = ANY(${textArray(ids)}) ORDER BY id FOR UPDATE ${locks}
      )
      SELECT set_config('rewards.erasable_orders', coalesce(array_agg(id), '{}')::text, true) FROM locked`,
    database.$queryRaw<{ count: number }[]>`
      WITH erasable AS (
        SELECT id, casino_id, state, revision FROM prize_order
         WHERE id = ANY(current_setting('rewards.erasable_orders')::text[])
           AND ended_at IS NOT NULL AND delivery_key IS NOT NULL
      ),
      delivery_erased AS (
        UPDATE prize_order
           SET delivery_ciphertext = '', delivery_key = NULL, delivery_key_id = NULL, carrier = NULL,
               tracking_number = NULL, provider_reference = NULL, revision = prize_order.revision + 1
          FROM erasable WHERE prize_order.id = erasable.id
      ),
      updates_erased AS (
        UPDATE partner_event
           SET carrier = NULL, tracking_number = NULL, reason = NULL, id = ${erasedUpdateId(sql`partner_event.id`)}
          FROM erasable
         WHERE partner_event.casino_id = erasable.casino_id AND partner_event.order_id = erasable.id
      ),
      event_written AS (
        ${writtenEvents(instant(now), {
          from: sql`erasable`,
          objectType: 'prize_order',
          objectId: sql`id`,
          sequence: sql`revision + 1`,
          type: 'prize_order.delivery_erased',
          fromState: sql`state`,
          toState: sql`state`,
          actor: sql`${actor}::text`,
          reason: sql`${reason}::text`,
          requestId: sql`${requestId}::text`,
        })}
      )
      SELECT count(*)::int AS count FROM erasable`,
  ])
  return singleRow(rows).count
}
