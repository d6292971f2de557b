import { expect } from 'chai'
import type { Measurement } from '../../bench/measure.ts'
import { findBusy } from '../../bench/report.ts'
import { describeQuiet, exitCodeOf, judge } from '../../bench/verdict.ts'
import { exitCodes } from '../../core/platform/main-program.ts'

/** 5,000 requests a second, with so much CPU of other programs for each. */
function measured(others: number | undefined): Measurement {
  const cpu = { api: 1, manage: 0, worker: 1, postgres: 1, redis: 1, client: 1, others }
  return {
    operation: 'order',
    service: 'ours',
    connections: 64,
    round: 1,
    result: { acknowledged: 5_000, failed: 0, seconds: 1, p50Ms: 1, p99Ms: 2 },
    requestsPerSecond: 5_000,
    cpuMicroseconds: cpu,
    cpuMicrosecondsUntilDrained: cpu,
    unfinishedAtEnd: 0,
    drainSeconds: 0,
    problems: [],
  }
}

const verdictOn = (...measurements: Measurement[]) =>
  judge({ wrong: [], findings: findBusy(measurements) }, 2)

describe('the verdict on npm run bench', () => {
  it('names each measurement beside programs that kept a fifth of the processors busy, with exit code 3', () => {
    const verdict = verdictOn(measured(20), measured(200))
    expect(verdict.unjudged).to.deep.equal([
      'order 64 ours, round 1 (other programs used 1.0 of 2 processors)',
    ])
    expect(exitCodeOf(verdict)).to.equal(exitCodes.failed)
  })

  it('calls a machine quiet only if the load of other programs is known', () => {
    expect(exitCodeOf(verdictOn(measured(20)))).to.equal(exitCodes.done)
    expect(describeQuiet([0.1])).to.equal('All checks succeeded, and the machine was quiet.')
    expect(describeQuiet([0.1, undefined])).to.contain('the load of other programs is unknown')
  })
})
