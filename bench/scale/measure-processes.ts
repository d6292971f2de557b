import { openRedisQueue } from '../bench-queue.ts'
import { operations } from '../operations.ts'
import { openQueueDepth } from '../queue-depth.ts'
import { renderTable } from '../report.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { requestsPerSecondMax, withServices } from './sized.ts'
import type { Sized } from './sized.ts'

/** So many APIs, each with a worker, on one database. */
export interface MeasuredProcesses {
  count: number
  requestsPerSecond: number
  /** The share of each API in the requests, and of each worker in the finished works. */
  apiShares: readonly number[]
  workerShares: readonly number[]
  problems: readonly string[]
}

/** A worker that does less than this part of its share does not take part. */
const partMin = 0.5

/** Orders through one, and through two APIs and workers. */
export async function measureProcesses(
  run: Run,
  sized: Sized,
  options: { seconds: number; connections: number },
): Promise<MeasuredProcesses[]> {
  const measured: MeasuredProcesses[] = []
  for (const count of [1, 2]) measured.push(await measureWith(run, sized, count, options))
  return measured
}

async function measureWith(
  run: Run,
  sized: Sized,
  count: number,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<MeasuredProcesses> {
  const { servers, client } = run
  const operation = operations.order
  const each = requestsPerSecondMax * seconds
  const first = await sized.prepare(each * count)
  return withSession(run.servers, sized.databaseUrl, async (database) => {
    const { rows } = await database.query<{ now: Date }>('SELECT now()')
    return withServices(run, sized, count, async (running) => {
      const queue = openRedisQueue('fulfil-prize-order', servers.redisClient)
      try {
        const depth = openQueueDepth(operation, database, queue)
        const before = await depth.read()
        const results = await Promise.all(
          running.map(({ url }, number) =>
            client.run({
              url,
              apiKey: sized.apiKey,
              operation,
              connections: Math.floor(connections / count),
              seconds,
              first: first + number * each,
              last: first + (number + 1) * each,
            }),
          ),
        )
        const { unfinished } = await depth.drain(() => undefined)
        for (const service of running) await service.assertAlive()
        for (const service of running) await service.stop() // which writes the last counts
        const { rows: works } = await database.query<{ done: number }>(
          `SELECT sum(coalesce((counts ->> 'fulfil-prize-order.out')::int, 0))::int AS done
             FROM process_minute WHERE kind = 'worker' AND started_at >= $1 GROUP BY process_id ORDER BY process_id`,
          [rows[0]?.now],
        )
        const acknowledged = results.map((result) => result.acknowledged)
        const surplus = (await depth.read()).rows - before.rows - sumOf(acknowledged)
        const workerShares = sharesOf(works.map(({ done }) => done))
        return {
          count,
          requestsPerSecond: sumOf(results.map((result) => result.acknowledged / result.seconds)),
          apiShares: sharesOf(acknowledged),
          workerShares,
          problems: [
            ...(results.some(({ failed }) => failed > 0) ? ['requests were not answered with 2xx'] : []),
            ...(unfinished === 0 ? [] : [`${unfinished} works did not finish`]),
            ...(surplus >= 0 && surplus <= connections
              ? []
              : [`${surplus} more orders than acknowledged requests`]),
            ...(workerShares.length === count && Math.min(...workerShares) >= partMin / count
              ? []
              : ['a worker hardly took part']),
          ].map((problem) => `with ${count} APIs and workers: ${problem}`),
        }
      } finally {
        await queue.close()
      }
    })
  })
}

export function renderProcesses(measured: readonly MeasuredProcesses[]): string {
  const percents = (shares: readonly number[]) =>
    shares.map((share) => `${(share * 100).toFixed(0)} %`).join(', ')
  return renderTable(
    ['APIs and workers', 'orders/s', 'share of each API', 'share of each worker'],
    measured.map((one) => [
      String(one.count),
      one.requestsPerSecond.toFixed(0),
      percents(one.apiShares),
      percents(one.workerShares),
    ]),
  )
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function sharesOf(counts: readonly number[]): number[] {
  const total = sumOf(counts)
  return counts.map((count) => count / Math.max(1, total))
}
