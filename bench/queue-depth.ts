import { setTimeout as delay } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type pg from 'pg'
import { unfinishedWork } from './operations.ts'
import type { Operation } from './operations.ts'

/** What a service has acknowledged and what of it its worker has finished. */
export interface Progress {
  rows: number
  finishedJobs: number
  failedJobs: number
  /** Rows whose job has not finished. */
  unfinished: number
}

/** Reads how far the worker of the measured service has come. */
export interface QueueDepth {
  read(): Promise<Progress>
  /** Ids of the rows that finished jobs were about, one for each job. */
  readFinishedIds(): Promise<string[]>
  /** Waits until every row has its finished job, or too long. */
  drain(onProgress: (progress: Progress) => void): Promise<{ seconds: number; unfinished: number }>
  close(): Promise<void>
}

/** All services use the default prefix, in a Redis that is emptied before each measurement. */
const prefix = '{rewards}'
const pollMs = 100
/** So long nothing may come any more. */
const settleMs = 1_000
const drainTimeoutMs = 120_000
const progressEveryMs = 3_000
const pageSize = 10_000

/** What a job is about is in its payload: ours has `objectId`, the other `orderId` or `cashbackId`. */
async function readRowIds(queue: Queue, redis: Redis, jobIds: readonly string[]): Promise<string[]> {
  const pipeline = redis.pipeline()
  for (const jobId of jobIds) pipeline.hget(queue.toKey(jobId), 'data')
  const replies = (await pipeline.exec()) ?? []
  return replies.map(([, data]) => {
    const payload = JSON.parse(typeof data === 'string' ? data : '{}') as Record<string, string | undefined>
    return payload['objectId'] ?? payload['orderId'] ?? payload['cashbackId'] ?? 'a job without a payload'
  })
}

export function openQueueDepth(operation: Operation, database: pg.Client, redis: Redis): QueueDepth {
  const { jobName } = operation
  const queue = jobName === undefined ? undefined : new Queue(jobName, { connection: redis, prefix })
  const countRows = `SELECT (SELECT count(*) FROM ${operation.table} WHERE casino_id = 'bench')::int AS rows, (${unfinishedWork})::int AS outbox`

  const read = async () => {
    const { rows: counted } = await database.query<{ rows: number; outbox: number }>(countRows)
    const { rows = 0, outbox = 0 } = counted[0] ?? {}
    const jobs = await queue?.getJobCounts('completed', 'failed')
    const finishedJobs = jobs?.['completed'] ?? 0
    const failedJobs = jobs?.['failed'] ?? 0
    // Ours has also to cross the work off.
    const unfinished = queue === undefined ? outbox : Math.max(outbox, rows - finishedJobs)
    return { rows, finishedJobs, failedJobs, unfinished }
  }
  return {
    read,
    readFinishedIds: async () => {
      const ids: string[] = []
      while (queue !== undefined) {
        const page = await redis.zrange(
          queue.toKey('completed'),
          ids.length,
          String(ids.length + pageSize - 1),
        )
        ids.push(...(await readRowIds(queue, redis, page)))
        if (page.length < pageSize) break
      }
      return ids
    },
    drain: async (onProgress) => {
      const startedMs = performance.now()
      let settledMs: number | undefined
      let rowsBefore = -1
      for (let toldMs = startedMs; ;) {
        const progress = await read()
        const nowMs = performance.now()
        // Requests that were under way when the client stopped still come, one after another.
        const isSettled = progress.unfinished <= 0 && progress.rows === rowsBefore
        settledMs = isSettled ? (settledMs ?? nowMs) : undefined
        rowsBefore = progress.rows
        if (settledMs !== undefined && nowMs - settledMs > settleMs) {
          return { seconds: (settledMs - startedMs) / 1000, unfinished: 0 }
        }
        if (nowMs - startedMs > drainTimeoutMs) {
          return { seconds: (nowMs - startedMs) / 1000, unfinished: progress.unfinished }
        }
        if (nowMs - toldMs > progressEveryMs) {
          onProgress(progress)
          toldMs = nowMs
        }
        await delay(pollMs)
      }
    },
    close: async () => {
      await queue?.close()
    },
  }
}
