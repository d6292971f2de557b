import { setTimeout as delay } from 'node:timers/promises'
import { cpuPerUnit, readCpuUse, watchCores } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import type { QueueDepth } from '../queue-depth.ts'
import { warmUpConnections, withScenario } from './scenario.ts'
import type { Scenario, ScenarioContext, Subject } from './scenario.ts'

/** How fast the worker finishes what is waiting for it. */
export interface Throughput extends Subject {
  jobs: number
  seconds: number
  jobsPerSecond: number
  /** CPU microseconds per job while the worker worked. Nobody else had anything to do. */
  cpuMicroseconds: CpuUse
  /** Empty when the result can be believed. */
  /** The number of processors that other programs kept busy meanwhile; undefined where it cannot be read. */
  othersCores: number | undefined
  problems: readonly string[]
}

/**
 * Lets the real API record requests and put their jobs into a paused queue, then resumes it, and measures from there to
 * the end of the last job. So the workers always have enough to do, and nothing disturbs them.
 */
export function measureThroughput(context: ScenarioContext, subject: Subject): Promise<Throughput> {
  return withScenario(context, subject, (scenario) => measureDrain(context, scenario))
}

async function measureDrain(
  { servers, client, options }: ScenarioContext,
  { subject, service, queue, queueDepth, load, warmUp, tell, findProblems }: Scenario,
): Promise<Throughput> {
  await queue.pause()
  const filled = await client.run({
    ...load,
    connections: warmUpConnections,
    seconds: options.seconds,
    first: warmUp.next,
  })
  await service.assertAlive()
  await waitUntilQueued(queueDepth)

  const before = readCpuUse(servers, service)
  const coresSince = watchCores(servers, service)
  const begunMs = Date.now()
  await queue.resume()
  const { unfinished } = await queueDepth.drain(tell)
  const after = readCpuUse(servers, service)
  const { others: othersCores } = coresSince()
  await service.assertAlive()

  const finishedMs = (await queueDepth.readFinishedWorks())
    .map((job) => job.finishedAtMs)
    .filter((finishedAtMs) => finishedAtMs >= begunMs)
  const jobs = finishedMs.length
  const seconds = (finishedMs.reduce((latest, ms) => Math.max(latest, ms), begunMs) - begunMs) / 1000
  return {
    ...subject,
    jobs,
    seconds,
    jobsPerSecond: jobs / seconds,
    cpuMicroseconds: cpuPerUnit(before, after, jobs),
    othersCores,
    problems: await findProblems({
      count: filled.acknowledged,
      underWayMax: warmUpConnections,
      failed: filled.failed,
      unfinished,
    }),
  }
}

const queuedTimeoutMs = 60_000
const pollMs = 200
/** So long no job may come any more; by then the API has also told the relay what is in the queue. */
const settleMs = 1_500

async function waitUntilQueued(queueDepth: QueueDepth): Promise<void> {
  const giveUpMs = performance.now() + queuedTimeoutMs
  let before = ''
  let sinceMs = performance.now()
  for (;;) {
    const state = JSON.stringify(await queueDepth.read())
    const nowMs = performance.now()
    if (state === before && nowMs - sinceMs > settleMs) return
    if (state !== before) sinceMs = nowMs
    before = state
    if (nowMs > giveUpMs) throw new Error('work is still being handed over')
    await delay(pollMs)
  }
}
