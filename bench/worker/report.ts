import type { CpuUse } from '../cpu-use.ts'
import { median, renderCpu, renderRatio, renderTable, sumOfServers } from '../report.ts'
import type { Latency, Percentiles } from './latency.ts'
import type { Subject } from './scenario.ts'
import type { Throughput } from './throughput.ts'

/** The tables that the run ends with, in Markdown. */
export function renderReport({
  throughputs,
  latencies,
}: {
  throughputs: readonly Throughput[]
  latencies: readonly Latency[]
}): string {
  const subjectHead = ['operation', 'queue', 'workers', 'service']
  const cpuHead = ['API', 'worker', 'PostgreSQL', 'Redis', 'client', 'others']
  return [
    ...(throughputs.length === 0
      ? []
      : [
          renderTable(
            [...subjectHead, 'jobs', 'jobs/s', ...cpuHead],
            throughputs.map((t) => [
              ...subjectCells(t),
              String(t.jobs),
              t.jobsPerSecond.toFixed(0),
              ...renderCpu(t.cpuMicroseconds),
            ]),
          ),
          'CPU in microseconds per job.',
          renderTable(
            [
              'operation',
              'queue',
              'workers',
              'jobs/s, ours / straightforward',
              'CPU, straightforward / ours',
            ],
            compare(
              throughputs,
              (t) => [t.operation, t.queue, String(t.workers)],
              (t) => t.jobsPerSecond,
            ),
          ),
        ]),
    ...(latencies.length === 0
      ? []
      : [
          renderTable(
            [
              ...subjectHead,
              'requests/s',
              'answer p50',
              'p99',
              'begun p50',
              'finished p50',
              'p95',
              'p99',
              'max',
              ...cpuHead,
            ],
            latencies.map((l) => [
              ...subjectCells(l),
              String(l.rate),
              ...[l.answer.p50, l.answer.p99, l.begun.p50].map(renderMs),
              ...[l.finished.p50, l.finished.p95, l.finished.p99, l.finished.max].map(renderMs),
              ...renderCpu(l.cpuMicroseconds),
            ]),
          ),
          'Milliseconds: the answer from when its request was due, the job from the answer. CPU in microseconds per request.',
          renderTable(
            [
              'operation',
              'queue',
              'requests/s',
              'finished p50, ours / straightforward',
              'CPU, straightforward / ours',
            ],
            compare(
              latencies,
              (l) => [l.operation, l.queue, String(l.rate)],
              (l) => l.finished.p50,
            ),
          ),
        ]),
  ].join('\n\n')
}

/** One line for a measurement, as soon as it is there. */
export function renderThroughputLine(t: Throughput): string {
  const text = `${t.jobsPerSecond.toFixed(0)} jobs/s (${t.jobs} in ${t.seconds.toFixed(1)} s)`
  return `${nameOf(t)}: ${text}; ${renderUse(t.cpuMicroseconds)}${renderProblems(t.problems)}`
}

export function renderLatencyLine(l: Latency): string {
  const text = [
    `${l.answered} answered, ${renderPercentiles(l.answer)};`,
    `begun ${renderPercentiles(l.begun)}; finished ${renderPercentiles(l.finished)} after the answer`,
  ].join(' ')
  return `${nameOf(l)}, ${l.rate}/s: ${text}; ${renderUse(l.cpuMicroseconds)}${renderProblems(l.problems)}`
}

function subjectCells({ operation, queue, workers, service }: Subject): string[] {
  return [operation, queue, String(workers), service]
}

/** Operation, queue, workers and service. */
export function nameOf(subject: Subject): string {
  return `${subject.operation}, ${subject.queue}, ${subject.workers} × ${subject.service}`
}

function renderUse(use: CpuUse): string {
  const [api, worker, postgres, redis, client, others] = renderCpu(use)
  return `CPU µs API ${api} worker ${worker} PostgreSQL ${postgres} Redis ${redis} client ${client} others ${others}`
}

function renderPercentiles({ p50, p95, p99 }: Percentiles): string {
  return `p50 ${renderMs(p50)} p95 ${renderMs(p95)} p99 ${renderMs(p99)} ms`
}

function renderMs(ms: number): string {
  return ms.toFixed(1)
}

function renderProblems(problems: readonly string[]): string {
  return problems.map((problem) => `\n  WRONG: ${problem}`).join('')
}

/** Of several rounds the median counts. */
function compare<Measured extends Subject & { cpuMicroseconds: CpuUse }>(
  measured: readonly Measured[],
  groupOf: (m: Measured) => string[],
  valueOf: (m: Measured) => number,
): string[][] {
  const groups = new Map(measured.map((m) => [groupOf(m).join(' '), groupOf(m)]))
  return [...groups].map(([key, cells]) => {
    const medianOf = (service: Subject['service'], value: (m: Measured) => number) =>
      median(measured.filter((m) => m.service === service && groupOf(m).join(' ') === key).map(value))
    const cpu = (m: Measured) => sumOfServers(m.cpuMicroseconds)
    return [
      ...cells,
      renderRatio(medianOf('ours', valueOf), medianOf('straightforward', valueOf), '×'),
      renderRatio(medianOf('straightforward', cpu), medianOf('ours', cpu), '×'),
    ]
  })
}
