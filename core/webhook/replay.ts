import { RewardsError } from '../errors.ts'
import { isWantedType } from '../event/event-types.ts'
import { findPositionBefore } from '../event/feed-position.ts'
import type { FeedPosition } from '../event/feed-position.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { Prisma } from '../platform/database.ts'
import { clockDifferenceMaxMs } from '../platform/clock.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { columnsOf, insertInto } from '../platform/sql-insert.ts'
import type { EndpointName } from './endpoints.ts'
import { newDeliveryId } from './fan-out.ts'

interface Deps {
  database: Database
  clock: Clock
}

/** A replayed delivery. It is parked; a worker finds it and delivers it in its turn. */
export interface Replayed {
  deliveryId: string
  endpointId: string
}

/**
 * The condition that the endpoint's cursor has passed the event. A replay of a later event would overtake the object's
 * earlier ones, and the endpoint gets it anyway.
 */
function hasPassed(event: string): Prisma.Sql {
  const [txid, id] = [Prisma.raw(`${event}.txid`), Prisma.raw(`${event}.id`)]
  return sql`(${txid}, ${id}) <= (endpoint.cursor_txid, endpoint.cursor_event_id)`
}

/**
 * Steps that create deliveries of `picked` (casino_id, endpoint_id, event_id, object_type, object_id, sequence,
 * number), unless one of the same event is pending.
 */
function makeReplays(now: Date, claim: HeldClaim | undefined): Prisma.Sql {
  return sql`${heldClaim(claim)},
    endpoint_held AS (
      SELECT endpoint.casino_id, endpoint.id FROM webhook_endpoint AS endpoint
       WHERE (endpoint.casino_id, endpoint.id) IN (SELECT casino_id, endpoint_id FROM picked)
         AND endpoint.disabled_reason IS DISTINCT FROM 'deleting' AND EXISTS (SELECT FROM claim_held)
       ORDER BY endpoint.casino_id, endpoint.id FOR UPDATE
    ),
    replayed AS (
      ${insertInto('webhook_delivery', {
        columns: {
          id: newDeliveryId(now, sql`picked.number`),
          ...columnsOf(
            'picked',
            'casino_id',
            'endpoint_id',
            'event_id',
            'object_type',
            'object_id',
            'sequence',
          ),
          replay_number: sql`coalesce(made.latest, 0) + 1`,
          state: 'pending',
          created_at: instant(now),
          updated_at: instant(now),
        },
        from: sql`picked
        JOIN endpoint_held ON endpoint_held.casino_id = picked.casino_id AND endpoint_held.id = picked.endpoint_id
       CROSS JOIN LATERAL (
         SELECT max(replay_number) AS latest, coalesce(bool_or(state = 'pending'), false) AS is_pending
           FROM webhook_delivery AS delivery
          WHERE delivery.casino_id = picked.casino_id AND delivery.endpoint_id = picked.endpoint_id
            AND delivery.event_id = picked.event_id
       ) AS made
       WHERE NOT made.is_pending`,
      })}
          ON CONFLICT DO NOTHING
      RETURNING id, endpoint_id
    ),
    ${markedClaim(claim, 'replayed')}`
}

/**
 * Sends one event again, to one endpoint or to all that subscribe to its type. The caller has checked that the event is
 * the casino's. Throws `webhook_endpoint_unknown`.
 */
export async function replayEvent(
  { database, clock }: Deps,
  of: {
    casinoId: string
    eventNumber: string
    endpointId: string | undefined
    claim: HeldClaim | undefined
  },
): Promise<Replayed[]> {
  const only = of.endpointId ?? null
  const rows = await database.$queryRaw<{ id: string | null; endpoint_id: string; is_known: boolean }[]>`
    WITH picked AS (
      SELECT endpoint.casino_id, endpoint.id AS endpoint_id, event.id AS event_id, event.object_type, event.object_id,
             event.sequence, row_number() OVER (ORDER BY endpoint.id) AS number
        FROM event JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = event.casino_id
       WHERE event.id = ${of.eventNumber}::bigint AND event.casino_id = ${of.casinoId}::text
         AND ${hasPassed('event')}
         AND (endpoint.id = ${only}::text
              OR (${only}::text IS NULL AND ${isWantedType('event.type', 'endpoint.event_types')}))
    ),
    ${makeReplays(clock.now(), of.claim)}
    SELECT replayed.id, replayed.endpoint_id,
           EXISTS (SELECT FROM webhook_endpoint
                    WHERE casino_id = ${of.casinoId}::text AND id = ${only}::text) AS is_known
      FROM (SELECT) AS one LEFT JOIN replayed ON true`
  if (only !== null && rows[0]?.is_known !== true) throw new RewardsError('webhook_endpoint_unknown')
  return rows.flatMap(({ id, endpoint_id }) =>
    id === null ? [] : [{ deliveryId: id, endpointId: endpoint_id }],
  )
}

/** The events that an endpoint gets again. */
export interface ReplayRange {
  from: Date
  until: Date
  /** Where an earlier call stopped. */
  after: FeedPosition | undefined
  claim: HeldClaim | undefined
}

/** The limit of one statement; the caller repeats it for the rest. */
const replaysAtOnceMax = 1_000
const scanMax = 10_000

