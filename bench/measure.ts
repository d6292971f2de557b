import type pg from 'pg'
import { openRedisQueue } from './bench-queue.ts'
import { cpuPerUnit, readCpuUse } from './cpu-use.ts'
import type { CpuUse } from './cpu-use.ts'
import type { Client, Load, LoadResult } from './load/load.ts'
import { operations } from './operations.ts'
import type { OperationName } from './operations.ts'
import type { BenchOptions } from './options.ts'
import { openQueueDepth } from './queue-depth.ts'
import type { Progress } from './queue-depth.ts'
import { runProgram } from './run-program.ts'
import { startService } from './run-service.ts'
import type { RunningService } from './run-service.ts'
import { cloneTemplate, dropDatabase } from './seed.ts'
import type { Template } from './seed.ts'
import { withSession } from './servers.ts'
import type { Servers } from './servers.ts'
import { services } from './services.ts'
import type { ServiceName } from './services.ts'
import { findMismatches } from './verify.ts'

/** One service under one load. */
export interface Measurement {
  operation: OperationName
  service: ServiceName
  connections: number
  round: number
  result: LoadResult
  requestsPerSecond: number
  /** CPU microseconds per acknowledged request, while the load ran. */
  cpuMicroseconds: CpuUse
  /** The same with the worker's remaining work, which is done when the load has ended. */
  cpuMicrosecondsUntilDrained: CpuUse
  /** The work that was waiting or in progress when the load ended, and the time until it was done. */
  unfinishedAtEnd: number
  drainSeconds: number
  /** Reasons not to trust the result. */
  problems: readonly string[]
}

export interface MeasureContext {
  servers: Servers
  client: Client
  template: Template
  options: BenchOptions
  hashSecret: string
  runDir: string
  buildDir: string
  onProgress: (text: string) => void
}

const databaseName = 'measured'
const warmUpRunsMax = 10
/** A slow service needs more time for the requests of its warm-up. */
const furtherSeconds = 4

/** Starts the service on a fresh database, warms it up, measures, waits for its worker, and checks what is recorded. */
export async function measure(
  context: MeasureContext,
  of: { service: ServiceName; connections: number; round: number },
): Promise<Measurement> {
  const { servers, template, options, hashSecret, runDir, buildDir } = context
  const databaseUrl = await cloneTemplate(servers, template, databaseName)
  await servers.redisClient.flushall()
  await withSession(servers, databaseUrl, async (database) => {
    for (const statement of services[of.service].prepareSql ?? []) await database.query(statement)
  })
  const service = await startService(services[of.service], {
    databaseUrl,
    redisUrl: servers.redis.url,
    workerCount: 1,
    hashSecret,
    runDir,
    buildDir,
    isProfiled: options.isProfiled,
  })
  try {
    return await withSession(servers, databaseUrl, (database) =>
      measureRunning(context, of, service, database),
    )
  } finally {
    await service.stop()
    await dropDatabase(servers, databaseName)
  }
}

async function measureRunning(
  { servers, client, template, options, onProgress }: MeasureContext,
  { service: name, connections, round }: { service: ServiceName; connections: number; round: number },
  service: RunningService,
  database: pg.Client,
): Promise<Measurement> {
  const operation = operations[template.operation]
  const { jobName } = operation
  const queue = jobName === undefined ? undefined : openRedisQueue(jobName, servers.redisClient)
  const queueDepth = openQueueDepth(operation, database, queue)
  const load = {
    url: service.url,
    apiKey: template.apiKey,
    operation,
    connections,
    last: template.count,
  }
  const tell = ({ unfinished, rows }: Progress) => {
    onProgress(`${name}: ${unfinished} works of ${rows} rows are not finished`)
  }
  try {
    const warmUp = await warmUpService(client, load, options)
    await service.assertAlive()
    const warm = await queueDepth.drain(tell) // also shows that the worker works
    if (warm.unfinished > 0) throw new Error(`the worker of ${name} does not finish its work`)
    await settle(database)

    const before = readCpuUse(servers, service)
    const result = await client.run({
      ...load,
      seconds: options.seconds,
      first: warmUp.next,
    })
    const after = readCpuUse(servers, service)
    await service.assertAlive()
    const { unfinished } = await queueDepth.read()
    const drain = await queueDepth.drain(tell)
    const drained = readCpuUse(servers, service)

    const failed = warmUp.failed + result.failed
    return {
      operation: operation.name,
      service: name,
      connections,
      round,
      result,
      requestsPerSecond: result.acknowledged / result.seconds,
      cpuMicroseconds: cpuPerUnit(before, after, result.acknowledged),
      cpuMicrosecondsUntilDrained: cpuPerUnit(before, drained, result.acknowledged),
      unfinishedAtEnd: unfinished,
      drainSeconds: drain.seconds,
      problems: [
        ...(failed === 0 ? [] : [`${failed} requests were not answered with 2xx`]),
        ...(drain.unfinished === 0 ? [] : [`${drain.unfinished} jobs did not finish`]),
        ...(services[name].isRecording
          ? await findMismatches(operation, database, queueDepth, {
              count: warmUp.acknowledged + result.acknowledged,
              underWayMax: (warmUp.runs + 1) * connections,
            })
          : []),
      ],
    }
  } finally {
    await queue?.close()
  }
}

const syncTimeoutMs = 120_000

/** Does between warm-up and measurement what would otherwise happen in the middle of it, or not, by chance. */
export async function settle(database: pg.Client): Promise<void> {
  // Autovacuum would do it within a minute. Until then the planner does not know that this casino has rows, and
  // chooses the wrong index for statements that are planned again each time.
  await database.query('ANALYZE')
  // The kernel writes back what has been dirty for thirty seconds, in one go, and a commit takes 50 ms meanwhile.
  await runProgram('sync', [], { timeoutMs: syncTimeoutMs })
}

/**
 * Warms the service up. Its code is interpreted at first, so a number of requests must pass. V8 still compiles for twenty seconds
 * (it takes a tenth of the worker's processor time then), so a time must pass too.
 */
export async function warmUpService(
  client: Client,
  load: Omit<Load, 'first' | 'seconds'>,
  options: Pick<BenchOptions, 'warmUpRequests' | 'warmUpSeconds'>,
) {
  let acknowledged = 0
  let failed = 0
  let next = 1
  let runs = 0
  while (runs < warmUpRunsMax && acknowledged < options.warmUpRequests && failed === 0) {
    const seconds = runs === 0 ? options.warmUpSeconds : furtherSeconds
    const result = await client.run({ ...load, seconds, first: next })
    runs++
    acknowledged += result.acknowledged
    failed += result.failed
    // Requests in progress at the end may have been carried out, and wrk takes a number for one that it does not send.
    next += result.acknowledged + load.connections + 1
  }
  return { acknowledged, failed, next, runs }
}
