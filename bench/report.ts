import type { CpuUse, Measurement } from './measure.ts'
import type { ServiceName } from './services.ts'

/** The tables that the run ends with, in Markdown. */
export function renderReport(measurements: readonly Measurement[]): string {
  return [
    renderTable(
      [
        ...['operation', 'conn.', 'service', 'req/s', 'p50 ms', 'p99 ms'],
        ...['API', 'worker', 'PostgreSQL', 'Redis', 'client', 'others', 'jobs behind', 'drained in s'],
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
        ...['operation', 'conn.', 'ours / straightforward', 'ours / no database'],
        ...['p99 of ours / p50 of straightforward', 'CPU of straightforward / ours until drained'],
      ],
      compare(measurements),
    ),
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

/** Of several rounds the median counts. */
function compare(measurements: readonly Measurement[]): string[][] {
  const keys = [...new Set(measurements.map(({ operation, connections }) => `${operation} ${connections}`))]
  return keys.map((key) => {
    const [operation = '', connections = ''] = key.split(' ')
    const medianOf = (service: ServiceName, value: (m: Measurement) => number) =>
      median(
        measurements
          .filter((m) => m.service === service && m.operation === operation)
          .filter((m) => m.connections === Number(connections))
          .map(value),
      )
    const speed = (service: ServiceName) => medianOf(service, (m) => m.requestsPerSecond)
    const cpu = (service: ServiceName) =>
      medianOf(service, (m) => sumOfServers(m.cpuMicrosecondsUntilDrained))
    return [
      operation,
      connections,
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

function sumOfServers({ api, worker, postgres, redis }: CpuUse): number {
  return (api ?? 0) + (worker ?? 0) + (postgres ?? 0) + (redis ?? 0)
}

function renderRatio(part: number | undefined, whole: number | undefined, unit: string): string {
  return part === undefined || whole === undefined || whole === 0
    ? '–'
    : `${(part / whole).toFixed(2)}${unit}`
}

function renderCpu(use: CpuUse): [string, string, string, string, string, string] {
  const render = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(0))
  return [
    render(use.api),
    render(use.worker),
    render(use.postgres),
    render(use.redis),
    render(use.client),
    render(use.others),
  ]
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
