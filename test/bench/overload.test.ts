import { expect } from 'chai'
import { findTooLittle, renderRounds } from '../../bench/overload/report.ts'
import type { Measurement, Round } from '../../bench/overload/report.ts'
import { exitCodeOf, judge } from '../../bench/verdict.ts'
import { exitCodes } from '../../core/platform/main-program.ts'

/** A load of ten seconds, with so many accepted openings, each with so much CPU of other programs. */
function load(accepted: number, others = 10): Measurement {
  const cpuMicroseconds = { api: 100, manage: 0, worker: 0, postgres: 100, redis: 1, client: 100, others }
  return {
    accepted,
    refused: 100,
    failed: 0,
    sent: accepted + 100,
    unsent: 0,
    next: 1,
    seconds: 10,
    acceptedP50Ms: 10,
    acceptedP99Ms: 20,
    refusedP50Ms: 1,
    refusedP99Ms: 2,
    cpuMicroseconds,
  }
}
/** Between peaks of which the second is lower, as those of a run are. */
const round = (peak: number, eager: number, patient: number, others?: number): Round => {
  const [before, after] = [load(peak + 1_000, others), load(peak - 1_000, others)]
  return {
    eager: { before, over: load(eager, others), after },
    patient: { before, over: load(patient, others), after },
  }
}
const verdictOn = (...rounds: Round[]) => judge({ wrong: [], findings: findTooLittle(rounds) }, 2)

describe('the verdict on npm run bench:overload', () => {
  it('is good when 95 % of the peak are accepted in the median of the rounds', () => {
    const rounds = [
      round(50_000, 47_600, 49_000),
      round(50_000, 30_000, 51_000),
      round(50_000, 50_000, 47_500),
    ]
    expect(exitCodeOf(verdictOn(...rounds))).to.equal(exitCodes.done)
    expect(renderRounds(rounds)).to.include('in the median: 95 % and 98 %')
  })

  it('names the callers beside which less was accepted', () => {
    const verdict = verdictOn(
      round(50_000, 48_000, 40_000),
      round(50_000, 48_000, 47_000),
      round(50_000, 1, 50_000),
    )
    expect(verdict.exceeded).to.have.length(1)
    expect(verdict.exceeded[0]).to.include('beside callers that wait as told, 94 % of the peak')
    expect(exitCodeOf(verdict)).to.equal(exitCodes.problemFound)
  })

  it('is none when other programs were busy in any load', () => {
    for (const busy of ['before', 'over', 'after'] as const) {
      for (const callers of ['eager', 'patient'] as const) {
        const [quiet, disturbed] = [round(50_000, 50_000, 50_000), round(50_000, 10_000, 10_000)]
        const busyLoad = { ...disturbed[callers], [busy]: load(50_000, 200) }
        // The peak before the patient callers is the one after the eager ones.
        const eager = callers === 'patient' && busy === 'before' ? { after: busyLoad.before } : {}
        const verdict = verdictOn(quiet, {
          ...disturbed,
          eager: { ...disturbed.eager, ...eager },
          [callers]: busyLoad,
        })
        const which = `${busy} of ${callers}`
        expect([verdict.exceeded.length, verdict.unjudged.length], which).to.deep.equal([0, 2])
        expect(exitCodeOf(verdict), which).to.equal(exitCodes.failed)
      }
    }
  })
})
