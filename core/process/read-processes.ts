import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'
import type { ProcessKind } from './heartbeat.ts'
import { minuteMs } from './process-counts.ts'

export interface SeenProcess {
  processId: string
  kind: ProcessKind
  host: string
  version: string
  startedAt: Date
  seenAt: Date
}

/** Without a stop in order, a process is shown for this long after it was last seen. */
const shownForMs = 10 * minuteMs

/** Processes that were seen lately and have not stopped in order. */
export async function findProcesses(database: Database, now: Date): Promise<SeenProcess[]> {
  return database.$queryRaw<SeenProcess[]>`
    SELECT process_id AS "processId", kind, host, version, started_at AS "startedAt", seen_at AS "seenAt"
      FROM (
        SELECT DISTINCT ON (process_id) *
          FROM process_minute WHERE minute > ${instant(new Date(now.getTime() - shownForMs))}
         ORDER BY process_id, minute DESC
      ) AS latest
     WHERE NOT stopped
     ORDER BY kind, started_at, process_id`
}

/** The sum of all processes' counts in a minute under a name (`CountName`). */
export interface MinuteSum {
  minute: Date
  name: string
  count: bigint
}

/** The sums of all processes since a minute. */
export async function sumMinutes(database: Database, since: Date): Promise<MinuteSum[]> {
  return database.$queryRaw<MinuteSum[]>`
    SELECT minute, counted.key AS name, sum(counted.value::bigint)::bigint AS count
      FROM process_minute CROSS JOIN LATERAL jsonb_each_text(counts) AS counted
     WHERE minute >= ${instant(since)}
     GROUP BY minute, counted.key`
}
