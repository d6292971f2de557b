import { RewardsError } from '../errors.ts'
import { listSql } from '../page.ts'
import type { Order } from '../page.ts'
import { clockDifferenceMaxMs } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, instant, joined, sql, textArray } from '../platform/sql.ts'
import { isWantedType } from './event-types.ts'
import { feedEnd, feedFuture, feedHorizon, feedStart, findPositionBefore } from './feed-position.ts'
import type { FeedPosition } from './feed-position.ts'
import {
  everyEventFacts,
  parsePublicEventId,
  publicEvent,
  publicEventColumns,
  publicEventFacts,
} from './public-event.ts'
import type { EventRow, PublicEvent } from './public-event.ts'

export interface FeedRequest {
  casinoId: string
  /** Descending, the newest events come first. */
  order: Order
  /** Undefined for the start. */
  after: FeedPosition | undefined
  /** The feed has all events since then, and need not have earlier ones: see `findReach`. */
  reach: Date
  /** The first moment of the time range, and the first one after it. */
  createdFrom: Date | undefined
  createdUntil: Date | undefined
  /** Exact types or `prefix.*`; empty for all. */
  types: readonly string[]
  limit: number
}

export interface FeedPage {
  events: readonly PublicEvent[]
  /** Where to continue, even if there are no events yet. */
  next: FeedPosition
  /** Whether to read again immediately. */
  hasMore: boolean
}

/** The number of events that one read scans for the wanted types. */
const scanMax = 10_000
/** A time range is searched with a margin on both sides; this many events are scanned in it per statement. */
const besideMax = 1_000

/**
 * A casino's events in feed order, or backwards. A client that continues from `next` sees each event exactly once, and
 * those of an object in order. Throws `event_cursor_unknown` for a position that this database's feed never had, and
 * `cursor_expired` for one whose next event is too old for the feed, or archived.
 */
export async function readFeed(database: Database, request: FeedRequest): Promise<FeedPage> {
  const { casinoId, limit, order, createdUntil } = request
  const createdFrom = order === 'asc' ? request.createdFrom : laterOf(request.reach, request.createdFrom)
  const after = request.after ?? (order === 'asc' ? await findStart(database, request) : feedEnd)
  const types = [...request.types]
  const range = await findRange(database, { casinoId, createdFrom, createdUntil })
  const scanLimit = types.length > 0 ? scanMax : range === Prisma.empty ? limit : limit + besideMax
  const [beyond, direction] = order === 'asc' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  const opposite = order === 'asc' ? sql`DESC` : sql`ASC`
  const isWantedTime = listSql(
    { order, limit, afterId: undefined, createdFrom, createdUntil },
    { id: sql`scanned.id`, createdAt: sql`scanned.created_at` },
  ).conditions
  const rows = await database.$queryRaw<(Partial<EventRow> & ScanRow)[]>`
    WITH scanned AS (
      SELECT event.txid, event.id, event.type, event.created_at, ${textArray(types)} AS wanted_types
        FROM event
       WHERE event.casino_id = ${casinoId}::text
         AND (event.txid, event.id) ${beyond} (${after.txid}::bigint, ${after.eventId}::bigint)
         AND event.txid < ${feedHorizon} ${range}
       ORDER BY event.txid ${direction}, event.id ${direction}
       LIMIT ${scanLimit}::int
    ),
    matched AS (
      SELECT txid, id FROM scanned
       WHERE ${isWantedType('scanned.type', 'scanned.wanted_types')} ${isWantedTime}
       ORDER BY txid ${direction}, id ${direction} LIMIT ${limit}::int
    ),
    scan AS (
      SELECT (SELECT count(*) FROM scanned)::int AS scanned_count, last.txid AS last_txid, last.id AS last_id,
             ${request.after === undefined || after.txid === feedEnd.txid}::boolean
               OR ${after.txid}::bigint < ${feedFuture} AS is_known,
             ${order === 'asc'}::boolean AND (
               coalesce(next.created_at < ${instant(expiryOf(request.reach))}, false)
               OR ${isBehindArchive(casinoId, request.after)}
             ) AS is_expired
        FROM (SELECT) AS one
        LEFT JOIN (SELECT txid, id FROM scanned ORDER BY txid ${opposite}, id ${opposite} LIMIT 1) AS last ON true
        LEFT JOIN (SELECT created_at FROM scanned ORDER BY txid, id LIMIT 1) AS next ON true
    )
    SELECT scan.*, matched.txid, ${publicEventColumns}
      FROM scan
      LEFT JOIN matched ON true
      LEFT JOIN event ON event.id = matched.id
           ${publicEventFacts}
     ORDER BY matched.txid ${direction}, matched.id ${direction}`
  const scan = rows[0]
  if (scan === undefined) throw new Error('a statement returned no row')
  if (!scan.is_known) throw new RewardsError('event_cursor_unknown')
  if (scan.is_expired) throw new RewardsError('cursor_expired')
  const found = rows.filter(isEvent)
  const last = found.at(-1)
  const isFull = found.length === limit
  return {
    events: found.map(publicEvent.render),
    next: isFull && last !== undefined ? positionOf(last.txid, last.id) : scannedUpTo(scan, after),
    hasMore: isFull || scan.scanned_count === scanLimit,
  }
}

/**
 * The first moment that the feed shows to clients that begin to read it: `keepFeedMs` ago or, if it was less when events
 * were archived, after the last of these.
 */
