import type pg from 'pg'
import { watchCores } from '../cpu-use.ts'
import { runSteadyLoad, summarise } from '../load/steady.ts'
import { operations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { openQueueDepth } from '../queue-depth.ts'
import { renderTable } from '../report.ts'
import type { RunningService } from '../run-service.ts'
import { seedStockBox } from '../seed.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { requestsPerSecondMax, withServices } from './sized.ts'
import type { Sized } from './sized.ts'

/** Openings through so many APIs, that all take from one stock. */
export interface MeasuredHotStock {
  count: number
  openingsPerSecond: number
  /** With enough stock for every request. */
  enough: StockUse
  /** With half of that. */
  scarce: StockUse
  othersCores: number
  problems: readonly string[]
}

/** A box with one entry, after the openings. */
export interface StockUse {
  published: number
  remaining: number
  acknowledged: number
  /** Requests that were in progress when the client ended: they may have been carried out. */
  inProgressMax: number
  failed: number
  /** Openings that won the entry, and those that won the fallback. */
  won: number
  fallbacks: number
}

/** Enough that openings of both APIs overlap, and few enough that each is answered. */
const scarceRequests = { rate: 200, seconds: 2 }

/** Through one API, and through two. */
export async function measureHotStock(
  run: Run,
  sized: Sized,
  options: { seconds: number; connections: number },
): Promise<MeasuredHotStock[]> {
  const measured: MeasuredHotStock[] = []
  for (const count of [1, 2]) measured.push(await measureWith(run, sized, count, options))
  return measured
}

async function measureWith(
  run: Run,
  sized: Sized,
  count: number,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<MeasuredHotStock> {
  const { servers, client } = run
  const each = requestsPerSecondMax * seconds
  const eachScarce = scarceRequests.rate * scarceRequests.seconds
  const first = await sized.prepare((each + eachScarce) * count)
  const boxes = {
    enough: { id: `hot-box-${count}`, published: each * count },
    scarce: { id: `scarce-box-${count}`, published: (eachScarce * count) / 2 },
  }
  return withSession(run.servers, sized.databaseUrl, async (database) => {
    for (const { id, published } of Object.values(boxes)) await seedStockBox(database, id, published)
    return withServices(run, sized, count, async (running) => {
      const loadOf = (service: RunningService, boxId: string) => ({
        url: service.url,
        apiKey: sized.apiKey,
        operation: openingOf(boxId),
      })
      const readCores = watchCores(servers, ...running)
      const results = await Promise.all(
        running.map((service, number) =>
          client.run({
            ...loadOf(service, boxes.enough.id),
            connections: Math.floor(connections / count),
            seconds,
            first: first + number * each,
            last: first + (number + 1) * each,
          }),
        ),
      )
      const { others = 0 } = readCores()
      await openQueueDepth(operations.box, database, undefined).drain(() => undefined)
      const firstScarce = first + each * count
      const scarceAnswers = await Promise.all(
        running.map((service, number) =>
          runSteadyLoad(
            {
              ...loadOf(service, boxes.scarce.id),
              ...scarceRequests,
              first: firstScarce + number * eachScarce,
            },
            run,
          ),
        ),
      )
      for (const service of running) await service.assertAlive()
      const answers = summarise(scarceAnswers.flat())
      const enough: StockUse = {
        ...(await readStock(database, boxes.enough)),
        acknowledged: sumOf(results.map(({ acknowledged }) => acknowledged)),
        failed: sumOf(results.map(({ failed }) => failed)),
        inProgressMax: connections,
      }
      const scarce: StockUse = {
        ...(await readStock(database, boxes.scarce)),
        acknowledged: answers.count - answers.failed,
        failed: answers.failed,
        inProgressMax: 0, // every answer was awaited
      }
      return {
        count,
        openingsPerSecond: sumOf(results.map((result) => result.acknowledged / result.seconds)),
        enough,
        scarce,
        othersCores: others,
        problems: [...findStockProblems(enough), ...findStockProblems(scarce)].map(
          (problem) => `hot stock through ${count} APIs: ${problem}`,
        ),
      }
    })
  })
}

function openingOf(boxId: string): Operation {
  const body = { player_id: 'player_{n}', box_id: boxId }
  return { ...operations.box, bodyTemplate: JSON.stringify(body) }
}

async function readStock(
  database: pg.Client,
  { id, published }: { id: string; published: number },
): Promise<Pick<StockUse, 'published' | 'remaining' | 'won' | 'fallbacks'>> {
  const { rows } = await database.query<Pick<StockUse, 'remaining' | 'won' | 'fallbacks'>>(
    `SELECT (SELECT remaining FROM box_stock WHERE casino_id = 'bench' AND box_id = $1) AS remaining,
            (count(*) FILTER (WHERE NOT substituted))::int AS won, (count(*) FILTER (WHERE substituted))::int AS fallbacks
       FROM opening WHERE casino_id = 'bench' AND box_id = $1`,
    [id],
  )
  const { remaining = -1, won = 0, fallbacks = 0 } = rows[0] ?? {}
  return { published, remaining, won, fallbacks }
}

/** Each opening must have taken one piece while there was one, and no piece was sold twice. */
export function findStockProblems(use: StockUse): string[] {
  const { published, remaining, acknowledged, inProgressMax, failed, won, fallbacks } = use
  const surplus = won + fallbacks - acknowledged
  return [
    ...(failed === 0 ? [] : [`${failed} openings were not answered with 200`]),
    ...(won <= published && remaining >= 0 ? [] : [`${won} pieces were won of ${published}`]),
    ...(published - remaining === won
      ? []
      : [`${published - remaining} pieces were taken for ${won} openings that won one`]),
    ...(fallbacks === 0 || remaining === 0
      ? []
      : [`${fallbacks} openings won the fallback although ${remaining} pieces are left`]),
    ...(surplus >= 0 && surplus <= inProgressMax
      ? []
      : [`${surplus} more openings than acknowledged requests`]),
  ]
}

export function renderHotStock(measured: readonly MeasuredHotStock[]): string {
  const [one] = measured
  return renderTable(
    [
      'hot stock through APIs',
      'openings/s',
      'ratio',
      'acknowledged',
      'taken',
      'scarce: acknowledged',
      'published',
      'taken',
      'fallbacks',
    ],
    measured.map(({ count, openingsPerSecond, enough, scarce }) => [
      String(count),
      openingsPerSecond.toFixed(0),
      (openingsPerSecond / (one?.openingsPerSecond ?? openingsPerSecond)).toFixed(2),
      String(enough.acknowledged),
      String(enough.published - enough.remaining),
      String(scarce.acknowledged),
      String(scarce.published),
      String(scarce.published - scarce.remaining),
      String(scarce.fallbacks),
    ]),
  )
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
