import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openRedisQueue } from '../bench-queue.ts'
import { watchCores } from '../cpu-use.ts'
import { runSteadyLoad, summarise } from '../load/steady.ts'
import type { SteadyAnswer, SteadySummary } from '../load/steady.ts'
import { formatNumber } from '../load/load.ts'
import { boundOf } from '../neighbours/report.ts'
import { operations } from '../operations.ts'
import { percentilesOf } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import { openQueueDepth } from '../queue-depth.ts'
import type { QueueDepth } from '../queue-depth.ts'
import { renderTable } from '../report.ts'
import { seedCasino, seedPrizes } from '../seed.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { requestsPerSecondMax, withServices } from './sized.ts'
import type { Sized } from './sized.ts'
import type { Finding } from '../verdict.ts'

/** A small casino's orders. */
export interface SmallOrders {
  answers: SteadySummary
  /** From when the request was due until a worker had finished its work. */
  works: Percentiles
  unfinished: number
}

/** A small casino's orders through two APIs, alone and while a large one floods both. */
export interface MeasuredFairness {
  alone: SmallOrders
  beside: SmallOrders
  /** The large casino's orders a second, and its unfinished works when the small casino began, and when it ended. */
  floodPerSecond: number
  backlogs: readonly [number, number]
  othersCores: number
  problems: readonly string[]
}

const smallCasino = 'small'
/** Orders of the small casino, a second, at each API. */
const smallRate = 25
const apis = 2
/** The flood's lead, while the workers are paused: they would hardly fall behind otherwise. */
const leadSeconds = 2
/** As long as the relay may take to find work that was not handed over. */
const unnoticedWorkMs = 1_000
const timesMax = 3

