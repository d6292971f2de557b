import { monotonicMs } from '../../core/platform/clock.ts'
import { coresInUse, readCpuUse } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import { runSteadyLoad, summarise } from '../load/steady.ts'
import type { SteadyLoad, SteadySummary } from '../load/steady.ts'
import type { RunningService } from '../run-service.ts'
import type { Run } from '../with-run.ts'
import type { Act } from './acts.ts'
import { openWorld } from './world.ts'
import type { WorldOptions } from './world.ts'

/** How the other casino's openings fared. */
export interface Fared extends SteadySummary {
  /** The number of processors that each program kept busy meanwhile. */
  cores: CpuUse
}

interface Beside extends Fared {
  act: string
  /** How often the act's requests were answered, by status; `0` for connections that were closed. */
  actStatuses: Record<string, number>
}

/** One act, and how the other casino fared right before it. */
export interface Measured {
  alone: Fared
  beside: Beside
}

interface Openings extends Omit<SteadyLoad, 'answersFile' | 'first'> {
  service: RunningService
}

/** Hands out the numbers of requests, each with a player of its own. */
export function createNumbers(): (count: number) => number {
  let next = 1
  return (count) => {
    const first = next
    next += count
    return first
  }
}

/** The other casino's openings with nothing beside them. */
export async function measureAlone(
  run: Run,
  { service, ...openings }: Openings,
  take: (count: number) => number,
): Promise<Fared> {
  const first = take(openings.rate * openings.seconds)
  const beganMs = monotonicMs()
  const before = readCpuUse(run.servers, service)
  const answers = await runSteadyLoad({ ...openings, first }, run)
  const after = readCpuUse(run.servers, service)
  return { ...summarise(answers), cores: coresInUse(before, after, (monotonicMs() - beganMs) / 1000) }
}

/** The same during the act. */
export async function measureBeside(
  run: Run,
  {
    act,
    openings,
    take,
    world: options,
  }: {
    act: Act
    openings: Openings
    take: (count: number) => number
    world: WorldOptions
  },
): Promise<Beside> {
  const world = await openWorld(options)
  try {
    const request = await act.begin(world)
    const ending = new AbortController()
    const actStatuses: Record<string, number> = {}
    let number = 0
    const repeat = async () => {
      while (!ending.signal.aborted) {
        const status = await request((number += 1))
        actStatuses[status] = (actStatuses[status] ?? 0) + 1
      }
    }
    const repeating = Promise.all(Array.from({ length: act.connections }, repeat))
    try {
      const fared = await measureAlone(run, openings, take)
      return { act: act.name, ...fared, actStatuses }
    } finally {
      ending.abort()
      await world.end() // also frees what its requests wait for
      await repeating
    }
  } finally {
    await world.end()
  }
}

/** Times something a few times; the middle one counts. Milliseconds. */
export async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = []
  for (let count = 0; count < times; count++) {
    const beganMs = monotonicMs()
    await work()
    tookMs.push(monotonicMs() - beganMs)
  }
  return tookMs.sort((one, other) => one - other)[Math.floor(times / 2)] ?? 0
}
