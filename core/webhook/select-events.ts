import { toPublicEventId } from '../event/public-event.ts'
import type { FeedPosition } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import type { EndpointName } from './endpoints.ts'
import {
  findBounds,
  lastOfRange,
  pickedMax,
  pickedOfFailed,
  pickedOfRange,
  seenOfRange,
} from './picked-events.ts'

/** The most events of one selection: a worker sends them again within a minute or two. */
export const selectedEventsMax = 10_000
/** A time may have many events that the endpoint does not want: so many parts of it are looked at. */
const partsMax = 3 * (selectedEventsMax / pickedMax)

/** The public ids of events, without repetitions, and where to continue; `next` is undefined at the end. */
export interface SelectedEvents<Position> {
  eventIds: readonly string[]
  next: Position | undefined
}

/** The events of a time that an endpoint wants and has been given, in the order of the feed. */
export async function selectEventsOfRange(
  database: Database,
  name: EndpointName,
  range: { from: Date; until: Date; after: FeedPosition | undefined },
): Promise<SelectedEvents<FeedPosition>> {
  const { end, ...bounds } = await findBounds(database, name.casinoId, range)
  return collect(bounds.start, async (start) => {
    const rows = await database.$queryRaw<{ ids: bigint[]; txid: bigint | null; event_id: bigint | null }[]>`
      WITH ${pickedOfRange(name, { ...range, start, end })},
      ${seenOfRange}
      SELECT ARRAY(SELECT event_id FROM picked ORDER BY number) AS ids, last.txid, last.event_id FROM ${lastOfRange}`
    const [row] = rows
    const hasMore = row !== undefined && row.txid !== null && row.event_id !== null
    return {
      ids: row?.ids ?? [],
      next: hasMore ? { txid: String(row.txid), eventId: String(row.event_id) } : undefined,
    }
  })
}

/** The events of an endpoint's permanently failed deliveries, without those that were replayed since. */
export async function selectFailedEvents(
  database: Database,
  name: EndpointName,
  range: { from: Date; until: Date; afterId: string | undefined },
): Promise<SelectedEvents<string>> {
  return collect(range.afterId ?? '', async (afterId) => {
    const [row] = await database.$queryRaw<{ ids: bigint[]; scanned: number; last_id: string | null }[]>`
      WITH ${pickedOfFailed(name, { ...range, afterId })}
      SELECT ARRAY(SELECT event_id FROM picked ORDER BY number) AS ids,
             (SELECT count(*) FROM scanned)::int AS scanned, (SELECT max(id) FROM scanned) AS last_id`
    const hasMore = row?.scanned === pickedMax
    return { ids: row?.ids ?? [], next: hasMore ? (row.last_id ?? undefined) : undefined }
  })
}

async function collect<Position>(
  start: Position,
  pick: (after: Position) => Promise<{ ids: readonly bigint[]; next: Position | undefined }>,
): Promise<SelectedEvents<Position>> {
  const eventIds = new Set<string>()
  let next: Position | undefined = start
  for (let part = 0; part < partsMax && next !== undefined && eventIds.size < selectedEventsMax; part += 1) {
    const found = await pick(next)
    for (const id of found.ids) eventIds.add(toPublicEventId(id))
    next = found.next
  }
  return { eventIds: [...eventIds], next }
}
