import { RewardsError } from '../errors.ts'
import { isWantedType } from '../event/event-types.ts'
import type { FeedPosition } from '../event/feed-position.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { columnsOf, insertInto } from '../platform/sql-insert.ts'
import type { EndpointName } from './endpoints.ts'
import { newDeliveryId } from './fan-out.ts'
import {
  findBounds,
  hasPassed,
  lastOfRange,
  pickedMax,
  pickedOfFailed,
  pickedOfRange,
  seenOfRange,
} from './picked-events.ts'

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
        FROM every_event AS event JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = event.casino_id
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

/**
 * Sends the endpoint the events of a range again, filtered by its types, including those from before it was created.
 * Bounded: `next` is where to continue; undefined at the end of the range.
 */
export async function replayRange(
  { database, clock }: Deps,
  { casinoId, endpointId }: EndpointName,
  { from, until, after, claim }: ReplayRange,
): Promise<{ count: number; next: FeedPosition | undefined }> {
  const { start, end } = await findBounds(database, casinoId, { from, until, after })
  const [row] = await database.$queryRaw<
    { count: number; scanned: number; picked: number; txid: bigint | null; event_id: bigint | null }[]
  >`
    WITH ${pickedOfRange({ casinoId, endpointId }, { from, until, start, end })},
    ${makeReplays(clock.now(), claim)},
    ${seenOfRange}
    SELECT (SELECT count(*) FROM replayed)::int AS count, seen.scanned, seen.picked, last.txid, last.event_id
      FROM ${lastOfRange}`
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
    WITH ${pickedOfFailed({ casinoId, endpointId }, { from, until, afterId })},
    ${makeReplays(clock.now(), claim)}
    SELECT (SELECT count(*) FROM replayed)::int AS count, (SELECT count(*) FROM scanned)::int AS scanned,
           (SELECT max(id) FROM scanned) AS last_id`
  const hasMore = row?.scanned === pickedMax
  return { count: row?.count ?? 0, next: hasMore ? (row.last_id ?? undefined) : undefined }
}
