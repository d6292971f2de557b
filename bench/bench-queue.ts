import { createPostgresBackend, Queue } from 'bullmq'
import type { PostgresConnectionOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import pg from 'pg'
import type { JobName } from '../core/queue/jobs.ts'

/** Where BullMQ keeps the jobs. */
export const queueKinds = ['redis', 'postgres'] as const
export type QueueKind = (typeof queueKinds)[number]

/** A job that has ended well; the times are BullMQ's, in milliseconds since 1970. */
export interface FinishedJob {
  /** The row that the job was about. */
  rowId: string
  addedAtMs: number
  startedAtMs: number
  /** When its worker reported it, so after the commit of what it did. */
  finishedAtMs: number
}

/** A queue as the benchmark looks at it; all services give their queues the same names. */
export interface BenchQueue {
  countJobs(): Promise<{ waitingJobs: number; finishedJobs: number; failedJobs: number }>
  /** Job by job, in no order. */
  readFinishedJobs(): Promise<FinishedJob[]>
  /** While it is paused jobs are added, but none is begun. */
  pause(): Promise<void>
  resume(): Promise<void>
  close(): Promise<void>
}

/** All services use the default prefix, in a Redis that is emptied before each measurement. */
const prefix = '{rewards}'
const schema = 'bullmq'
const pageSize = 10_000

export function openRedisQueue(name: JobName, redis: Redis): BenchQueue {
  const queue = new Queue(name, { connection: redis, prefix })
  const readPage = async (jobIds: readonly string[]): Promise<FinishedJob[]> => {
    const pipeline = redis.pipeline()
    for (const jobId of jobIds)
      pipeline.hmget(queue.toKey(jobId), 'data', 'timestamp', 'processedOn', 'finishedOn')
    const replies = (await pipeline.exec()) ?? []
    return replies.map(([, fields]) => {
      const [data, addedAt, startedAt, finishedAt] = fields as (string | null)[]
      return toFinishedJob(JSON.parse(data ?? '{}'), addedAt, startedAt, finishedAt)
    })
  }
  return {
    ...commandsOf(queue),
    readFinishedJobs: async () => {
      const jobs: FinishedJob[] = []
      for (;;) {
        const last = String(jobs.length + pageSize - 1)
        const page = await redis.zrange(queue.toKey('completed'), jobs.length, last)
        jobs.push(...(await readPage(page)))
        if (page.length < pageSize) return jobs
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
      const { rows } = await pool.query<Record<'waiting' | 'completed' | 'failed', number>>(
        `SELECT (count(*) FILTER (WHERE state = 'waiting'))::int AS waiting,
                (count(*) FILTER (WHERE state = 'completed'))::int AS completed,
                (count(*) FILTER (WHERE state = 'failed'))::int AS failed
           FROM job WHERE queue = $1`,
        [name],
      )
      return toJobCounts(rows[0] ?? {})
    },
    readFinishedJobs: async () => {
      const { rows } = await pool.query<Record<'added' | 'started' | 'finished', string> & { data: unknown }>(
        `SELECT data, added_at_ms AS added, processed_at_ms AS started, finished_at_ms AS finished
           FROM job WHERE queue = $1 AND state = 'completed'`,
        [name],
      )
      return rows.map((row) => toFinishedJob(row.data, row.added, row.started, row.finished))
    },
    close: async () => {
      await queue.close()
      await pool.end()
    },
  }
}

function commandsOf(queue: Pick<Queue, 'getJobCounts' | 'pause' | 'resume'>) {
  return {
    countJobs: async () => toJobCounts(await queue.getJobCounts('waiting', 'completed', 'failed')),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  }
}

function toJobCounts(counts: Partial<Record<string, number>>) {
  return {
    waitingJobs: counts['waiting'] ?? 0,
    finishedJobs: counts['completed'] ?? 0,
    failedJobs: counts['failed'] ?? 0,
  }
}

/** What a job is about is in its payload: ours has `objectId`, the other `orderId` or `cashbackId`. */
function toFinishedJob(data: unknown, ...times: readonly (string | null | undefined)[]): FinishedJob {
  const payload = data as Record<string, string | undefined>
  const [addedAtMs = NaN, startedAtMs = NaN, finishedAtMs = NaN] = times.map((time) => Number(time ?? NaN))
  return {
    rowId: payload['objectId'] ?? payload['orderId'] ?? payload['cashbackId'] ?? 'a job without a payload',
    addedAtMs,
    startedAtMs,
    finishedAtMs,
  }
}
