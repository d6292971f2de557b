import { toPublicEventId } from '../event/public-event.ts'
import { listSql, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import type { DeliveryState } from './delivery.ts'
import type { EndpointName } from './endpoints.ts'

/** An attempt that has ended. */
export interface LoggedAttempt {
  /** Counts the attempts of the delivery from 1. */
  attempt: number
  /** When its result was recorded. */
  at: Date
  status: number | null
  problem: string | null
}

/** An entry of the delivery log. */
export interface DeliveryRecord {
  id: string
  endpointId: string
  eventId: string
  eventType: string
  objectType: string
  objectId: string
  sequence: number
  /** 0 for the first delivery of the event, then 1, 2 … for each replay. */
  replayNumber: number
  state: DeliveryState
  attempts: number
  lastStatus: number | null
  lastProblem: string | null
  /** The last attempts with a result, the oldest first. */
  attemptLog: readonly LoggedAttempt[]
  nextAttemptAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql`
       delivery.id, delivery.endpoint_id AS "endpointId", delivery.event_id AS "eventNumber", event.type AS "eventType",
       delivery.object_type AS "objectType", delivery.object_id AS "objectId", delivery.sequence,
       delivery.replay_number AS "replayNumber", delivery.state, delivery.attempts,
       delivery.last_status AS "lastStatus", delivery.last_problem AS "lastProblem",
       delivery.attempt_log AS "attemptLog", delivery.next_attempt_at AS "nextAttemptAt", delivery.created_at AS "createdAt",
       delivery.updated_at AS "updatedAt"`

type StoredAttempt = Omit<LoggedAttempt, 'at'> & { at: string }
type Row = Omit<DeliveryRecord, 'eventId' | 'attemptLog'> & {
  eventNumber: bigint
  attemptLog: StoredAttempt[]
}

function toRecord({ eventNumber, attemptLog, ...row }: Row): DeliveryRecord {
  return {
    ...row,
    eventId: toPublicEventId(eventNumber),
    attemptLog: attemptLog.map(({ at, ...attempt }) => ({ ...attempt, at: new Date(at) })),
  }
}

/**
 * States as constants: only then can the server use the partial indexes. Pending deliveries are few among many, and
 * their index has another order, so they are selected first and then sorted (`OFFSET 0`).
 */
const inState: Record<DeliveryState, Prisma.Sql> = {
  pending: sql`AND delivery.state = 'pending' OFFSET 0`,
  delivered: sql`AND delivery.state = 'delivered'`,
  failed: sql`AND delivery.state = 'failed'`,
}

const eventDeliveriesMax = 1_000

const place = { id: sql`delivery.id`, createdAt: sql`delivery.created_at` }

/** The endpoint's log. */
export async function listDeliveries(
  database: Database,
  { casinoId, endpointId }: EndpointName,
  state: DeliveryState | undefined,
  page: ListRequest,
): Promise<Page<DeliveryRecord>> {
  const { conditions, direction } = listSql(page, place, 'dlv')
  const rows = await database.$queryRaw<Row[]>`
    SELECT ${columns}
      FROM (
        SELECT * FROM (
          SELECT * FROM webhook_delivery AS delivery
           WHERE delivery.casino_id = ${casinoId}::text AND delivery.endpoint_id = ${endpointId}::text
                 ${conditions}
                 ${state === undefined ? Prisma.empty : inState[state]}
        ) AS delivery
         ORDER BY delivery.id ${direction} LIMIT ${page.limit + 1}::int
      ) AS delivery
      JOIN LATERAL (SELECT type FROM every_event WHERE id = delivery.event_id LIMIT 1) AS event ON true
     ORDER BY delivery.id ${direction}`
  return toPage(rows.map(toRecord), page)
}

/** The log of one event at all endpoints: there are few endpoints and few replays, so a thousand entries are all. */
export async function listDeliveriesOfEvent(
  database: Database,
  casinoId: string,
  eventNumber: string,
  range: Omit<ListRequest, 'limit' | 'afterId'>,
): Promise<DeliveryRecord[]> {
  const { conditions, direction } = listSql(
    { ...range, limit: eventDeliveriesMax, afterId: undefined },
    place,
  )
  const rows = await database.$queryRaw<Row[]>`
    SELECT ${columns}
      FROM webhook_endpoint AS endpoint
      JOIN webhook_delivery AS delivery
        ON delivery.casino_id = endpoint.casino_id AND delivery.endpoint_id = endpoint.id
       AND delivery.event_id = ${eventNumber}::bigint
      JOIN LATERAL (SELECT type FROM every_event WHERE id = delivery.event_id LIMIT 1) AS event ON true
     WHERE endpoint.casino_id = ${casinoId}::text ${conditions}
     ORDER BY delivery.id ${direction} LIMIT ${eventDeliveriesMax}::int`
  return rows.map(toRecord)
}

/** Few objects have more events than this; the deliveries of older ones are left out. */
const objectEventsMax = 1_000

/** The log of the latest events of these objects at all endpoints: the latest `max`, in the order of creation. */
export async function listDeliveriesOfObjects(
  database: Database,
  casinoId: string,
  objects: readonly { type: string; id: string }[],
  max: number,
): Promise<DeliveryRecord[]> {
  const rows = await database.$queryRaw<Row[]>`
    SELECT ${columns}
      FROM (
        SELECT event.id, event.type
          FROM ${batchInput(objects, {
            object_type: text((object) => object.type),
            object_id: text((object) => object.id),
          })}
          JOIN every_event AS event ON event.casino_id = ${casinoId}::text AND event.object_type = input.object_type
                                   AND event.object_id = input.object_id
         ORDER BY event.id DESC LIMIT ${objectEventsMax}::int
      ) AS event
      JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = ${casinoId}::text
      JOIN webhook_delivery AS delivery
        ON delivery.casino_id = endpoint.casino_id AND delivery.endpoint_id = endpoint.id
       AND delivery.event_id = event.id
     ORDER BY delivery.id DESC LIMIT ${max}::int`
  return rows.map(toRecord).reverse()
}

/** Counted up to this number: enough to see that an endpoint is behind. */
const countMax = 10_000

/** The endpoint's pending deliveries, counted up to `countMax`. */
export async function countPending(
  database: Database,
  { casinoId, endpointId }: EndpointName,
): Promise<number> {
  // The state is part of the text, as a partial index needs it.
  const rows = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
      FROM (SELECT FROM webhook_delivery
             WHERE casino_id = ${casinoId}::text AND endpoint_id = ${endpointId}::text AND state = 'pending'
             LIMIT ${countMax}::int) AS pending`
  return rows[0]?.count ?? 0
}
