import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../core/platform/config.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { coresInUse, readCpuUse } from '../cpu-use.ts'
import { variablesOf } from '../run-service.ts'
import type { Run } from '../with-run.ts'
import { busyPlayer, largeCasino } from './fill.ts'
import { apart, withService } from './sized.ts'
import type { Sized } from './sized.ts'

/** How long something took beside so many prizes. */
export interface MeasuredRead {
  size: number
  what: string
  kind: 'list' | 'scrape' | 'loop'
  p50Ms: number
  p99Ms: number
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
      add(`GET ${path}`, 'list', await time(reads, () => read(path)))
    }
    const tookMs: number[] = []
    for (let count = 0; count < scrapes; count++) {
      await delay(scrapeEveryMs)
      tookMs.push(...(await time(1, () => read('/metrics'))))
    }
    add('GET /metrics', 'scrape', tookMs)
    await timeLoops({ ...variablesOf(apart, environment), LOG_LEVEL: 'silent' }, (name, took) => {
      add(`a turn of ${name}`, 'loop', took)
    })
    const after = readCpuUse(run.servers, service)
    const { others = 0 } = coresInUse(before, after, (monotonicMs() - beganMs) / 1_000)
    return measured.map((one) => ({ ...one, othersCores: others }))
  })
}

async function timeLoops(
  env: NodeJS.ProcessEnv,
  add: (name: string, tookMs: readonly number[]) => void,
): Promise<void> {
  const { deps, close } = createWorkerDeps(readConfig(env))
  try {
    await deps.compareClocks.tryOnce()
    for (const { name, runOnce } of createLoops(deps, startLines(deps), () => undefined)) {
      if (name === 'watch-liveness') continue // asks the queues alone
      await runOnce() // the first turn connects
      add(name, await time(turns, runOnce))
    }
  } finally {
    await close()
  }
}

async function time(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  for (let count = 0; count < times; count++) {
    const beganMs = monotonicMs()
    await work()
    tookMs.push(monotonicMs() - beganMs)
  }
  return tookMs
}

function percentilesOf(tookMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = tookMs.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
