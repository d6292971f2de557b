import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../core/platform/clock.ts'
import { coresInUse, readCpuUse } from '../cpu-use.ts'
import { percentilesOf, timeMs } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { withLoops } from './loops.ts'
import { createFillIn, readPaths } from './read-paths.ts'
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

/** Every read, a scrape, and a turn of each loop that a worker has by default, while nothing else is done. */
export function measureReads(run: Run, sized: Sized, { reads }: { reads: number }): Promise<MeasuredRead[]> {
  return withService(run, sized, async (service, environment) => {
    const fillIn = await withSession(run.servers, sized.databaseUrl, createFillIn)
    const measured: Omit<MeasuredRead, 'othersCores'>[] = []
    const before = readCpuUse(run.servers, service)
    const beganMs = monotonicMs()
    const add = (what: string, kind: MeasuredRead['kind'], tookMs: readonly number[]) => {
      measured.push({ size: sized.size, what, kind, ...percentilesOf(tookMs) })
    }
    const read = async (url: string, key: string) => {
      const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
      const body = await response.text()
      if (response.status !== 200) throw new Error(`GET ${url} was answered with ${response.status}: ${body}`)
    }
    const manageRead = (path: string) => () => read(`${service.manageUrl}${fillIn(path)}`, sized.adminKey)
    const playRead = (path: string) => () => read(`${service.url}${fillIn(path)}`, sized.largeKey)
    const all = [
      ...readPaths.manage.map((path) => ({ path, readOnce: manageRead(path) })),
      ...readPaths.play.map((path) => ({ path, readOnce: playRead(path) })),
    ]
    for (let count = 0; count < warmUpReads; count++) for (const { readOnce } of all) await readOnce()
    for (const { path, readOnce } of all) add(`GET ${path}`, 'list', await timeMs(reads, readOnce))
    const tookMs: number[] = []
    for (let count = 0; count < scrapes; count++) {
      await delay(scrapeEveryMs)
      tookMs.push(...(await timeMs(1, manageRead('/metrics'))))
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
