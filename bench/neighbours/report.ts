import type { Beside, Fared } from './beside.ts'
import type { Timed } from './rows.ts'

/** What nobody notices, however little it is alone. */
const unnoticedMs = 100
const timesMax = 3

const boundOf = (aloneMs: number) => Math.max(timesMax * aloneMs, unnoticedMs)

/** Whether an opening failed beside the act, or the slowest percent took too long. */
export function isFelt(alone: Fared, beside: Fared): boolean {
  return beside.failed > 0 || beside.p99Ms > boundOf(alone.p99Ms)
}

/** What takes too long with many rows. */
export function findSlow(few: readonly Timed[], many: readonly Timed[]): Timed[] {
  return many.filter(({ what, ms }) => ms > boundOf(few.find((timed) => timed.what === what)?.ms ?? 0))
}

export function renderBeside(alone: Fared, beside: readonly Beside[]): string {
  const line = (name: string, fared: Fared, act: string) =>
    `| ${name} | ${fared.count} | ${fared.failed} | ${fared.p50Ms.toFixed(1)} | ${fared.p99Ms.toFixed(1)} | ${(fared.p99Ms / alone.p99Ms).toFixed(1)} | ${act} |`
  const statuses = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([status, count]) => `${count} × ${status === '0' ? 'closed' : status}`)
      .join(', ')
  return [
    '| openings beside | number | failed | p50 ms | p99 ms | p99, times alone | answers to the act |',
    `|${' --- |'.repeat(7)}`,
    line('nothing', alone, ''),
    ...beside.map((each) => line(each.act, each, statuses(each.actStatuses))),
    '',
    `Bound of the p99: ${boundOf(alone.p99Ms).toFixed(0)} ms.`,
  ].join('\n')
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
