import { Prisma } from '../platform/database.ts'
import { batchInput, bigint, sql } from '../platform/sql.ts'
import type { InputColumn } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { JobName, JobPayload } from '../queue/jobs.ts'
import { relayAfterMs } from './outbox.ts'

/**
 * Steps of statements that create work and finish it. Only the files of this folder and the relay write the outbox. Rows
 * are locked in the order of their ids.
 */

/** When the relay takes over work that was not handed over. */
export const dueForRelay = sql`now() + ${relayAfterMs}::float8 * interval '1 millisecond'`

interface CausedWork {
  /** The step whose rows cause work, with a filter: the part after FROM. */
  from: Prisma.Sql
  jobName: JobName | Prisma.Sql
  objectId: Prisma.Sql
  casinoId: Prisma.Sql
  /** The id of the row, if it was determined before, as `newOutboxId`. */
  outboxId?: Prisma.Sql
  /** When it is due, if not as soon as it can be handed over. */
  dueAt?: Prisma.Sql
  snoozedUntil?: Prisma.Sql
  /** The line that it starts in, if any (line.ts); it is then due and snoozed as `dueInLine` says. */
  line?: Prisma.Sql
  /** The `traceparent` of the span that causes it. */
  traceparent?: Prisma.Sql
}

/** The id of a new row. */
export const newOutboxId = sql`new_outbox_id()`

/** Creates work, and returns its rows as `work_due` (id, object_id, casino_id, traceparent); see due-row.ts. */
export function causedWork({ from, ...work }: CausedWork): Prisma.Sql {
  const columns = {
    ...(work.outboxId === undefined ? {} : { id: work.outboxId }),
    job_name: work.jobName,
    object_id: work.objectId,
    casino_id: work.casinoId,
    due_at: work.dueAt ?? dueForRelay,
    ...(work.snoozedUntil === undefined ? {} : { snoozed_until: work.snoozedUntil }),
    ...(work.line === undefined ? {} : { line: work.line }),
    ...(work.traceparent === undefined ? {} : { traceparent: work.traceparent }),
  }
  return sql`work_due AS (
      ${insertInto('outbox', { from, columns })}
      RETURNING id, object_id, casino_id, traceparent
    )`
}

/** The trace of the work with an id, for the work that it causes: a batch of jobs has no trace of its own. */
export function traceOfWork(outboxId: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT before.traceparent FROM outbox AS before WHERE before.id = ${outboxId})`
}

/** Finishes the work of the ids in the query `outboxIds`, and of `replaced`, which has locked it. */
export function finishedWork(outboxIds: Prisma.Sql, replaced?: Prisma.Sql): Prisma.Sql {
  return sql`work_locked AS (
      SELECT id FROM outbox WHERE id = ANY(ARRAY(${outboxIds})) ORDER BY id FOR UPDATE
    ),
    work_finished AS (
      DELETE FROM outbox
       WHERE id = ANY(ARRAY(SELECT id FROM work_locked${replaced === undefined ? Prisma.empty : sql` UNION ALL ${replaced}`}))
    )`
}

/** The same for a query that has locked the work, or whose objects are deleted too. */
export function finishedLockedWork(outboxIds: Prisma.Sql): Prisma.Sql {
  return sql`work_finished AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(${outboxIds}))
    )`
}

/** For a join as `snoozed` (id): the snoozed work of an object, locked, except the current work, `except`. */
export function snoozedWorkOf(
  objectId: Prisma.Sql,
  jobNames: readonly JobName[],
  except?: Prisma.Sql,
): Prisma.Sql {
  const butNot = except === undefined ? Prisma.empty : sql` AND outbox.id IS DISTINCT FROM ${except}`
  return sql`LATERAL (
         SELECT id FROM outbox
          WHERE outbox.object_id = ${objectId} AND outbox.snoozed_until IS NOT NULL AND ${isOneOf(jobNames)}${butNot}
            FOR UPDATE
       ) AS snoozed`
}

/** Makes the work of the ids in the query `outboxIds`, which has locked it, due immediately. */
export function wokenWork(outboxIds: Prisma.Sql): Prisma.Sql {
  return sql`work_woken AS (
      UPDATE outbox SET due_at = now(), snoozed_until = NULL, created_at = now()
       WHERE id = ANY(ARRAY(${outboxIds}))
    )`
}

/**
 * The start of a query for the work of jobs: the part after FROM, as `work` (id, object_id, job_name, due_at,
 * snoozed_until), and `input` with further `columns` of the jobs. Work that is no longer in the outbox is finished.
 */
export function workOfJobs<Job extends JobPayload>(
  jobs: readonly Job[],
  jobNames: readonly JobName[],
  columns: Readonly<Record<string, InputColumn<Job>>> = {},
): Prisma.Sql {
  return sql`${batchInput(jobs, { id: bigint((job) => job.outboxId), ...columns })}
     CROSS JOIN LATERAL (
       SELECT id, object_id, job_name, due_at, snoozed_until FROM outbox
        WHERE outbox.id = input.id AND ${isOneOf(jobNames)} OFFSET 0
     ) AS work`
}

function isOneOf(jobNames: readonly JobName[]): Prisma.Sql {
  return sql`outbox.job_name IN (${Prisma.raw(jobNames.map((name) => `'${name}'`).join(', '))})`
}
