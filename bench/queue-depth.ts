import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchQueue, FinishedWork } from './bench-queue.ts'
import { unfinishedWork } from './operations.ts'
import type { Operation } from './operations.ts'

/** The work that a service has acknowledged, and how much of it its worker has finished. */
export interface Progress {
  rows: number
  finishedJobs: number
  failedJobs: number
  /** The works that are not crossed off or the jobs that have not ended: the larger number. */
  unfinished: number
}

/** Reads how far the worker of the measured service has come. */
export interface QueueDepth {
  read(): Promise<Progress>
  /** One for each work whose job has finished, also when several are about the same row. */
  readFinishedWorks(): Promise<FinishedWork[]>
  /** Waits until all work is done and no more rows come, or until the time limit. */
  drain(onProgress: (progress: Progress) => void): Promise<{ seconds: number; unfinished: number }>
}

const noJobs = { unfinishedJobs: 0, finishedJobs: 0, failedJobs: 0 }

const pollMs = 100
/** The time without new rows after which the work counts as done. */
const settleMs = 1_000
const drainTimeoutMs = 120_000
const progressEveryMs = 3_000

/** `queue` is undefined for an operation without work to follow. */
export function openQueueDepth(
  operation: Operation,
  database: pg.Client,
  queue: BenchQueue | undefined,
): QueueDepth {
  const countRows = `SELECT (SELECT count(*) FROM ${operation.table} WHERE casino_id = 'bench')::int AS rows, (${unfinishedWork})::int AS outbox`

  const read = async () => {
    const { rows: counted } = await database.query<{ rows: number; outbox: number }>(countRows)
    const { rows = 0, outbox = 0 } = counted[0] ?? {}
    const { unfinishedJobs, ...jobs } = (await queue?.countJobs()) ?? noJobs
    return { rows, ...jobs, unfinished: Math.max(outbox, unfinishedJobs) }
  }
  return {
    read,
    readFinishedWorks: async () => (await queue?.readFinishedWorks()) ?? [],
    drain: async (onProgress) => {
      const startedMs = performance.now()
      let settledMs: number | undefined
      let rowsBefore = -1
      for (let toldMs = startedMs; ;) {
        const progress = await read()
        const nowMs = performance.now()
        // Requests that were in progress when the client stopped still arrive, one after another.
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
  }
}