export async function measureFairness(
  run: Run,
  sized: Sized,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<MeasuredFairness> {
  const { servers, client } = run
  const floodSeconds = leadSeconds + seconds + 1
  const eachFlood = requestsPerSecondMax * floodSeconds
  const eachSmall = smallRate * seconds
  const firstFlood = await sized.prepare(eachFlood * apis)
  return withSession(run.servers, sized.databaseUrl, async (database) => {
    const apiKey = await seedCasino(database, sized.hashSecret, smallCasino)
    await seedPrizes(database, 3 * apis * eachSmall, 1, smallCasino)
    await database.query('ANALYZE prize')
    return withServices(run, sized, apis, async (running) => {
      const queue = openRedisQueue('fulfil-prize-order', servers.redisClient)
      try {
        const depth = openQueueDepth(operations.order, database, queue)
        let nextSmall = 1
        const order = async () => {
          const first = nextSmall
          nextSmall += apis * eachSmall
          const answers = await Promise.all(
            running.map(({ url }, number) =>
              runSteadyLoad(
                {
                  url,
                  apiKey,
                  operation: operations.order,
                  rate: smallRate,
                  seconds,
                  first: first + number * eachSmall,
                },
                run,
              ),
            ),
          )
          return answers.flat()
        }
        await order() // warms up
        const readCoresAlone = watchCores(servers, ...running)
        const answersAlone = await order()
        const { others: othersAlone = 0 } = readCoresAlone()
        await depth.drain(() => undefined)
        await queue.pause()
        const readCoresBeside = watchCores(servers, ...running)
        const flood = Promise.all(
          running.map(({ url }, number) =>
            client.run({
              url,
              apiKey: sized.apiKey,
              operation: operations.order,
              connections: Math.floor(connections / apis),
              seconds: floodSeconds,
              first: firstFlood + number * eachFlood,
              last: firstFlood + (number + 1) * eachFlood,
            }),
          ),
        )
        await delay(leadSeconds * 1_000)
        const { unfinished: backlogBefore } = await depth.read()
        await queue.resume()
        const answersBeside = await order()
        const { unfinished: backlogAfter } = await depth.read()
        const results = await flood
        const { others: othersBeside = 0 } = readCoresBeside()
        const { unfinished } = await depth.drain(() => undefined)
        for (const service of running) await service.assertAlive()
        const finishedMs = await readFinished(database, depth)
        const alone = toSmallOrders(answersAlone, finishedMs)
        const beside = toSmallOrders(answersBeside, finishedMs)
        const failed = alone.answers.failed + beside.answers.failed
        const floodFailed = results.reduce((sum, result) => sum + result.failed, 0)
        return {
          alone,
          beside,
          floodPerSecond: results.reduce((sum, result) => sum + result.acknowledged / result.seconds, 0),
          backlogs: [backlogBefore, backlogAfter],
          othersCores: Math.max(othersAlone, othersBeside),
          problems: [
            ...(failed === 0 ? [] : [`${failed} orders of the small casino were not answered with 200`]),
            ...(floodFailed === 0 ? [] : [`${floodFailed} orders of the flood were not answered with 2xx`]),
            ...(unfinished === 0 ? [] : [`${unfinished} works did not finish`]),
            ...(alone.unfinished + beside.unfinished === 0
              ? []
              : [`${alone.unfinished + beside.unfinished} orders of the small casino have no finished job`]),
          ].map((problem) => `fairness: ${problem}`),
        }
      } finally {
        await queue.close()
      }
    })
  })
}

/** The end of the work of each of the small casino's orders, by its prize; in milliseconds since 1970. */
async function readFinished(database: pg.Client, depth: QueueDepth): Promise<Map<string, number>> {
  const { rows } = await database.query<{ id: string; prize_id: string }>(
    `SELECT id, prize_id FROM prize_order WHERE casino_id = $1`,
    [smallCasino],
  )
  const prizeOf = new Map(rows.map((row) => [row.id, row.prize_id]))
  return new Map(
    (await depth.readFinishedWorks()).flatMap(({ rowId, finishedAtMs }) => {
      const prizeId = prizeOf.get(rowId)
      return prizeId === undefined ? [] : [[prizeId, finishedAtMs] as const]
    }),
  )
}

function toSmallOrders(
  answers: readonly SteadyAnswer[],
  finishedMs: ReadonlyMap<string, number>,
): SmallOrders {
  const tookMs = answers.flatMap(({ number, isAcknowledged, dueMs }) => {
    const finished = isAcknowledged ? finishedMs.get(`prz_${formatNumber(number)}`) : undefined
    return finished === undefined ? [] : [finished - dueMs]
  })
  const summary = summarise(answers)
  return {
    answers: summary,
    works: percentilesOf(tookMs),
    unfinished: summary.count - summary.failed - tookMs.length,
  }
}

/** The times of the small casino that exceed their bounds beside the flood. */
export function findUnfair({ alone, beside, othersCores }: MeasuredFairness): Finding[] {
  const worksBoundMs = Math.max(timesMax * alone.works.p99Ms, unnoticedWorkMs)
  return [
    { what: 'answers', p99Ms: beside.answers.p99Ms, boundMs: boundOf(alone.answers.p99Ms) },
    { what: 'finished works', p99Ms: beside.works.p99Ms, boundMs: worksBoundMs },
  ]
    .filter(({ p99Ms, boundMs }) => p99Ms > boundMs)
    .map(({ what, p99Ms, boundMs }) => ({
      text: `fairness: the small casino's ${what} took ${p99Ms.toFixed(0)} ms beside the flood, more than ${boundMs.toFixed(0)}`,
      isExceeded: true,
      othersCores,
    }))
}

export function renderFairness({ alone, beside, floodPerSecond, backlogs }: MeasuredFairness): string {
  const ms = ({ p50Ms, p99Ms }: Percentiles) => [p50Ms.toFixed(1), p99Ms.toFixed(1)]
  const line = (name: string, { answers, works }: SmallOrders) => [
    name,
    String(answers.count),
    String(answers.failed),
    ...ms(answers),
    ...ms(works),
  ]
  return [
    renderTable(
      [
        "a small casino's orders",
        'number',
        'failed',
        'answers: p50 ms',
        'p99 ms',
        'finished works: p50 ms',
        'p99 ms',
      ],
      [line('alone', alone), line('beside a flood', beside)],
    ),
    `The flood: ${floodPerSecond.toFixed(0)} orders a second through ${apis} APIs; ${backlogs.join(' and then ')} works behind.`,
  ].join('\n\n')
}
