import { isWantedType } from '../event/event-types.ts'
import { feedHorizon } from '../event/feed-position.ts'
import { toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import { dueInLine, lineIfAny } from '../outbox/line.ts'
import { causedWork, dueForRelay, newOutboxId } from '../outbox/work-steps.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text, textArray } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import type { DueWork } from '../queue/jobs.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { turnPauseMs } from './decide-delivery.ts'
import { lineOfEndpoint } from './endpoint-line.ts'
import type { EndpointName } from './endpoints.ts'
import { shareAmongCasinos } from './share-among-casinos.ts'

/** The limits of one statement: a few thousand rows at most. */
const endpointsMax = 20
const eventsPerEndpointMax = 250
const newEventsMax = 5_000
/**
 * An endpoint that is slow or fails gets about this many pending deliveries at most. Later events stay in the feed, at
 * no cost, until it has received some.
 */
const pendingPerEndpointMax = 1_000

/** The condition that an endpoint has the maximum of pending deliveries. */
export const isFull = sql`(
         ${pendingPerEndpointMax}::int <= (
               SELECT count(*) FROM (
                 SELECT FROM webhook_delivery AS delivery
                  WHERE delivery.casino_id = endpoint.casino_id AND delivery.endpoint_id = endpoint.id
                    AND delivery.state = 'pending' LIMIT ${pendingPerEndpointMax}::int) AS pending))`

/** The endpoints to examine: all, or those of casinos with new events; without those that are known to be full. */
export interface FanOutScope {
  casinoIds: readonly string[] | 'all'
  without: readonly EndpointName[]
  /** The casino served last: the ones after it come first. */
  afterCasinoId: string
}

/** The result of a run: the events examined, the work to hand over, and the full endpoints. */
export interface FannedOut {
  eventCount: number
  works: DueWork[]
  full: EndpointName[]
  lastCasinoId: string
}

/** The casinos with events after this one, and the last event now; `all` if examining all is simpler. */
export async function findNewEvents(
  database: Database,
  afterId: bigint,
): Promise<{ casinoIds: string[] | 'all'; lastId: bigint }> {
  const [row] = await database.$queryRaw<{ casino_ids: string[]; count: number; last_id: bigint }[]>`
    SELECT coalesce(array_agg(DISTINCT casino_id), '{}') AS casino_ids, count(*)::int AS count,
           coalesce(max(id), ${afterId}::bigint) AS last_id
      FROM (SELECT id, casino_id FROM event WHERE id > ${afterId}::bigint ORDER BY id LIMIT ${newEventsMax}::int) AS new`
  if (row === undefined) throw new Error('a statement returned no row')
  return { casinoIds: row.count < newEventsMax ? row.casino_ids : 'all', lastId: row.last_id }
}

/** SQL: the last event's number; 0 without events. */
export const lastEventId = sql`coalesce((SELECT event.id FROM event ORDER BY event.id DESC LIMIT 1), 0)`

export async function findLastEvent(database: Database): Promise<bigint> {
  return singleRow(await database.$queryRaw<{ id: bigint }[]>`SELECT ${lastEventId} AS id`).id
}

/** SQL for a delivery's id: the time and a number keep ids in feed order, the rest makes them unique. */
export function newDeliveryId(now: Date, number: Prisma.Sql): Prisma.Sql {
  return sql`
    'dlv_' || lpad(to_hex((extract(epoch FROM ${instant(now)}) * 1000)::bigint), 12, '0')
           || lpad(to_hex(${number}), 4, '0') || right(replace(gen_random_uuid()::text, '-', ''), 16)`
}

const everything: FanOutScope = { casinoIds: 'all', without: [], afterCasinoId: '' }

/**
 * Turns the events after the cursors of enabled endpoints into deliveries and work, and advances the cursors, in one
 * statement. So every event becomes one delivery, however many workers run this and wherever one crashes. Work for an
 * object whose earlier event is pending starts snoozed: the end of the earlier one wakes it. Where work waits in the
 * line of an endpoint, new work joins the line: a job would find no free slot.
 *
 * The look-ups of single deliveries ask for an order that only the right index has: without statistics, the server
 * might scan the whole log of the endpoint.
 */
export async function fanOutEvents(deps: SetAsideDeps, scope: FanOutScope = everything): Promise<FannedOut> {
  const now = deps.clock.now()
  const found = await findBehind(deps.database, now, scope)
  const { afterCasinoId } = scope
  const ready = found.filter(({ isFull }) => !isFull)
  const behind = shareAmongCasinos(ready, afterCasinoId, endpointsMax)
  const full = found.filter((endpoint) => endpoint.isFull)
  const works: DueWork[] = []
  const eventCount = await workAroundDamage(deps, 'fan-out-events', behind, async (endpoints) => {
    const fannedOut = await fanOut(deps.database, now, endpoints)
    works.push(...fannedOut.works)
    return fannedOut.eventCount
  })
  return {
    eventCount,
    works,
    full: full.map(({ casinoId, id: endpointId }) => ({ casinoId, endpointId })),
    lastCasinoId: behind.at(-1)?.casinoId ?? afterCasinoId,
  }
}

/** The enabled endpoints with events waiting, furthest behind first. */
function findBehind(
  database: Database,
  now: Date,
  { casinoIds, without }: FanOutScope,
): Promise<(Found & { isFull: boolean })[]> {
  const isWanted = isNotSetAside('fan-out-events', now, {
    casinoId: sql`endpoint.casino_id`,
    id: sql`endpoint.id`,
  })
  return database.$queryRaw<(Found & { isFull: boolean })[]>`
    WITH held AS (
      SELECT * FROM ${batchInput(without, {
        casino_id: text((name) => name.casinoId),
        id: text((name) => name.endpointId),
      })}
    )
    SELECT endpoint.casino_id AS "casinoId", endpoint.id, ${isFull} AS "isFull"
      FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (
       SELECT event.txid FROM event
        WHERE event.casino_id = endpoint.casino_id
          AND (event.txid, event.id) > (endpoint.cursor_txid, endpoint.cursor_event_id)
          AND event.txid < ${feedHorizon}
        ORDER BY event.txid, event.id LIMIT 1
     ) AS next
     WHERE endpoint.state = 'enabled' AND ${isWanted}
       AND (${casinoIds === 'all'}::boolean
            OR endpoint.casino_id = ANY(${textArray(casinoIds === 'all' ? [] : [...casinoIds])}))
       AND NOT EXISTS (SELECT FROM held WHERE held.casino_id = endpoint.casino_id AND held.id = endpoint.id)
     ORDER BY next.txid`
}

async function fanOut(
  database: Database,
  now: Date,
  endpoints: readonly Found[],
): Promise<Pick<FannedOut, 'eventCount' | 'works'>> {
  const rows = await database.$queryRaw<(DeliveryRow & { event_count: number })[]>`
    WITH claimed AS (
      SELECT endpoint.casino_id, endpoint.id, endpoint.event_types, endpoint.cursor_txid, endpoint.cursor_event_id,
             ${lineIfAny(sql`input.line`)} AS line
        FROM ${batchInput(endpoints, {
          casino_id: text((endpoint) => endpoint.casinoId),
          id: text((endpoint) => endpoint.id),
          line: text(({ casinoId, id }) => lineOfEndpoint({ casinoId, endpointId: id }).key),
        })}
        JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = input.casino_id AND endpoint.id = input.id
       WHERE endpoint.state = 'enabled'
         FOR UPDATE OF endpoint SKIP LOCKED
    ),
    scanned AS (
      SELECT claimed.casino_id, claimed.id AS endpoint_id, claimed.event_types, claimed.line,
             event.txid, event.id AS event_id, event.type, event.object_type, event.object_id, event.sequence,
             event.traceparent
        FROM claimed
       CROSS JOIN LATERAL (
         SELECT * FROM event
          WHERE event.casino_id = claimed.casino_id
            AND (event.txid, event.id) > (claimed.cursor_txid, claimed.cursor_event_id)
            AND event.txid < ${feedHorizon}
          ORDER BY event.txid, event.id LIMIT ${eventsPerEndpointMax}::int
       ) AS event
    ),
    wanted AS (
      SELECT scanned.*, row_number() OVER (ORDER BY txid, event_id) AS number,
             row_number() OVER (PARTITION BY casino_id, endpoint_id, object_type, object_id ORDER BY sequence) AS turn
        FROM scanned
       WHERE ${isWantedType('scanned.type', 'scanned.event_types')}
         AND (SELECT made.replay_number FROM webhook_delivery AS made
               WHERE made.casino_id = scanned.casino_id AND made.endpoint_id = scanned.endpoint_id
                 AND made.event_id = scanned.event_id
               ORDER BY made.replay_number LIMIT 1) IS DISTINCT FROM 0
    ),
    named AS MATERIALIZED (
      SELECT wanted.*, ${newOutboxId} AS outbox_id, ${newDeliveryId(now, sql`wanted.number`)} AS delivery_id,
             turn = 1 AND (
               SELECT earlier.sequence FROM webhook_delivery AS earlier
                WHERE earlier.casino_id = wanted.casino_id AND earlier.endpoint_id = wanted.endpoint_id
                  AND earlier.object_type = wanted.object_type AND earlier.object_id = wanted.object_id
                  AND earlier.state = 'pending'
                ORDER BY earlier.sequence LIMIT 1) IS NULL AS is_its_turn
        FROM wanted ORDER BY number -- ids are given after that, so they are in the order of the feed
    ),
    cursor_advanced AS (
      UPDATE webhook_endpoint AS endpoint SET cursor_txid = last.txid, cursor_event_id = last.event_id
        FROM (SELECT DISTINCT ON (casino_id, endpoint_id) casino_id, endpoint_id, txid, event_id
                FROM scanned ORDER BY casino_id, endpoint_id, txid DESC, event_id DESC) AS last
       WHERE endpoint.casino_id = last.casino_id AND endpoint.id = last.endpoint_id
    ),
    delivery_made AS (
      ${insertInto('webhook_delivery', {
        from: sql`named`,
        columns: {
          id: sql`delivery_id`,
          ...sameColumns('casino_id', 'endpoint_id', 'event_id', 'object_type', 'object_id', 'sequence'),
          state: 'pending',
          outbox_id: sql`outbox_id`,
          created_at: instant(now),
          updated_at: instant(now),
        },
      })}
    ),
    ${causedWork({
      from: sql`named ORDER BY outbox_id`,
      jobName: 'deliver-webhook',
      objectId: sql`delivery_id`,
      casinoId: sql`casino_id`,
      outboxId: sql`outbox_id`,
      dueAt: sql`coalesce(${snoozedUntil}, ${dueForRelay})`,
      snoozedUntil,
      line: sql`CASE WHEN is_its_turn THEN line END`,
      traceparent: sql`traceparent`,
    })}
    SELECT scan.event_count, named.outbox_id, named.delivery_id, named.casino_id, named.traceparent
      FROM (SELECT count(*)::int AS event_count FROM scanned) AS scan
      LEFT JOIN named ON is_its_turn AND line IS NULL`
  return { eventCount: rows[0]?.event_count ?? 0, works: rows.flatMap(toDelivery) }
}

/** Until when work is snoozed that waits for its turn or in a line, unless it is woken earlier. */
const snoozedUntil = sql`
  CASE WHEN NOT is_its_turn THEN now() + ${turnPauseMs}::float8 * interval '1 millisecond'
       WHEN line IS NOT NULL THEN ${dueInLine} END`

/** A delivery, and its work if that can be handed over. */
export interface DeliveryRow extends DueRow {
  delivery_id: string
}

export function toDelivery(row: DeliveryRow): DueWork[] {
  return toDueWork('deliver-webhook', row.delivery_id, row)
}
