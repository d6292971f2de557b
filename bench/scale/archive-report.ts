import { boundOf } from '../neighbours/report.ts'
import type { Percentiles } from '../percentiles.ts'
import { renderTable } from '../report.ts'
import type { Finding } from '../verdict.ts'
import { archivedKinds } from './measure-archive.ts'
import type { MeasuredArchive } from './measure-archive.ts'
import { boundsMs } from './report.ts'

/** The archive's turns and the openings beside it that exceed their bounds. */
export function findSlowArchive({ size, othersCores, ...measured }: MeasuredArchive): Finding[] {
  const { sweeps, idle, alone, beside } = measured
  return [
    ...archivedKinds.map((kind) => ({
      what: `the longest statement of a turn for ${kind}`,
      p99Ms: sweeps[kind].statements.p99Ms,
      boundMs: boundsMs.loop,
    })),
    { what: 'a turn when nothing is due', p99Ms: idle.p99Ms, boundMs: boundsMs.loop },
    { what: 'openings', p99Ms: beside.p99Ms, boundMs: boundOf(alone.p99Ms) },
  ]
    .filter(({ p99Ms, boundMs }) => p99Ms > boundMs)
    .map(({ what, p99Ms, boundMs }) => ({
      text: `the archive beside ${size}: ${what} took ${p99Ms.toFixed(0)} ms, more than ${boundMs.toFixed(0)}`,
      isExceeded: true,
      othersCores,
    }))
}

export function renderArchive(measured: readonly MeasuredArchive[]): string {
  const ms = ({ p50Ms, p99Ms }: Percentiles) => [p50Ms.toFixed(1), p99Ms.toFixed(1)]
  const sweeps = renderTable(
    [
      'archive beside',
      'of',
      'live before',
      'moved',
      'looked at, a second',
      'a turn: p50 ms',
      'p99 ms',
      'its longest statement: p50 ms',
      'p99 ms',
    ],
    measured.flatMap(({ size, live, sweeps: done }) =>
      archivedKinds.map((kind) => [
        String(size),
        kind,
        String(live[kind]),
        String(done[kind].moved),
        (done[kind].lookedAt / done[kind].seconds).toFixed(0),
        ...[done[kind].turns, done[kind].statements].flatMap(ms),
      ]),
    ),
  )
  const around = renderTable(
    [
      'archive beside',
      'months with prizes',
      'nothing due: p50 ms',
      'p99 ms',
      'openings alone: p50 ms',
      'p99 ms',
      'beside it: p50 ms',
      'p99 ms',
    ],
    measured.map((one) => [
      String(one.size),
      String(one.months),
      ...[one.idle, one.alone, one.beside].flatMap(ms),
    ]),
  )
  return `${sweeps}\n\n${around}`
}
