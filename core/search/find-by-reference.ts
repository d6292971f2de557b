import type { CasinoScope } from '../operator/rights.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { foundMax, isInScope } from './found-object.ts'
import type { FoundObject } from './found-object.ts'

/**
 * Orders and cashbacks by the references of carriers, providers and wallets. Archived orders have none any more: they are
 * erased with the delivery details.
 */
export async function findByReference(
  database: Database,
  scope: CasinoScope,
  reference: string,
): Promise<FoundObject[]> {
  const q = sql`${reference}::text`
  const max = sql`LIMIT ${foundMax + 1}::int`
  return database.$queryRaw<FoundObject[]>`
    SELECT type, id, casino_id AS "casinoId", matched, prize_id AS "prizeId", NULL AS "entryId",
           prize_id AS label, state
      FROM (
        (SELECT 'order' AS type, prize_order.id, casino_id, 'tracking_number' AS matched, prize_id, state
           FROM prize_order JOIN casino ON casino.id = casino_id
          WHERE tracking_number = ${q} AND ${isInScope(scope)} ${max})
         UNION ALL
        (SELECT 'order', prize_order.id, casino_id, 'provider_reference', prize_id, state
           FROM prize_order JOIN casino ON casino.id = casino_id
          WHERE provider_reference = ${q} AND ${isInScope(scope)} ${max})
         UNION ALL
        (SELECT 'cashback', cashback.id, casino_id, 'wallet_reference', prize_id, state
           FROM every_cashback AS cashback JOIN casino ON casino.id = casino_id
          WHERE wallet_reference = ${q} AND ${isInScope(scope)} ${max})
      ) AS found ${max}`
}

/** The objects that a request has changed, by the histories, and its entries in the audit trails. */
export async function findByRequest(
  database: Database,
  scope: CasinoScope,
  requestId: string,
): Promise<FoundObject[]> {
  const q = sql`${requestId}::text`
  const max = sql`LIMIT ${foundMax + 1}::int`
  return database.$queryRaw<FoundObject[]>`
    SELECT type, id, casino_id AS "casinoId", 'request_id' AS matched, prize_id AS "prizeId", entry_id AS "entryId",
           label, NULL AS state
      FROM (
        (SELECT CASE object_type WHEN 'prize_order' THEN 'order' ELSE object_type END AS type, object_id AS id,
                casino_id, CASE object_type WHEN 'prize' THEN object_id END AS prize_id, NULL AS entry_id,
                event.type AS label
           FROM every_event AS event JOIN casino ON casino.id = casino_id
          WHERE request_id = ${q} AND object_type IN ('prize', 'prize_order', 'cashback') AND ${isInScope(scope)} ${max})
         UNION ALL
        (SELECT 'request', request_id, casino_id, NULL, audit_entry.id, action
           FROM audit_entry JOIN casino ON casino.id = casino_id
          WHERE request_id = ${q} AND outcome <> 'requested' AND ${isInScope(scope)} ${max})
      ) AS found ${max}`
}
