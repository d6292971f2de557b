import { expect } from 'chai'
import type { MeasuredOperation } from '../../bench/scale/measure-operations.ts'
import type { MeasuredRead } from '../../bench/scale/measure-reads.ts'
import { findBounded } from '../../bench/scale/report.ts'
import { exitCodeOf, judge } from '../../bench/verdict.ts'
import { exitCodes } from '../../core/platform/main-program.ts'

const cpu = { api: 176, manage: 0, worker: 5, postgres: 117, redis: 1, client: 80, others: 0 }

/** An opening in one round; the CPU of a request is the same beside every size. */
function opened(
  size: number,
  requestsPerSecond: number,
  othersCores = 0,
  changed: Partial<typeof cpu> = {},
): MeasuredOperation {
  const times = { p50Ms: 13, p99Ms: 28 }
  const used = { ...cpu, ...changed }
  return { size, operation: 'box', requestsPerSecond, ...times, cpu: used, othersCores, problems: [] }
}

function judged(operations: readonly MeasuredOperation[], reads: readonly MeasuredRead[] = []) {
  const findings = findBounded({ name: 'before the archive', operations, reads })
  const verdict = judge({ wrong: [], findings }, 2)
  return { ...verdict, code: exitCodeOf(verdict) }
}

describe('the bounds of bench:scale', () => {
  it('are exceeded by an operation that waits, though its requests take no more CPU', () => {
    const { exceeded, code } = judged([opened(10_000, 4_413), opened(10_000_000, 400)])
    expect(exceeded).to.deep.equal([
      'before the archive, box beside 10000000: 9 % of the throughput, the API took 1.00 times the CPU, PostgreSQL took 1.00 times the CPU (other programs used 0.0 of 2 processors)',
    ])
    expect(code).to.equal(exitCodes.problemFound)
  })

  it('let an operation keep 90 % of the throughput beside the smallest size, and not less', () => {
    expect(judged([opened(10_000, 1_000), opened(1_000_000, 900)]).code).to.equal(exitCodes.done)
    expect(judged([opened(10_000, 1_000), opened(1_000_000, 899)]).exceeded).to.have.length(1)
  })

  it('are exceeded when nothing is answered', () => {
    expect(judged([opened(10_000, 0), opened(1_000_000, 0)]).exceeded).to.have.length(1)
  })

  describe('where the machine changes its speed, which the CPU of the API shows', () => {
    const beside = (throughput: number, api: number, postgres: number) =>
      judged([opened(10_000, 1_000), opened(1_000_000, throughput, 0, { api, postgres })])

    it('are not judged if that decides, for or against a size', () => {
      for (const seen of [beside(700, 250, 165), beside(950, 120, 80)]) {
        expect(seen).to.deep.include({ exceeded: [], unjudged: [], code: exitCodes.failed })
        expect(seen.unsteady).to.have.length(1)
      }
    })

    it('are judged if that does not decide', () => {
      expect(beside(700, 190, 126).exceeded).to.have.length(1)
      expect(beside(950, 180, 120).code).to.equal(exitCodes.done)
    })

    it('are exceeded by a size that makes PostgreSQL do more', () => {
      expect(beside(700, 250, 200).exceeded).to.have.length(1)
    })

    it('are judged by the rounds that are compared, and without the CPU where it is unknown', () => {
      const rounds = [950, 700, 600].map((throughput) =>
        opened(1_000_000, throughput, 0, { api: throughput === 700 ? 176 : 250 }),
      )
      expect(judged([opened(10_000, 1_000), ...rounds]).exceeded).to.have.length(1)
      const unknown = opened(10_000, 1_000, 0, { api: 0, postgres: 0 })
      expect(judged([unknown, opened(1_000_000, 700)]).exceeded).to.deep.equal([
        'before the archive, box beside 1000000: 70 % of the throughput (other programs used 0.0 of 2 processors)',
      ])
    })
  })

  it('compare the middle rounds', () => {
    const rounds = (size: number, throughputs: readonly number[]) =>
      throughputs.map((throughput) => opened(size, throughput))
    const smallest = rounds(10_000, [1_000, 1_010, 500])
    expect(judged([...smallest, ...rounds(1_000_000, [100, 950, 940])]).exceeded).to.deep.equal([])
    expect(judged([...smallest, ...rounds(1_000_000, [100, 950, 800])]).exceeded).to.have.length(1)
  })

  for (const [place, smallest, larger] of [
    ['the smallest size', 0.5, 0],
    ['the larger size', 0, 0.5],
  ] as const) {
    for (const throughput of [1_000, 400]) {
      it(`are not judged for ${throughput} of 1,000 requests a second when a round of ${place} had busy neighbours`, () => {
        const { exceeded, unjudged, code } = judged([
          opened(10_000, 1_000),
          opened(10_000, 1_000, smallest),
          opened(1_000_000, throughput),
          opened(1_000_000, throughput, larger),
        ])
        expect(exceeded).to.deep.equal([])
        expect(unjudged).to.have.length(1)
        expect(code).to.equal(exitCodes.failed)
      })
    }
  }

  for (const [kind, boundMs] of [
    ['list', 100],
    ['scrape', 200],
    ['loop', 200],
  ] as const) {
    it(`let a ${kind} have a p99 of ${boundMs} ms, and not more`, () => {
      const read = { size: 10_000, what: kind, kind, p50Ms: 1, othersCores: 0 }
      expect(judged([], [{ ...read, p99Ms: boundMs }]).code).to.equal(exitCodes.done)
      expect(judged([], [{ ...read, p99Ms: boundMs + 1 }]).exceeded).to.have.length(1)
      expect(judged([], [{ ...read, p99Ms: boundMs + 1, othersCores: 0.5 }]).unjudged).to.have.length(1)
    })
  }
})
