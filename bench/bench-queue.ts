import { createPostgresBackend, Queue } from 'bullmq'
import type { PostgresConnectionOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import pg from 'pg'
import { countStates } from '../core/queue/count-jobs.ts'
import type { JobName } from '../core/queue/jobs.ts'
import { queuePrefix } from '../core/queue/queue-keys.ts'

/** The stores in which BullMQ can keep jobs. */
export const queueKinds = ['redis', 'postgres'] as const
export type QueueKind = (typeof queueKinds)[number]

/** A work whose job has ended well; the times are the job's, by BullMQ, in milliseconds since 1970. */
export interface FinishedWork {
  /** The row that the work was about. */
  rowId: string
  addedAtMs: number
  startedAtMs: number
  /** The time at which its worker reported it, which is after the commit of its work. */
  finishedAtMs: number
}

/** A queue as the benchmark looks at it; all services give their queues the same names. */
export interface BenchQueue {
  countJobs(): Promise<{ unfinishedJobs: number; finishedJobs: number; failedJobs: number }>
  /** Work by work, in no order; one job can have several. */
  readFinishedWorks(): Promise<FinishedWork[]>
  /** While the queue is paused, jobs are added but not started. */
  pause(): Promise<void>
  resume(): Promise<void>
  close(): Promise<void>
}

/** All services use the default prefix, in a Redis that is emptied before each measurement. */
const prefix = 'rewards'
const schema = 'bullmq'
const pageSize = 10_000

export function openRedisQueue(name: JobName, redis: Redis): BenchQueue {
  const queue = new Queue(name, { connection: redis, prefix: queuePrefix(prefix, name) })
  const readPage = async (jobIds: readonly string[]): Promise<FinishedWork[]> => {
    const pipeline = redis.pipeline()
    for (const jobId of jobIds)
      pipeline.hmget(queue.toKey(jobId), 'data', 'timestamp', 'processedOn', 'finishedOn')
    const replies = (await pipeline.exec()) ?? []
    return replies.flatMap(([, fields]) => {
      const [data, addedAt, startedAt, finishedAt] = fields as (string | null)[]
      return toFinishedWorks(JSON.parse(data ?? '{}'), addedAt, startedAt, finishedAt)
    })
  }
  return {
    ...commandsOf(queue),
    readFinishedWorks: async () => {
      const works: FinishedWork[] = []
      for (let first = 0; ; first += pageSize) {
        const page = await redis.zrange(queue.toKey('completed'), first, String(first + pageSize - 1))
        // A page has more works than a call can have arguments.
        for (const work of await readPage(page)) works.push(work)
        if (page.length < pageSize) return works
      }
    },
    close: () => queue.close(),
  }
}

export function openPostgresQueue(name: JobName, databaseUrl: string): BenchQueue {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: `-c search_path=${schema}` })
  pool.on('error', () => undefined) // shows again in the next query
  const connection = pool as unknown as PostgresConnectionOptions
  const queue = new Queue(name, { connection }, createPostgresBackend)
  return {
    ...commandsOf(queue),
    // BullMQ counts no job as waiting while the queue is paused.
    countJobs: async () => {
      const { rows } = await pool.query<Record<'unfinished' | 'completed' | 'failed', number>>(
        `SELECT (count(*) FILTER (WHERE state IN ('waiting', 'active')))::int AS unfinished,
                (count(*) FILTER (WHERE state = 'completed'))::int AS completed,
                (count(*) FILTER (WHERE state = 'failed'))::int AS failed
           FROM job WHERE queue = $1`,
        [name],
      )
      const { unfinished = 0, completed = 0, failed = 0 } = rows[0] ?? {}
      return { unfinishedJobs: unfinished, finishedJobs: completed, failedJobs: failed }
    },
    readFinishedWorks: async () => {
      const { rows } = await pool.query<Record<'added' | 'started' | 'finished', string> & { data: unknown }>(
        `SELECT data, added_at_ms AS added, processed_at_ms AS started, finished_at_ms AS finished
           FROM job WHERE queue = $1 AND state = 'completed'`,
        [name],
      )
      return rows.flatMap((row) => toFinishedWorks(row.data, row.added, row.started, row.finished))
    },
    close: async () => {
      await queue.close()
      await pool.end()
    },
  }
}

function commandsOf(queue: Pick<Queue, 'getJobCounts' | 'pause' | 'resume'>) {
  return {
    countJobs: async () => {
      const counts = await countStates(queue, 'waiting', 'active', 'completed', 'failed')
      const { waiting = 0, active = 0, completed = 0, failed = 0 } = counts
      return { unfinishedJobs: waiting + active, finishedJobs: completed, failedJobs: failed }
    },
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  }
}

/** A payload names the rows: ours has an `objectId`, and `works` that share the job; the other has `orderId` or `cashbackId`. */
function toFinishedWorks(data: unknown, ...times: readonly (string | null | undefined)[]): FinishedWork[] {
  const first = data as Payload & { works?: Payload[] }
  const [addedAtMs = NaN, startedAtMs = NaN, finishedAtMs = NaN] = times.map((time) => Number(time ?? NaN))
  return [first, ...(first.works ?? [])].map(({ objectId, orderId, cashbackId }) => ({
    rowId: objectId ?? orderId ?? cashbackId ?? 'a job without a payload',
    addedAtMs,
    startedAtMs,
    finishedAtMs,
  }))
}

type Payload = Partial<Record<'objectId' | 'orderId' | 'cashbackId', string>>
