import { sql } from '../platform/sql.ts'
import { originOf } from '../queue/jobs.ts'
import type { DueWork, JobName } from '../queue/jobs.ts'

/** New work as a statement returns it, with nulls where it has caused none. */
export interface DueRow {
  outbox_id: bigint | null
  /** Null for work that an earlier release has caused, too. */
  casino_id: string | null
  traceparent: string | null
}

/** The columns of `work_due` (work-steps.ts) that a statement returns for its hand-over. */
export const dueRow = sql`work_due.id AS outbox_id, work_due.casino_id, work_due.traceparent`

/** The work of a row, to be handed over, if there is any. */
export function toDueWork(jobName: JobName, objectId: string, row: DueRow): DueWork[] {
  if (row.outbox_id === null) return []
  return [{ jobName, outboxId: String(row.outbox_id), objectId, ...originOf(row.casino_id, row.traceparent) }]
}
