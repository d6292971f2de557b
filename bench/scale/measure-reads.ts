import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../core/platform/clock.ts'
import { coresInUse, readCpuUse } from '../cpu-use.ts'
import { percentilesOf, timeMs } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import type { Run } from '../with-run.ts'
import { busyPlayer, largeCasino } from './fill.ts'
import { withLoops } from './loops.ts'
import { withService } from './sized.ts'
import type { Sized } from './sized.ts'

/** How long something took beside so many prizes. */
export interface MeasuredRead extends Percentiles {
  size: number
  what: string
  kind: 'list' | 'scrape' | 'loop'
  /** The number of processors that programs outside the benchmark kept busy while everything was read. */
  othersCores: number
}

/** A scrape within a second of another gets the same text. */
const scrapeEveryMs = 1_100
const scrapes = 10
const turns = 5
const warmUpReads = 10

const hour = 'created_from=2020-01-01T00:00:00Z&created_until=2020-01-01T01:00:00Z'
/** Most lists of the management API with their filters, of the casino with most rows and of the player with most prizes. */
const listPaths = [
  ...[
    '',
    '&order=asc',
    '&state=pending_confirmation',
    '&state=exception',
    '&state=delivered',
    '&state=rejected',
  ].map((filter) => `/orders?limit=100${filter}`),
  `/orders?limit=100&player_id=${busyPlayer}`,
  `/orders?limit=100&player_id=${busyPlayer}&state=exception`,
  `/orders?limit=100&${hour}`,
  ...['', '&order=asc', '&state=manual_review', '&state=credited', '&state=reversed'].map(
    (filter) => `/cashbacks?limit=100${filter}`,
  ),
  `/cashbacks?limit=100&player_id=${busyPlayer}`,
  `/cashbacks?limit=100&${hour}`,
  ...['', '&state=won', '&state=voided'].map((filter) => `/players/${busyPlayer}/prizes?limit=100${filter}`),
  `/players/${busyPlayer}`,
  `/players/${busyPlayer}/grants?limit=100`,
  `/players/${busyPlayer}/balance`,
  `/players/${busyPlayer}/erasure`,
  '/grants?limit=100',
  '/events?limit=100',
  '/audit?limit=100',
  `/audit?limit=100&${hour}`,
  '/acts?limit=100',
  '/acts?limit=100&state=running',
  '/boxes?limit=100',
  '/items?limit=100',
  '/api-keys?limit=100',
  '/webhook-endpoints?limit=100',
  '/webhook-endpoints/main/deliveries?limit=100',
  '/webhook-endpoints/main/deliveries?limit=100&state=failed',
  '/webhook-endpoints/main/deliveries?limit=100&state=pending',
].map((path) => `/admin/casinos/${largeCasino}${path}`)

const servicePaths = [
  '/admin/work',
  '/admin/state',
  '/admin/casinos?limit=100',
  `/admin/search?q=${busyPlayer}`,
  '/admin/audit?limit=100',
]

/** Most lists, a scrape, and a turn of each loop that a worker has by default, while nothing else is done. */
export function measureReads(run: Run, sized: Sized, { reads }: { reads: number }): Promise<MeasuredRead[]> {
  return withService(run, sized, async (service, environment) => {
    const { manageUrl } = service
    const measured: Omit<MeasuredRead, 'othersCores'>[] = []
    const before = readCpuUse(run.servers, service)
    const beganMs = monotonicMs()
    const add = (what: string, kind: MeasuredRead['kind'], tookMs: readonly number[]) => {
      measured.push({ size: sized.size, what, kind, ...percentilesOf(tookMs) })
    }
    const read = async (path: string) => {
      const response = await fetch(`${manageUrl}${path}`, {
        headers: { Authorization: `Bearer ${sized.adminKey}` },
      })
      const body = await response.text()
      if (response.status !== 200)
        throw new Error(`GET ${path} was answered with ${response.status}: ${body}`)
    }
    const paths = [...listPaths, ...servicePaths]
    for (let count = 0; count < warmUpReads; count++) for (const path of paths) await read(path)
    for (const path of paths) {
      add(`GET ${path}`, 'list', await timeMs(reads, () => read(path)))
    }
    const tookMs: number[] = []
    for (let count = 0; count < scrapes; count++) {
      await delay(scrapeEveryMs)
      tookMs.push(...(await timeMs(1, () => read('/metrics'))))
    }
    add('GET /metrics', 'scrape', tookMs)
    await withLoops(environment, {}, async (loops) => {
      for (const { name, runOnce } of loops) {
        if (name === 'watch-liveness') continue // asks the queues alone
        await runOnce() // the first turn connects
        add(`a turn of ${name}`, 'loop', await timeMs(turns, runOnce))
      }
    })
    const after = readCpuUse(run.servers, service)
    const { others = 0 } = coresInUse(before, after, (monotonicMs() - beganMs) / 1_000)
    return measured.map((one) => ({ ...one, othersCores: others }))
  })
}
