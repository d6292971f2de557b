import type pg from 'pg'
import { coresInUse, cpuPerUnit, readCpuUse } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import { operations } from '../operations.ts'
import type { OperationName } from '../operations.ts'
import { openQueueDepth } from '../queue-depth.ts'
import { openRedisQueue } from '../bench-queue.ts'
import type { RunningService } from '../run-service.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import type { ScaleOptions } from './options.ts'
import { requestsPerSecondMax, withService } from './sized.ts'
import type { Sized } from './sized.ts'

/** An operation beside so many prizes, in one round. */
export interface MeasuredOperation {
  size: number
  operation: OperationName
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Microseconds per acknowledged request, with the work that follows from it. */
  cpu: CpuUse
  /** The number of processors that programs outside the benchmark kept busy. */
  othersCores: number
  problems: readonly string[]
}

const measured: readonly OperationName[] = ['box', 'order', 'cashback']
const warmUpSeconds = 2

/** Each operation once, on new processes. */
export async function measureOperations(
  run: Run,
  sized: Sized,
  options: Pick<ScaleOptions, 'seconds' | 'connections'>,
): Promise<MeasuredOperation[]> {
  return withService(run, sized, (service) =>
    withSession(run.servers, sized.databaseUrl, async (database) => {
      const results: MeasuredOperation[] = []
      for (const operation of measured) {
        results.push(await measureOperation(run, { sized, service, database, operation, ...options }))
      }
      return results
    }),
  )
}

async function measureOperation(
  { servers, client }: Run,
  {
    sized,
    service,
    database,
    operation: name,
    seconds,
    connections,
  }: {
    sized: Sized
    service: RunningService
    database: pg.Client
    operation: OperationName
    seconds: number
    connections: number
  },
): Promise<MeasuredOperation> {
  const operation = operations[name]
  const count = requestsPerSecondMax * (seconds + warmUpSeconds)
  const first = await sized.prepare(count)
  const queue =
    operation.jobName === undefined ? undefined : openRedisQueue(operation.jobName, servers.redisClient)
  const depth = openQueueDepth(operation, database, queue)
  const load = { url: service.url, apiKey: sized.apiKey, operation, connections, last: first + count }
  const drain = async () => (await depth.drain(() => undefined)).unfinished
  try {
    const { rows: rowsBefore } = await depth.read()
    const warmUp = await client.run({ ...load, first, seconds: warmUpSeconds })
    const unfinishedBefore = await drain()
    const before = readCpuUse(servers, service)
    const beganMs = performance.now()
    const result = await client.run({
      ...load,
      seconds,
      first: first + warmUp.acknowledged + 2 * connections,
    })
    const unfinished = unfinishedBefore + (await drain())
    const after = readCpuUse(servers, service)
    const cpu = cpuPerUnit(before, after, result.acknowledged)
    const { others } = coresInUse(before, after, (performance.now() - beganMs) / 1_000)
    await service.assertAlive()
    const surplus = (await depth.read()).rows - rowsBefore - warmUp.acknowledged - result.acknowledged
    const failed = warmUp.failed + result.failed
    return {
      size: sized.size,
      operation: name,
      requestsPerSecond: result.acknowledged / result.seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      cpu,
      othersCores: others ?? 0,
      problems: [
        ...(failed === 0 ? [] : [`${failed} requests were not answered with 2xx`]),
        ...(unfinished === 0 ? [] : [`${unfinished} jobs did not finish`]),
        // Requests that were in progress when a load ended may have been carried out.
        ...(surplus >= 0 && surplus <= 2 * connections
          ? []
          : [`${surplus} more rows in ${operation.table} than acknowledged requests`]),
      ].map((problem) => `${name} beside ${sized.size}: ${problem}`),
    }
  } finally {
    await queue?.close()
  }
}
