import { expect } from 'chai'
import { exitCodes } from '../../core/platform/main-program.ts'
import { exitCodeOf, judge, renderVerdict } from '../../bench/verdict.ts'
import type { Finding } from '../../bench/verdict.ts'

const slow: Finding = { text: 'a list beside 10000: 300 ms', isExceeded: true, othersCores: 0 }
const kept: Finding = { text: 'box beside 10000: 97 % of the throughput', isExceeded: false, othersCores: 0 }
const judged = (findings: readonly Finding[], wrong: readonly string[] = []) => {
  const verdict = judge({ wrong, findings }, 2)
  return { verdict, code: exitCodeOf(verdict), text: renderVerdict(verdict, 'Every bound was kept.') }
}

describe('the verdict of a benchmark', () => {
  it('says that every bound was kept, with exit code 0', () => {
    expect(judged([kept])).to.include({ code: exitCodes.done, text: 'Every bound was kept.' })
  })

  it('names a bound that was exceeded on a quiet machine, with exit code 1', () => {
    const { verdict, code, text } = judged([slow, kept])
    expect(code).to.equal(exitCodes.problemFound)
    expect(verdict).to.deep.include({ wrong: [], unjudged: [] })
    expect(text).to.match(
      /^A bound is exceeded:\n {2}a list beside 10000: 300 ms \(other programs used 0\.0 of 2/,
    )
  })

  it('says that the machine was too busy to judge, with exit code 3, and does not call that exceeded', () => {
    const { verdict, code, text } = judged([{ ...slow, othersCores: 0.5 }])
    expect(code).to.equal(exitCodes.failed)
    expect(verdict.exceeded).to.deep.equal([])
    expect(text).to.match(/^The machine was too busy to judge\. Repeat this on a quiet machine:\n {2}a list/)
  })

  it('does not trust a comparison of a busy machine, even one that keeps its bound', () => {
    expect(judged([{ ...kept, othersCores: 0.5 }]).code).to.equal(exitCodes.failed)
  })

  it('says that the machine changed its speed, with exit code 3, and does not call that exceeded', () => {
    const { verdict, code, text } = judged([{ ...slow, isBySpeed: true }])
    expect(code).to.equal(exitCodes.failed)
    expect(verdict).to.deep.include({ exceeded: [], unjudged: [] })
    expect(text).to.equal(
      'The machine changed its speed, which decided. Repeat this:\n  a list beside 10000: 300 ms',
    )
  })

  it('reports a wrong result with exit code 1, however busy the machine was', () => {
    const { code, text } = judged([{ ...slow, othersCores: 2 }], ['order: 3 jobs did not finish'])
    expect(code).to.equal(exitCodes.problemFound)
    expect(text).to.match(
      /^WRONG, whatever the load:\n {2}order: 3 jobs did not finish\nThe machine was too busy/,
    )
  })
})
