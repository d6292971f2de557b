import type { CpuUse } from '../cpu-use.ts'
import type { OverloadResult } from '../load/overload.ts'
import { median, renderTable } from '../report.ts'
import type { Finding } from '../verdict.ts'

/** The part of the peak that must be left of it under overload. */
const keptMin = 0.95

/** The result of a load, and the CPU time per accepted request, including the cost of refusals. */
export type Measurement = OverloadResult & { cpuMicroseconds: CpuUse }

export interface Round {
  peak: Measurement
  /** With callers that send again immediately after any answer. */
  eager: Measurement
  /** With callers that wait for as long as a 503 tells them. */
  patient: Measurement
}

const shareOf = (over: OverloadResult, peak: OverloadResult) =>
  over.accepted / over.seconds / (peak.accepted / peak.seconds)

const keptBy = (rounds: readonly Round[], over: 'eager' | 'patient') =>
  median(rounds.map((round) => shareOf(round[over], round.peak)))

const percent = (share: number) => `${(share * 100).toFixed(0)} %`

/** The table that the run ends with, in Markdown. */
export function renderRounds(rounds: readonly Round[]): string {
  const perSecond = (count: number, { seconds }: OverloadResult) => String(Math.round(count / seconds))
  const micro = (seconds: CpuUse[keyof CpuUse]) => (seconds === undefined ? '?' : seconds.toFixed(0))
  const row = (name: string, result: Measurement, peak: Measurement) => [
    name,
    perSecond(result.sent + result.unsent, result),
    perSecond(result.sent, result),
    perSecond(result.accepted, result),
    result.acceptedP50Ms.toFixed(1),
    result.acceptedP99Ms.toFixed(1),
    perSecond(result.refused, result),
    result.refusedP50Ms.toFixed(1),
    result.refusedP99Ms.toFixed(1),
    String(result.failed),
    ...(['api', 'postgres', 'client', 'others'] as const).map((who) => micro(result.cpuMicroseconds[who])),
    percent(shareOf(result, peak)),
  ]
  const kept = (over: 'eager' | 'patient') => {
    const share = keptBy(rounds, over)
    return share === undefined ? '?' : percent(share)
  }
  return [
    renderTable(
      [
        'load',
        'offered/s',
        'sent/s',
        'accepted/s',
        'p50 ms',
        'p99 ms',
        'refused/s',
        'p50 ms',
        'p99 ms',
        'failed',
        'CPU µs of api',
        'postgres',
        'client',
        'others',
        'of the peak',
      ],
      rounds.flatMap(({ peak, eager, patient }) => [
        row('peak', peak, peak),
        row('overload, eager callers', eager, peak),
        row('overload, callers who wait', patient, peak),
      ]),
    ),
    `accepted under overload, of the peak, in the median: ${kept('eager')} and ${kept('patient')}`,
  ].join('\n\n')
}

/** The part of the peak that each kind of callers leaves must reach the bound, in the median of the rounds. */
export function findTooLittle(rounds: readonly Round[]): Finding[] {
  const othersCores = Math.max(
    ...rounds
      .flatMap(({ peak, eager, patient }) => [peak, eager, patient])
      .map(
        ({ cpuMicroseconds, accepted, seconds }) =>
          ((cpuMicroseconds.others ?? 0) * accepted) / seconds / 1e6,
      ),
  )
  const callers = { eager: 'that send again immediately', patient: 'that wait as told' } as const
  return Object.entries(callers).map(([name, which]) => {
    const share = keptBy(rounds, name as keyof typeof callers) ?? 0
    return {
      text: `beside callers ${which}, ${percent(share)} of the peak was accepted; the bound is ${percent(keptMin)}`,
      isExceeded: !(share >= keptMin),
      othersCores,
    }
  })
}