export async function findReach(
  database: Database,
  { casinoId, now, keepFeedMs }: { casinoId: string; now: Date; keepFeedMs: number },
): Promise<Date> {
  const reach = new Date(now.getTime() - keepFeedMs)
  const archive = await database.eventArchive.findUnique({ where: { casinoId }, select: { horizonAt: true } })
  const horizonMs = archive?.horizonAt?.getTime() ?? -Infinity
  return new Date(Math.max(reach.getTime(), horizonMs + 2 * clockDifferenceMaxMs))
}

/** The condition that an event after the position has left the feed for the archive: the reader would miss it. */
function isBehindArchive(casinoId: string, after: FeedPosition | undefined): Prisma.Sql {
  const { txid, eventId } = after ?? feedEnd
  return sql`EXISTS (
    SELECT FROM event_archive AS archive
     WHERE archive.casino_id = ${casinoId}::text
       AND (archive.horizon_txid, archive.horizon_event_id) > (${txid}::bigint, ${eventId}::bigint))`
}

/** A client that begins at the oldest event has this long to read away from there before its cursor expires. */
const expiryGraceMs = 86_400_000

function expiryOf(reach: Date): Date {
  return new Date(reach.getTime() - expiryGraceMs)
}

function laterOf(time: Date, other: Date | undefined): Date {
  return other === undefined || other < time ? time : other
}

/** Where the feed begins. Clocks differ, so a few earlier events are shown too. */
async function findStart(database: Database, { casinoId, reach }: FeedRequest): Promise<FeedPosition> {
  const early = new Date(reach.getTime() - clockDifferenceMaxMs)
  const [{ txid }, archive] = [
    await findPositionBefore(database, casinoId, early),
    await database.eventArchive.findUnique({
      where: { casinoId },
      select: { horizonTxid: true, horizonEventId: true },
    }),
  ]
  // A few live events may be from before those that were archived, with gaps between them.
  if (archive !== null && archive.horizonTxid >= BigInt(txid))
    return { txid: String(archive.horizonTxid), eventId: String(archive.horizonEventId) }
  // The same place, named by the number before: `txid` itself may belong to a transaction that has not begun.
  return txid === feedStart.txid ? feedStart : { txid: String(BigInt(txid) - 1n), eventId: feedEnd.txid }
}

/** The part of the feed that contains the time range, with a margin; empty without a range. */
async function findRange(
  database: Database,
  { casinoId, createdFrom, createdUntil }: Pick<FeedRequest, 'casinoId' | 'createdFrom' | 'createdUntil'>,
): Promise<Prisma.Sql> {
  const conditions: Prisma.Sql[] = []
  const place = (time: Date, differenceMs: number) =>
    findPositionBefore(database, casinoId, new Date(time.getTime() + differenceMs))
  if (createdFrom !== undefined) {
    const { txid } = await place(createdFrom, -clockDifferenceMaxMs)
    conditions.push(sql`AND event.txid >= ${txid}::bigint`)
  }
  if (createdUntil !== undefined) {
    const { txid } = await place(createdUntil, clockDifferenceMaxMs)
    conditions.push(sql`AND event.txid < ${txid}::bigint`)
  }
  return joined(conditions, ' ')
}

interface ScanRow {
  txid: bigint | null
  scanned_count: number
  last_txid: bigint | null
  last_id: bigint | null
  is_known: boolean
  is_expired: boolean
}

/** Without events there is one row with the scan's columns only. */
function isEvent(row: Partial<EventRow> & ScanRow): row is EventRow & ScanRow & { txid: bigint } {
  return row.txid !== null
}

function positionOf(txid: bigint, id: bigint): FeedPosition {
  return { txid: String(txid), eventId: String(id) }
}

function scannedUpTo({ last_txid, last_id }: ScanRow, after: FeedPosition): FeedPosition {
  return last_txid === null || last_id === null ? after : positionOf(last_txid, last_id)
}

/** One event of the casino. Throws `event_unknown`, also if its object has left the database with a month of the archive. */
export async function getEvent(database: Database, casinoId: string, publicId: string): Promise<PublicEvent> {
  const id = parsePublicEventId(publicId)
  const [event] = id === undefined ? [] : await loadEvents(database, [id])
  if (event?.casino_id !== casinoId || event.isLeft) throw new RewardsError('event_unknown')
  return publicEvent.render(event)
}

/** Events by number; the caller has checked their casino. */
export async function findEvents(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, PublicEvent>> {
  const rows = await loadEvents(database, ids)
  return new Map(rows.map((row) => [String(row.id), publicEvent.render(row)]))
}

/** An event. `isLeft` says that it is archived, and that the month of its object has left the database. */
type LoadedEvent = EventRow & { isLeft: boolean }

function loadEvents(database: Database, ids: readonly string[]): Promise<LoadedEvent[]> {
  return database.$queryRaw<LoadedEvent[]>`
    SELECT ${publicEventColumns},
           event.object_type IN ('prize', 'prize_order', 'cashback') AND prize.id IS NULL
             AND NOT EXISTS (SELECT FROM event AS live WHERE live.id = input.id) AS "isLeft"
      FROM ${batchInput(ids, { id: bigint((value) => value) })}
      JOIN LATERAL (SELECT * FROM every_event WHERE id = input.id LIMIT 1) AS event ON true
           ${everyEventFacts}`
}
