import type { DrawCost } from './draw-cost.ts'
import type { CpuUse } from './cpu-use.ts'
import type { Measurement } from './measure.ts'
import { isOpening } from './operations.ts'
import type { OperationName } from './operations.ts'
import type { ServiceName } from './services.ts'
import type { Finding } from './verdict.ts'

/** The tables that the run ends with, in Markdown. */
export function renderReport(measurements: readonly Measurement[], drawCost: DrawCost | undefined): string {
  return [
    renderTable(
      [
        'operation',
        'conn.',
        'service',
        'req/s',
        'p50 ms',
        'p99 ms',
        'API',
        'worker',
        'PostgreSQL',
        'Redis',
        'client',
        'others',
        'jobs behind',
        'drained in s',
      ],
      measurements.map((m) => [
        m.operation,
        String(m.connections),
        m.service,
        m.requestsPerSecond.toFixed(0),
        m.result.p50Ms.toFixed(1),
        m.result.p99Ms.toFixed(1),
        ...renderCpu(m.cpuMicroseconds),
        String(m.unfinishedAtEnd),
        m.drainSeconds.toFixed(1),
      ]),
    ),
    'CPU in microseconds per acknowledged request, while the load ran.',
    renderTable(
      [
        'operation',
        'conn.',
        'ours / straightforward',
        'ours / no database',
        'p99 of ours / p50 of straightforward',
        'CPU of straightforward / ours until drained',
      ],
      compare(measurements),
    ),
    ...renderCostOfProof(measurements, drawCost),
  ].join('\n\n')
}

/** One line for a measurement, as soon as it is there. */
export function renderLine(m: Measurement): string {
  const cpu = renderCpu(m.cpuMicroseconds)
  return [
    `${m.operation} ${m.connections} ${m.service}:`,
    `${m.requestsPerSecond.toFixed(0)} req/s,`,
    `p50 ${m.result.p50Ms.toFixed(1)} ms, p99 ${m.result.p99Ms.toFixed(1)} ms;`,
    `CPU µs API ${cpu[0]} worker ${cpu[1]} PostgreSQL ${cpu[2]} Redis ${cpu[3]} client ${cpu[4]} others ${cpu[5]};`,
    `${m.unfinishedAtEnd} jobs behind, drained in ${m.drainSeconds.toFixed(1)} s`,
    ...m.problems.map((problem) => `\n  WRONG: ${problem}`),
  ].join(' ')
}

/** The load of other programs during each measurement. There are no bounds: the results are ratios. */
export function findBusy(measurements: readonly Measurement[]): Finding[] {
  return measurements.map((m) => ({
    text: nameOf(m),
    isExceeded: false,
    othersCores: ((m.cpuMicroseconds.others ?? 0) * m.requestsPerSecond) / 1e6,
  }))
}

export function nameOf({ operation, connections, service, round }: Measurement): string {
  return `${operation} ${connections} ${service}, round ${round}`
}

/** Of several rounds the median counts. */
function compare(measurements: readonly Measurement[]): string[][] {
  return listLoads(measurements).map(({ operation, connections, medianOf }) => {
    const speed = (service: ServiceName) => medianOf(service, (m) => m.requestsPerSecond)
    const cpu = (service: ServiceName) =>
      medianOf(service, (m) => sumOfServers(m.cpuMicrosecondsUntilDrained))
    return [
      operation,
      String(connections),
      renderRatio(speed('ours'), speed('straightforward'), '×'),
      renderRatio(speed('ours'), speed('no-database'), '×'),
      renderRatio(
        medianOf('ours', (m) => m.result.p99Ms),
        medianOf('straightforward', (m) => m.result.p50Ms),
        '',
      ),
      renderRatio(cpu('straightforward'), cpu('ours'), '×'),
    ]
  })
}

/** The part of an opening's cost that makes it verifiable. */
function renderCostOfProof(measurements: readonly Measurement[], drawCost: DrawCost | undefined): string[] {
  if (drawCost === undefined) return []
  const rows = listLoads(measurements.filter((m) => isOpening(m.operation))).map(
    ({ operation, connections, medianOf }) => {
      const speed = (service: ServiceName) => medianOf(service, (m) => m.requestsPerSecond)
      const api = (service: ServiceName) => medianOf(service, (m) => m.cpuMicroseconds.api ?? 0)
      const postgres = (service: ServiceName) => medianOf(service, (m) => m.cpuMicroseconds.postgres ?? 0)
      const cpu = medianOf('ours', (m) => sumOfServers(m.cpuMicroseconds))
      return [
        operation,
        String(connections),
        renderRatio(speed('ours'), speed('without-proof'), '×'),
        `${renderCount(api('ours'))} / ${renderCount(api('without-proof'))}`,
        `${renderCount(postgres('ours'))} / ${renderCount(postgres('without-proof'))}`,
        renderRatio((drawCost.provable - drawCost.atRandom) * 100, cpu, ' %'),
      ]
    },
  )
  return [
    `What the proof costs: a draw takes ${drawCost.provable.toFixed(2)} µs of CPU from HMAC-SHA256 and ${drawCost.atRandom.toFixed(2)} µs from the system's random source.`,
    renderTable(
      [
        'operation',
        'conn.',
        'ours / without proof',
        'API µs, ours / without',
        'PostgreSQL µs, ours / without',
        'HMAC of the CPU of an opening',
      ],
      rows,
    ),
  ]
}

interface MeasuredLoad {
  operation: OperationName
  connections: number
  /** Undefined when the service was not measured under this load. */
  medianOf: (service: ServiceName, value: (m: Measurement) => number) => number | undefined
}

/** Every operation with every number of connections, once. */
function listLoads(measurements: readonly Measurement[]): MeasuredLoad[] {
  const loads = new Map(measurements.map((m) => [`${m.operation} ${m.connections}`, m]))
  return [...loads.values()].map(({ operation, connections }) => ({
    operation,
    connections,
    medianOf: (service, value) =>
      median(
        measurements
          .filter((m) => m.service === service && m.operation === operation)
          .filter((m) => m.connections === connections)
          .map(value),
      ),
  }))
}

function renderCount(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(0)
}

export function sumOfServers({ api, worker, postgres, redis }: CpuUse): number {
  return (api ?? 0) + (worker ?? 0) + (postgres ?? 0) + (redis ?? 0)
}

export function renderRatio(part: number | undefined, whole: number | undefined, unit: string): string {
  return part === undefined || whole === undefined || whole === 0
    ? '–'
    : `${(part / whole).toFixed(2)}${unit}`
}

export function renderCpu(use: CpuUse): [string, string, string, string, string, string] {
  return [
    renderCount(use.api),
    renderCount(use.worker),
    renderCount(use.postgres),
    renderCount(use.redis),
    renderCount(use.client),
    renderCount(use.others),
  ]
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
