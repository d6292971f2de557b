import { exitCodes } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'

/** The share of the machine that programs outside the benchmark may use. */
const othersMax = 0.2

/** A result that exceeds its bound, or that proves nothing if the machine was busy. */
export interface Finding {
  text: string
  isExceeded: boolean
  /** The number of processors that programs outside the benchmark kept busy while it was measured. */
  othersCores: number
  /** The machine changed its speed by so much that it decided. */
  isBySpeed?: boolean
}

export interface Verdict {
  /** Wrong or missing results, which no load explains. */
  wrong: readonly string[]
  /** Bounds that were exceeded although the machine was quiet. */
  exceeded: readonly string[]
  /** Results that other programs may have caused. */
  unjudged: readonly string[]
  /** Results that the machine's speed decided. */
  unsteady: readonly string[]
}

/** Sorts the findings by the load of other programs, and by the machine's speed, while they were measured. */
export function judge(
  { wrong, findings }: { wrong: readonly string[]; findings: readonly Finding[] },
  processors: number,
): Verdict {
  const isBusy = ({ othersCores }: Finding) => othersCores > othersMax * processors
  const isSteady = ({ isBySpeed = false }: Finding) => !isBySpeed
  const quiet = findings.filter((one) => !isBusy(one))
  const render = ({ text, othersCores }: Finding) =>
    `${text} (other programs used ${othersCores.toFixed(1)} of ${processors} processors)`
  return {
    wrong,
    exceeded: quiet.filter((one) => isSteady(one) && one.isExceeded).map(render),
    unjudged: findings.filter(isBusy).map(render),
    unsteady: quiet.filter((one) => !isSteady(one)).map(({ text }) => text),
  }
}

/** A failure of the service counts more than a busy machine. */
export function exitCodeOf({ wrong, exceeded, unjudged, unsteady }: Verdict): ExitCode {
  if (wrong.length > 0 || exceeded.length > 0) return exitCodes.problemFound
  return unjudged.length + unsteady.length > 0 ? exitCodes.failed : exitCodes.done
}

/** The verdict on a run without a problem. Where there is no /proc, nothing says how busy other programs were. */
export function describeQuiet(othersCores: readonly (number | undefined)[]): string {
  const isKnown = othersCores.every((cores) => cores !== undefined)
  return `All checks succeeded, and ${isKnown ? 'the machine was quiet' : 'the load of other programs is unknown'}.`
}

/** `good` is the text when there is nothing to say. */
export function renderVerdict({ wrong, exceeded, unjudged, unsteady }: Verdict, good: string): string {
  const part = (heading: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [`${heading}\n${texts.map((text) => `  ${text}`).join('\n')}`]
  const parts = [
    ...part('WRONG, whatever the load:', wrong),
    ...part('A bound is exceeded:', exceeded),
    ...part('The machine was too busy to judge. Repeat this on a quiet machine:', unjudged),
    ...part('The machine changed its speed, which decided. Repeat this:', unsteady),
  ]
  return parts.length === 0 ? good : parts.join('\n')
}
