import { cpus } from 'node:os'
import type { Measured } from './beside.ts'
import type { Timed } from './rows.ts'

/** A time that a player does not notice, however much shorter it is without neighbours. */
const unnoticedMs = 100
const timesMax = 3

/** For a p99 beside neighbours. */
export const boundOf = (aloneMs: number) => Math.max(timesMax * aloneMs, unnoticedMs)

/** If it is slower alone, the machine is too busy to show an effect of neighbours. */
const aloneMaxMs = 150
/** The share of the machine that programs outside the benchmark may use. */
const othersMax = 0.2
/** An act that was carried out less often proves nothing. */
const carriedOutMin = 3

/** The problems of a measurement: the act slowed openings, was not carried out, or the machine was too busy. */
export function findProblems({ alone, beside }: Measured): string[] {
  const { act, failed, p99Ms, actStatuses } = beside
  const statuses = Object.entries(actStatuses)
  const carriedOut = statuses.reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0)
  return [
    ...(failed > 0 ? [`${act}: ${failed} openings failed`] : []),
    ...(p99Ms > boundOf(alone.p99Ms) ? [`${act}: over its bound`] : []),
    ...(statuses.length > 0 && carriedOut < carriedOutMin ? [`${act}: was not carried out`] : []),
    ...(isTooBusy({ alone, beside }) ? [`${act}: the machine was too busy to judge`] : []),
  ]
}

function isTooBusy({ alone, beside }: Measured): boolean {
  const others = Math.max(alone.cores.others ?? 0, beside.cores.others ?? 0)
  return alone.p99Ms > aloneMaxMs || others > othersMax * cpus().length
}

/** The reads that take too long with many rows. */
export function findSlow(few: readonly Timed[], many: readonly Timed[]): Timed[] {
  return many.filter(({ what, ms }) => ms > boundOf(few.find((timed) => timed.what === what)?.ms ?? 0))
}

export function renderMeasured(measured: readonly Measured[]): string {
  const line = ({ alone, beside }: Measured) =>
    [
      `| ${beside.act} | ${alone.p50Ms.toFixed(1)} | ${alone.p99Ms.toFixed(1)} | ${beside.count} | ${beside.failed}`,
      `${beside.p50Ms.toFixed(1)} | ${beside.p99Ms.toFixed(1)} | ${boundOf(alone.p99Ms).toFixed(0)}`,
      `${renderStatuses(beside.actStatuses)} |`,
    ].join(' | ')
  return [
    '| act | openings alone: p50 ms | p99 ms | beside it: number | failed | p50 ms | p99 ms | bound of the p99 | answers to the act |',
    `|${' --- |'.repeat(9)}`,
    ...measured.map(line),
  ].join('\n')
}

/** The number of processors that each program kept busy beside each act. */
export function renderCores(measured: readonly Measured[]): string {
  const users = ['api', 'manage', 'worker', 'postgres', 'redis', 'client', 'others'] as const
  return [
    `| processors, beside | ${users.join(' | ')} |`,
    `|${' --- |'.repeat(1 + users.length)}`,
    ...measured.map(({ beside: { act, cores } }) =>
      [`| ${act}`, ...users.map((user) => cores[user]?.toFixed(2) ?? '?')].join(' | ').concat(' |'),
    ),
  ].join('\n')
}

function renderStatuses(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} × ${status === '0' ? 'closed' : status}`)
    .join(', ')
}

export function renderTimed(rows: number, few: readonly Timed[], many: readonly Timed[]): string {
  return [
    `| what | ms with 50,000 rows | ms with ${rows} | ratio |`,
    `|${' --- |'.repeat(4)}`,
    ...many.map(({ what, ms }) => {
      const before = few.find((timed) => timed.what === what)?.ms ?? 0
      return `| ${what} | ${before.toFixed(1)} | ${ms.toFixed(1)} | ${(ms / before).toFixed(1)} |`
    }),
  ].join('\n')
}
