import type { CpuUse } from '../cpu-use.ts'
import { median, renderCpu, renderTable } from '../report.ts'
import type { Finding } from '../verdict.ts'

export interface Burst {
  requestsPerSecond: number
  p99Ms: number
  /** CPU microseconds per acknowledged request, until its work was done. */
  cpuMicroseconds: CpuUse
  /** The number of processors that other programs kept busy meanwhile; undefined where it cannot be read. */
  othersCores: number | undefined
}

/** The bursts of one form of the code, in order. */
export interface Bursts {
  name: string
  bursts: Burst[]
}

/** The others in proportion to the first one, pair by pair. */
export interface Ratio {
  median: number
  mean: number
  standardError: number
}

/** Of the answers a second. The machine's speed changes between bursts, but hardly within a pair. */
export function ratioOf(first: readonly Burst[], other: readonly Burst[]): Ratio {
  const ratios = other.flatMap((burst, index) => {
    const before = first[index]
    return before === undefined ? [] : [burst.requestsPerSecond / before.requestsPerSecond]
  })
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const squares = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0)
  const standardError = Math.sqrt(squares / (ratios.length - 1) / ratios.length)
  return { median: median(ratios) ?? Number.NaN, mean, standardError }
}

export function renderBursts(all: readonly Bursts[]): string {
  const [first] = all
  return renderTable(
    [
      'service',
      'req/s',
      'p99 ms',
      'API',
      'worker',
      'PostgreSQL',
      'Redis',
      'client',
      'others',
      'answers, of the first',
    ],
    all.map(({ name, bursts }) => [
      name,
      render(median(bursts.map(({ requestsPerSecond }) => requestsPerSecond)), 0),
      render(median(bursts.map(({ p99Ms }) => p99Ms)), 1),
      ...renderCpu(medianUse(bursts)),
      first === undefined || first.name === name ? '' : renderRatioOf(ratioOf(first.bursts, bursts)),
    ]),
  )
}

/** The load of other programs during each burst. There are no bounds. */
export function findBusyBursts(all: readonly Bursts[]): Finding[] {
  return all.flatMap(({ name, bursts }) =>
    bursts.map(({ othersCores = 0 }, index) => ({
      text: `${name}, burst ${index + 1}`,
      isExceeded: false,
      othersCores,
    })),
  )
}

function medianUse(bursts: readonly Burst[]): CpuUse {
  const of = (who: keyof CpuUse) =>
    median(bursts.flatMap(({ cpuMicroseconds }) => cpuMicroseconds[who] ?? []))
  return {
    api: of('api'),
    manage: of('manage'),
    worker: of('worker'),
    postgres: of('postgres'),
    redis: of('redis'),
    client: of('client'),
    others: of('others'),
  }
}

function renderRatioOf({ median: middle, mean, standardError }: Ratio): string {
  return `${middle.toFixed(3)} (mean ${mean.toFixed(3)} ± ${standardError.toFixed(3)})`
}

function render(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}