/**
 * Sends the endpoint the events of a range again, filtered by its types, including those from before it was created.
 * Bounded: `next` is where to continue; undefined at the end of the range.
 */
export async function replayRange(
  { database, clock }: Deps,
  { casinoId, endpointId }: EndpointName,
  { from, until, after, claim }: ReplayRange,
): Promise<{ count: number; next: FeedPosition | undefined }> {
  const start = after ?? (await findPositionBefore(database, casinoId, shifted(from, -clockDifferenceMaxMs)))
  const end = await findPositionBefore(database, casinoId, shifted(until, clockDifferenceMaxMs))
  const [row] = await database.$queryRaw<
    { count: number; scanned: number; picked: number; txid: bigint | null; event_id: bigint | null }[]
  >`
    WITH scanned AS (
      SELECT event.txid, event.id AS event_id, event.type, event.object_type, event.object_id, event.sequence,
             event.created_at, endpoint.casino_id, endpoint.id AS endpoint_id, endpoint.event_types
        FROM webhook_endpoint AS endpoint
       CROSS JOIN LATERAL (
         SELECT * FROM event
          WHERE event.casino_id = endpoint.casino_id
            AND (event.txid, event.id) > (${start.txid}::bigint, ${start.eventId}::bigint)
            AND event.txid < ${end.txid}::bigint AND ${hasPassed('event')}
          ORDER BY event.txid, event.id LIMIT ${scanMax}::int
       ) AS event
       WHERE endpoint.casino_id = ${casinoId}::text AND endpoint.id = ${endpointId}::text
    ),
    picked AS (
      SELECT scanned.*, row_number() OVER (ORDER BY txid, event_id) AS number
        FROM scanned
       WHERE created_at >= ${instant(from)} AND created_at < ${instant(until)}
         AND ${isWantedType('scanned.type', 'scanned.event_types')}
       ORDER BY txid, event_id LIMIT ${replaysAtOnceMax}::int
    ),
    ${makeReplays(clock.now(), claim)},
    seen AS (
      SELECT (SELECT count(*) FROM scanned)::int AS scanned, (SELECT count(*) FROM picked)::int AS picked
    )
    SELECT (SELECT count(*) FROM replayed)::int AS count, seen.scanned, seen.picked, last.txid, last.event_id
      FROM seen
      LEFT JOIN LATERAL (
        (SELECT txid, event_id FROM picked WHERE seen.picked = ${replaysAtOnceMax}::int
          ORDER BY txid DESC, event_id DESC LIMIT 1)
         UNION ALL
        (SELECT txid, event_id FROM scanned WHERE seen.picked < ${replaysAtOnceMax}::int AND seen.scanned = ${scanMax}::int
          ORDER BY txid DESC, event_id DESC LIMIT 1)
      ) AS last ON true`
  const hasMore = row !== undefined && row.txid !== null && row.event_id !== null
  return {
    count: row?.count ?? 0,
    next: hasMore ? { txid: String(row.txid), eventId: String(row.event_id) } : undefined,
  }
}

/**
 * Sends the endpoint its permanently failed deliveries again: each event once, without those that were replayed since.
 * Bounded as above; `next` is the id of the last delivery examined.
 */
export async function replayFailed(
  { database, clock }: Deps,
  { casinoId, endpointId }: EndpointName,
  {
    from,
    until,
    afterId,
    claim,
  }: { from: Date; until: Date; afterId: string | undefined; claim: HeldClaim | undefined },
): Promise<{ count: number; next: string | undefined }> {
  const [row] = await database.$queryRaw<{ count: number; scanned: number; last_id: string | null }[]>`
    WITH scanned AS (
      SELECT delivery.* FROM webhook_delivery AS delivery
       WHERE delivery.casino_id = ${casinoId}::text AND delivery.endpoint_id = ${endpointId}::text
         AND delivery.state = 'failed' AND delivery.id > ${afterId ?? ''}::text
       ORDER BY delivery.id LIMIT ${replaysAtOnceMax}::int
    ),
    picked AS (
      SELECT scanned.casino_id, scanned.endpoint_id, scanned.event_id, scanned.object_type, scanned.object_id,
             scanned.sequence, row_number() OVER (ORDER BY scanned.id) AS number
        FROM scanned JOIN event ON event.id = scanned.event_id
       WHERE event.created_at >= ${instant(from)} AND event.created_at < ${instant(until)}
         AND scanned.replay_number = (
               SELECT latest.replay_number FROM webhook_delivery AS latest
                WHERE latest.casino_id = scanned.casino_id AND latest.endpoint_id = scanned.endpoint_id
                  AND latest.event_id = scanned.event_id
                ORDER BY latest.replay_number DESC LIMIT 1)
    ),
    ${makeReplays(clock.now(), claim)}
    SELECT (SELECT count(*) FROM replayed)::int AS count, (SELECT count(*) FROM scanned)::int AS scanned,
           (SELECT max(id) FROM scanned) AS last_id`
  const hasMore = row?.scanned === replaysAtOnceMax
  return { count: row?.count ?? 0, next: hasMore ? (row.last_id ?? undefined) : undefined }
}

function shifted(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
