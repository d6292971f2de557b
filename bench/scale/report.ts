import { median, renderCpu, renderRatio, renderTable, sumOfServers } from '../report.ts'
import type { MeasuredOperation } from './measure-operations.ts'
import type { MeasuredRead } from './measure-reads.ts'
import type { Phase } from './phase.ts'
import type { Sized } from './sized.ts'
import type { Finding } from '../verdict.ts'

/** The share of the smallest size's throughput that an operation must keep. */
const keptMin = 0.9
/** PostgreSQL's CPU for a request may grow by so much more than the API's, which does the same beside each size. */
const moreOfPostgresMax = 1.1
/** A loop takes turns beside operations, so its bound is also that of each statement of a long turn. */
export const boundsMs = { list: 100, scrape: 200, loop: 200 } as const

export function renderSizes(sizes: readonly Pick<Sized, 'size' | 'fillSeconds' | 'bytes'>[]): string {
  return renderTable(
    ['prizes', 'filled in s', 'GB'],
    sizes.map(({ size, fillSeconds, bytes }) => [
      String(size),
      fillSeconds.toFixed(0),
      (bytes / 1e9).toFixed(2),
    ]),
  )
}

/** The tables of a phase. Ratios compare with the smallest size. */
export function renderPhase(sizes: readonly number[], { name, operations, reads }: Phase): string {
  return [
    `Operations and reads ${name}`,
    renderTable(
      [
        'operation',
        'prizes',
        'req/s',
        'ratio',
        'p50 ms',
        'p99 ms',
        'API',
        'worker',
        'PostgreSQL',
        'Redis',
        'CPU ratio',
        'others',
      ],
      compareOperations(operations).map((row) => [
        row.operation,
        String(row.size),
        row.middle.requestsPerSecond.toFixed(0),
        row.kept.toFixed(2),
        row.middle.p50Ms.toFixed(1),
        row.middle.p99Ms.toFixed(1),
        ...renderCpu(row.middle.cpu).slice(0, 4),
        renderRatio(row.cpu, row.cpuOfSmallest, ''),
        row.middle.othersCores.toFixed(1),
      ]),
    ),
    'CPU in microseconds per acknowledged request, with its job. Of several rounds the middle one; the ratio is of the middle ones.',
    renderReads(sizes, reads),
  ].join('\n\n')
}

function renderReads(sizes: readonly number[], reads: readonly MeasuredRead[]): string {
  const of = (what: string, size: number) => reads.find((read) => read.what === what && read.size === size)
  const whats = [...new Set(reads.map(({ what }) => what))]
  return renderTable(
    ['what', ...sizes.flatMap((size) => [`${size}: p50 ms`, 'p99 ms']), 'ratio of p50'],
    whats.map((what) => [
      what,
      ...sizes.flatMap((size) => {
        const read = of(what, size)
        return [read?.p50Ms.toFixed(1) ?? '–', read?.p99Ms.toFixed(1) ?? '–']
      }),
      renderRatio(of(what, sizes.at(-1) ?? 0)?.p50Ms, of(what, sizes[0] ?? 0)?.p50Ms, ''),
    ]),
  )
}

/**
 * The results that exceed their bounds, and the comparisons. Throughput alone decides, as the CPU of a request says nothing
 * about time that is spent waiting: for a lock, the disk, a cold cache. Where only the machine's speed decides, the comparison is not judged.
 */
export function findBounded({ name, operations, reads }: Phase): Finding[] {
  return [
    ...compareOperations(operations)
      .filter(({ size }) => size !== operations[0]?.size)
      .map(({ operation, size, kept, api, postgres, othersCores }) => ({
        text: `${name}, ${operation} beside ${size}: ${(kept * 100).toFixed(0)} % of the throughput${renderCpuRatios({ api, postgres })}`,
        isExceeded: !(kept >= keptMin),
        isBySpeed: isBySpeed({ kept, api, postgres }),
        othersCores,
      })),
    ...reads
      .filter(({ kind, p99Ms }) => p99Ms > boundsMs[kind])
      .map(({ what, size, p99Ms, othersCores }) => ({
        text: `${name}, ${what} beside ${size}: ${p99Ms.toFixed(0)} ms`,
        isExceeded: true,
        othersCores,
      })),
  ]
}

/** Compared with the smallest size; the CPU of a request is unknown where it cannot be read. */
interface Compared {
  kept: number
  api: number | undefined
  postgres: number | undefined
}

/**
 * Whether the result would be another at equal speed, which the API's CPU for a request shows. No excuse for a size that
 * makes PostgreSQL do more.
 */
function isBySpeed({ kept, api, postgres }: Compared): boolean {
  if (api === undefined) return false
  const isKeptAtEqualSpeed = kept * api >= keptMin
  if (kept >= keptMin) return !isKeptAtEqualSpeed
  return isKeptAtEqualSpeed && postgres !== undefined && postgres <= api * moreOfPostgresMax
}

function renderCpuRatios({ api, postgres }: Omit<Compared, 'kept'>): string {
  const render = (who: string, ratio: number | undefined) =>
    ratio === undefined ? '' : `, ${who} took ${ratio.toFixed(2)} times the CPU`
  return render('the API', api) + render('PostgreSQL', postgres)
}

function ratioOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined || other === 0 ? undefined : one / other
}

function compareOperations(operations: readonly MeasuredOperation[]) {
  const [smallest] = operations
  const middleOf = (name: string, size: number) => {
    const rounds = operations.filter((one) => one.operation === name && one.size === size)
    const requestsPerSecond = median(rounds.map((one) => one.requestsPerSecond)) ?? 0
    const middle = rounds.find((one) => one.requestsPerSecond === requestsPerSecond)
    const cpu = median(rounds.map((one) => sumOfServers(one.cpu))) ?? 0
    const othersCores = Math.max(0, ...rounds.map((one) => one.othersCores))
    return { middle, requestsPerSecond, cpu, othersCores }
  }
  const keys = new Map(operations.map((one) => [`${one.operation} ${one.size}`, one]))
  return [...keys.values()]
    .toSorted((one, other) => one.operation.localeCompare(other.operation) || one.size - other.size)
    .flatMap(({ operation, size }) => {
      const { middle, requestsPerSecond, cpu, ...own } = middleOf(operation, size)
      const base = middleOf(operation, smallest?.size ?? size)
      if (middle === undefined) return []
      const kept = requestsPerSecond / base.requestsPerSecond
      const api = ratioOf(middle.cpu.api, base.middle?.cpu.api)
      const postgres = ratioOf(middle.cpu.postgres, base.middle?.cpu.postgres)
      const othersCores = Math.max(own.othersCores, base.othersCores)
      return [{ operation, size, middle, kept, api, postgres, cpu, cpuOfSmallest: base.cpu, othersCores }]
    })
}
