import type pg from 'pg'
import { openPostgresQueue, openRedisQueue } from '../bench-queue.ts'
import type { BenchQueue, QueueKind } from '../bench-queue.ts'
import { settle, warmUpService } from '../measure.ts'
import { operations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { openQueueDepth } from '../queue-depth.ts'
import type { Progress, QueueDepth } from '../queue-depth.ts'
import { startService } from '../run-service.ts'
import type { RunningService } from '../run-service.ts'
import { cloneTemplate, dropDatabase } from '../seed.ts'
import type { Template } from '../seed.ts'
import { withSession } from '../servers.ts'
import { services } from '../services.ts'
import { findMismatches } from '../verify.ts'
import type { Acknowledged } from '../verify.ts'
import type { Run } from '../with-run.ts'
import type { WorkerBenchOptions, WorkOperation, WorkService } from './options.ts'

/** The subject of a measurement: the service, the number of its workers, and the store of its jobs. */
export interface Subject {
  operation: WorkOperation
  queue: QueueKind
  service: WorkService
  workers: number
  round: number
}

export interface ScenarioContext extends Run {
  template: Template
  options: WorkerBenchOptions
  hashSecret: string
}

/** A service that is warm and idle, with a database and queues of its own. */
export interface Scenario {
  subject: Subject
  service: RunningService
  operation: Operation
  database: pg.Client
  queue: BenchQueue
  queueDepth: QueueDepth
  /** The load that clients may send from here on. */
  load: { url: string; apiKey: string; operation: Operation; last: number }
  warmUp: { acknowledged: number; failed: number; next: number; runs: number }
  tell: (progress: Progress) => void
  /** Compares everything that was acknowledged since the warm-up with the records. */
  findProblems: (acknowledged: Acknowledged & { failed: number; unfinished: number }) => Promise<string[]>
}

export const warmUpConnections = 64
const databaseName = 'measured'

/** Starts everything, warms it up until no work is left, calls `measure`, and stops everything. */
export async function withScenario<Result>(
  context: ScenarioContext,
  subject: Subject,
  measure: (scenario: Scenario) => Promise<Result>,
): Promise<Result> {
  const { servers, template, options, hashSecret, runDir, buildDir } = context
  const databaseUrl = await cloneTemplate(servers, template, databaseName)
  await servers.redisClient.flushall()
  const operation = operations[subject.operation]
  if (operation.jobName === undefined) throw new Error(`${operation.name} has no work to follow`)
  const service = await startService(services[subject.service], {
    databaseUrl,
    hashSecret,
    runDir,
    buildDir,
    redisUrl: subject.queue === 'redis' ? servers.redis.url : undefined,
    workerCount: subject.workers,
    isProfiled: options.isProfiled,
  })
  const queue =
    subject.queue === 'redis'
      ? openRedisQueue(operation.jobName, servers.redisClient)
      : openPostgresQueue(operation.jobName, databaseUrl)
  try {
    return await withSession(servers, databaseUrl, async (database) => {
      const queueDepth = openQueueDepth(operation, database, queue)
      const load = { url: service.url, apiKey: template.apiKey, operation, last: template.count }
      const tell = ({ unfinished, rows }: Progress) => {
        console.log(`${subject.service}: ${unfinished} works of ${rows} rows are not finished`)
      }
      const warmUp = await warmUpService(context.client, { ...load, connections: warmUpConnections }, options)
      await service.assertAlive()
      const warm = await queueDepth.drain(tell)
      if (warm.unfinished > 0) throw new Error(`the worker of ${subject.service} does not finish its work`)
      await settle(database)
      return await measure({
        subject,
        service,
        operation,
        database,
        queue,
        queueDepth,
        load,
        warmUp,
        tell,
        findProblems: async ({ count, underWayMax, failed, unfinished }) => [
          ...(failed + warmUp.failed === 0
            ? []
            : [`${failed + warmUp.failed} requests were not answered with 2xx`]),
          ...(unfinished === 0 ? [] : [`${unfinished} jobs did not finish`]),
          ...(await findMismatches(operation, database, queueDepth, {
            count: warmUp.acknowledged + count,
            underWayMax: warmUp.runs * warmUpConnections + underWayMax,
          })),
        ],
      })
    })
  } finally {
    await queue.close()
    await service.stop()
    await dropDatabase(servers, databaseName)
  }
}
