import type { CpuUse } from '../cpu-use.ts'
import type { OverloadResult } from '../load/overload.ts'
import { median, renderTable } from '../report.ts'
import type { Finding } from '../verdict.ts'

/** The part of the peak that must be left of it under overload. */
const keptMin = 0.95

/** The result of a load, and the CPU time per accepted request, including the cost of refusals. */
export type Measurement = OverloadResult & { cpuMicroseconds: CpuUse }

/**
 * An overload between two peaks. The peak differs by several per cent from one load to the next, since tables grow and the
 * machine changes: one peak alone says too little about the moment of the overload.
 */
export interface Overload {
  before: Measurement
  over: Measurement
  after: Measurement
}

export interface Round {
  /** With callers that send again immediately after any answer. */
  eager: Overload
  /** With callers that wait for as long as a 503 tells them. Its peak before is the one after the eager ones. */
  patient: Overload
}

const rateOf = ({ accepted, seconds }: OverloadResult) => accepted / seconds

const shareOf = ({ before, over, after }: Overload) => rateOf(over) / ((rateOf(before) + rateOf(after)) / 2)

const keptBy = (rounds: readonly Round[], callers: keyof Round) =>
  median(rounds.map((round) => shareOf(round[callers])))

const percent = (share: number) => `${(share * 100).toFixed(0)} %`

/** The table that the run ends with, in Markdown. */
export function renderRounds(rounds: readonly Round[]): string {
  const perSecond = (count: number, { seconds }: OverloadResult) => String(Math.round(count / seconds))
  const micro = (seconds: CpuUse[keyof CpuUse]) => (seconds === undefined ? '?' : seconds.toFixed(0))
  const row = (name: string, result: Measurement, share?: number) => [
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
    share === undefined ? '' : percent(share),
  ]
  const kept = (callers: keyof Round) => {
    const share = keptBy(rounds, callers)
    return share === undefined ? '?' : percent(share)
  }
  const last = rounds.at(-1)
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
        'of the peaks beside it',
      ],
      [
        ...rounds.flatMap(({ eager, patient }) => [
          row('peak', eager.before),
          row('overload, eager callers', eager.over, shareOf(eager)),
          row('peak', patient.before),
          row('overload, callers who wait', patient.over, shareOf(patient)),
        ]),
        ...(last === undefined ? [] : [row('peak', last.patient.after)]),
      ],
    ),
    `accepted under overload, of the peaks before and after it, in the median: ${kept('eager')} and ${kept('patient')}`,
  ].join('\n\n')
}

/** The part of the peak that each kind of callers leaves must reach the bound, in the median of the rounds. */
export function findTooLittle(rounds: readonly Round[]): Finding[] {
  const othersCores = Math.max(
    ...rounds
      .flatMap(({ eager, patient }) => [eager.before, eager.over, eager.after, patient.over, patient.after])
      .map(
        ({ cpuMicroseconds, accepted, seconds }) =>
          ((cpuMicroseconds.others ?? 0) * accepted) / seconds / 1e6,
      ),
  )
  const callers = { eager: 'that send again immediately', patient: 'that wait as told' } as const
  return Object.entries(callers).map(([name, which]) => {
    const share = keptBy(rounds, name as keyof Round) ?? 0
    return {
      text: `beside callers ${which}, ${percent(share)} of the peak was accepted; the bound is ${percent(keptMin)}`,
      isExceeded: !(share >= keptMin),
      othersCores,
    }
  })
}
