import { claimedSettings } from '../casino/setting-readers.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { snoozedWork } from '../outbox/snooze.ts'
import { traceOfWork, workOfJobs } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql, text, timestamptz } from '../platform/sql.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideAnnouncement } from './decide-work.ts'
import type { FulfilmentSettings } from './decide-work.ts'

/** A work that may be of a new order, with the time that `decideAnnouncement` gives for the casino that the job names. */
interface Announcement extends JobPayload {
  casinoId: string
  /** Until the first reminder. */
  snoozeUntil: Date
}

const announcedReport: JobReport = { result: 'done', outcome: describeOutcome('pending_confirmation') }

const confirmationRequested = {
  from: sql`announced`,
  objectType: 'prize_order',
  objectId: sql`order_id`,
  sequence: sql`2`,
  type: 'prize_order.confirmation_requested',
  fromState: 'pending_confirmation',
  toState: 'pending_confirmation',
  actor: 'worker',
  traceparent: traceOfWork(sql`outbox_id`),
} satisfies WrittenEvent

const announcementWritten = timedEvents(confirmationRequested)

/**
 * Announces new orders without loading them: the order, its history and the snoozed work are one statement. An order of
 * revision 1 is as its request has left it, so the step depends on the casino's reminders alone. Reports by outbox id; all
 * other works must be loaded: of orders that have changed, are locked, or belong to another casino than the job names, and
 * those of casinos without reminders, which end here.
 */
export async function announceUnloaded(
  deps: {
    database: Database
    clock: Clock
    findFulfilment: FindOfCasinos<Pick<FulfilmentSettings, 'reminderAfterHours'>>
  },
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, JobReport>> {
  const now = deps.clock.now()
  const settings = await claimedSettings(jobs, deps.findFulfilment)
  const announcements = jobs.flatMap((job): Announcement[] => {
    const { casinoId } = job
    const ofCasino = casinoId === undefined ? undefined : settings.get(casinoId)
    if (casinoId === undefined || ofCasino === undefined) return []
    const { snoozeUntil } = decideAnnouncement(ofCasino, now)
    return snoozeUntil === null ? [] : [{ ...job, casinoId, snoozeUntil }]
  })
  if (announcements.length === 0) return new Map()
  // Orders are reached by a lateral look-up or `id = ANY(ARRAY(…))`, as works are (outbox.ts). A join, or a condition on the
  // casino or the state beside the id, leaves the planner another way, which it takes on small tables.
  const rows = await deps.database.$queryRaw<{ id: bigint }[]>`
    WITH announced AS (
      SELECT work.id AS outbox_id, placed.id AS order_id, placed.casino_id, input.snooze_until, NULL::text AS line
        FROM ${workOfJobs(announcements, ['fulfil-prize-order'], {
          casino_id: text((announcement) => announcement.casinoId),
          snooze_until: timestamptz((announcement) => announcement.snoozeUntil),
        })}
       CROSS JOIN LATERAL (
         SELECT id, casino_id, state FROM prize_order
          WHERE prize_order.id = work.object_id AND revision = 1 AND announced_at IS NULL
            FOR UPDATE SKIP LOCKED
       ) AS placed
       WHERE placed.casino_id = input.casino_id AND placed.state = 'pending_confirmation' AND work.snoozed_until IS NULL
    ),
    order_announced AS (
      UPDATE prize_order SET announced_at = ${instant(now)}, revision = 2, updated_at = ${instant(now)}
       WHERE id = ANY(ARRAY(SELECT order_id FROM announced))
    ),
    event_written AS (
      ${announcementWritten(now)}
    ),
    ${snoozedWork('announced')}
    SELECT outbox_id AS id FROM announced`

  return new Map(rows.map((row) => [String(row.id), announcedReport]))
}
