import { hostname } from 'node:os'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { batchInput, instant, jsonb, sql, timestamptz } from '../platform/sql.ts'
import { serviceVersion } from '../platform/version.ts'
import type { MinuteCounts, ProcessCounts } from './process-counts.ts'

export type ProcessKind = 'api' | 'manage' | 'worker'

/** Short enough that a dead process is noticed within a minute; six small statements a minute cost nothing. */
export const heartbeatIdleMs = 10_000

/** Records in the database that this process is alive, and its counts. */
export interface Heartbeat {
  /** For a loop with a pause of `heartbeatIdleMs`. */
  beat(): Promise<number>
  /** The last one: the process has stopped in order. Logs a failure and lets the process stop. */
  stop(): Promise<void>
}

export function createHeartbeat({
  database,
  clock,
  kind,
  counts,
  log,
}: {
  database: Database
  clock: Clock
  kind: ProcessKind
  counts: ProcessCounts
  log: Logger
}): Heartbeat {
  const process = { id: newId('prc'), kind, host: hostname(), version: serviceVersion() }
  let startedAt: Date | undefined
  const write = async (isStopped: boolean) => {
    const now = clock.now()
    startedAt ??= now
    const minutes = counts.unwritten(now)
    await storeMinutes(database, { ...process, startedAt, seenAt: now, isStopped }, minutes)
    counts.written(minutes)
  }
  return {
    beat: async () => {
      await write(false)
      return 0
    },
    stop: async () => {
      if (startedAt === undefined) return
      try {
        await write(true)
      } catch (error) {
        log.warn({ err: error }, 'the last heartbeat could not be written')
      }
    },
  }
}

/** A minute that is written again has all its counts, so writing it twice changes nothing. */
async function storeMinutes(
  database: Database,
  process: {
    id: string
    kind: ProcessKind
    host: string
    version: string
    startedAt: Date
    seenAt: Date
    isStopped: boolean
  },
  minutes: ReadonlyMap<number, MinuteCounts>,
): Promise<void> {
  const rows = [...minutes].map(([minute, counts]) => ({
    minute: new Date(minute),
    counts: JSON.stringify(Object.fromEntries(counts)),
  }))
  await database.$executeRaw`
    ${insertInto('process_minute', {
      from: batchInput(rows, {
        minute: timestamptz((row) => row.minute),
        counts: jsonb((row) => row.counts),
      }),
      columns: {
        ...sameColumns('minute', 'counts'),
        process_id: sql`${process.id}::text`,
        kind: sql`${process.kind}::text`,
        host: sql`${process.host}::text`,
        version: sql`${process.version}::text`,
        started_at: instant(process.startedAt),
        seen_at: instant(process.seenAt),
        stopped: sql`${process.isStopped}::boolean`,
      },
    })}
    ON CONFLICT (minute, process_id) DO UPDATE
       SET seen_at = EXCLUDED.seen_at, stopped = EXCLUDED.stopped, counts = EXCLUDED.counts`
}
