import { cpuPerUnit, readCpuUse } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import { formatNumber } from '../load/load.ts'
import { runSteadyLoad } from '../load/steady.ts'
import { withScenario } from './scenario.ts'
import type { Scenario, ScenarioContext, Subject } from './scenario.ts'

/** Milliseconds. */
export interface Percentiles {
  p50: number
  p95: number
  p99: number
  max: number
}

/** How long after its answer a request's work is done, at a rate that does not depend on the answers. */
export interface Latency extends Subject {
  rate: number
  answered: number
  /** From when the request was due to its answer. */
  answer: Percentiles
  /** From the answer to when a worker began the job. */
  begun: Percentiles
  /** From the answer to the end of the job, which its worker reports after the commit. */
  finished: Percentiles
  /** CPU microseconds per request, with its job. */
  cpuMicroseconds: CpuUse
  problems: readonly string[]
}

export function measureLatency(context: ScenarioContext, subject: Subject, rate: number): Promise<Latency> {
  return withScenario(context, subject, (scenario) => measureAtRate(context, scenario, rate))
}

async function measureAtRate(
  { servers, options, buildDir, runDir }: ScenarioContext,
  { subject, service, operation, database, queueDepth, load, warmUp, tell, findProblems }: Scenario,
  rate: number,
): Promise<Latency> {
  const { seconds } = options
  const before = readCpuUse(servers, service)
  const answers = await runSteadyLoad({ ...load, rate, seconds, first: warmUp.next }, { buildDir, runDir })
  const after = readCpuUse(servers, service)
  await service.assertAlive()
  const { unfinished } = await queueDepth.drain(tell)

  const acknowledged = answers.filter(({ isAcknowledged }) => isAcknowledged)
  const { rows } = await database.query<{ id: string; player_id: string }>(
    `SELECT id, player_id FROM ${operation.table} WHERE casino_id = 'bench'`,
  )
  const playerOf = new Map(rows.map((row) => [row.id, row.player_id]))
  const jobOf = new Map((await queueDepth.readFinishedWorks()).map((job) => [playerOf.get(job.rowId), job]))
  const since = (read: (job: { startedAtMs: number; finishedAtMs: number }) => number) =>
    acknowledged.flatMap((answer) => {
      const job = jobOf.get(`player_${formatNumber(answer.number)}`)
      return job === undefined ? [] : [read(job) - answer.answeredMs]
    })
  return {
    ...subject,
    rate,
    answered: acknowledged.length,
    answer: percentilesOf(acknowledged.map(({ dueMs, answeredMs }) => answeredMs - dueMs)),
    begun: percentilesOf(since((job) => job.startedAtMs)),
    finished: percentilesOf(since((job) => job.finishedAtMs)),
    cpuMicroseconds: cpuPerUnit(before, after, acknowledged.length),
    problems: await findProblems({
      count: acknowledged.length,
      underWayMax: 0, // every request was waited for
      failed: answers.length - acknowledged.length,
      unfinished,
    }),
  }
}

function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
