import type { CasinoScope } from '../operator/rights.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { foundMax, isInScope } from './found-object.ts'
import type { FoundObject } from './found-object.ts'

/**
 * The objects with an id that casinos choose, in every casino of the scope: each is looked up by its key. A player is
 * known by openings or prizes.
 */
export async function findByChosenId(
  database: Database,
  scope: CasinoScope,
  id: string,
): Promise<FoundObject[]> {
  const q = sql`${id}::text`
  return database.$queryRaw<FoundObject[]>`
    SELECT found.type, found.id, casino.id AS "casinoId", found.matched, found.prize_id AS "prizeId", NULL AS "entryId",
           found.label, found.state
      FROM casino
     CROSS JOIN LATERAL (
       SELECT 'casino' AS type, id, 'id' AS matched, NULL AS prize_id, name AS label, NULL AS state
         FROM (SELECT casino.id, casino.name) AS itself WHERE id = ${q}
        UNION ALL
       SELECT 'prize', id, 'id', id, item_name, state FROM every_prize WHERE casino_id = casino.id AND id = ${q}
        UNION ALL
       SELECT 'item', id, 'id', NULL, name, NULL FROM item WHERE casino_id = casino.id AND id = ${q}
        UNION ALL
       SELECT 'box', box.id, 'id', NULL, version.name, CASE WHEN box.enabled THEN 'enabled' ELSE 'disabled' END
         FROM box JOIN box_version AS version
           ON version.casino_id = box.casino_id AND version.box_id = box.id AND version.version = box.current_version
        WHERE box.casino_id = casino.id AND box.id = ${q}
        UNION ALL
       SELECT 'grant', id, 'id', NULL, player_id, NULL FROM opening_grant WHERE casino_id = casino.id AND id = ${q}
        UNION ALL
       SELECT 'endpoint', id, 'id', NULL, coalesce(description, id), state
         FROM webhook_endpoint WHERE casino_id = casino.id AND id = ${q}
        UNION ALL
       SELECT 'player', ${q}, 'player_id', NULL, ${q}, NULL
        WHERE EXISTS (SELECT FROM player WHERE casino_id = casino.id AND id = ${q})
           OR EXISTS (SELECT FROM every_prize WHERE casino_id = casino.id AND player_id = ${q})
     ) AS found
     WHERE ${isInScope(scope)}
     ORDER BY casino.id LIMIT ${foundMax + 1}::int`
}

/** The objects with an id that the service makes. */
export async function findByOwnId(
  database: Database,
  scope: CasinoScope,
  id: string,
): Promise<FoundObject[]> {
  const q = sql`${id}::text`
  return database.$queryRaw<FoundObject[]>`
    SELECT found.type, found.id, casino.id AS "casinoId", 'id' AS matched, found.prize_id AS "prizeId",
           CASE found.type WHEN 'request' THEN ${q} END AS "entryId", found.label, found.state
      FROM (
        SELECT 'order' AS type, id, casino_id, prize_id, prize_id AS label, state FROM every_prize_order WHERE id = ${q}
         UNION ALL
        SELECT 'cashback', id, casino_id, prize_id, prize_id, state FROM every_cashback WHERE id = ${q}
         UNION ALL
        SELECT 'opening', id, casino_id, prize_id, box_id, NULL FROM every_opening WHERE id = ${q}
         UNION ALL
        SELECT 'api_key', id, casino_id, NULL, coalesce(name, id), CASE WHEN revoked_at IS NULL THEN NULL ELSE 'revoked' END
          FROM api_key WHERE id = ${q}
         UNION ALL
        SELECT 'order', prize_order.id, prize_order.casino_id, prize_id, prize_id, state
          FROM order_hold JOIN every_prize_order AS prize_order ON prize_order.id = order_hold.order_id WHERE order_hold.id = ${q}
         UNION ALL
        SELECT 'cashback', cashback.id, cashback.casino_id, prize_id, prize_id, state
          FROM ledger_transaction JOIN every_cashback AS cashback ON cashback.id = ledger_transaction.cashback_id
         WHERE ledger_transaction.id = ${q}
         UNION ALL
        SELECT 'prize', prize_id, casino_id, prize_id, prize_id, NULL FROM prize_note WHERE id = ${q}
         UNION ALL
        SELECT 'act', id, casino_id, NULL, action, state FROM act WHERE id = ${q}
         UNION ALL
        SELECT 'event', 'evt_' || id, casino_id, ${prizeOfEvent}, type, NULL
          FROM every_event AS event WHERE id = ${eventNumber(id)}::bigint
         UNION ALL
        SELECT 'endpoint', endpoint_id, casino_id, NULL, 'evt_' || event_id, state
          FROM webhook_delivery WHERE id = ${q}
         UNION ALL
        SELECT 'seed', id, casino_id, NULL, commitment, state FROM server_seed WHERE id = ${q}
         UNION ALL
        SELECT 'request', request_id, casino_id, NULL, action, NULL FROM audit_entry WHERE id = ${q}
      ) AS found
      JOIN casino ON casino.id = found.casino_id
     WHERE ${isInScope(scope)} LIMIT ${foundMax + 1}::int`
}

/** The prize that an event is about, itself or by its order or cashback. */
const prizeOfEvent = sql`
  CASE object_type
    WHEN 'prize' THEN object_id
    WHEN 'prize_order' THEN (SELECT prize_id FROM every_prize_order AS one
                             WHERE one.casino_id = event.casino_id AND one.id = event.object_id LIMIT 1)
    WHEN 'cashback' THEN (SELECT prize_id FROM every_cashback AS one
                             WHERE one.casino_id = event.casino_id AND one.id = event.object_id LIMIT 1)
  END`

/** The number of an event's id; one that no event has when it is another id. */
function eventNumber(id: string): string {
  return /^evt_([1-9]\d{0,17})$/.exec(id)?.[1] ?? '-1'
}
