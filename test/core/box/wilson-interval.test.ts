import { expect } from 'chai'
import fc from 'fast-check'
import { wilsonInterval } from '../../../core/box/wilson-interval.ts'

describe('wilsonInterval', () => {
  it('gives the published values', () => {
    // From R: binom::binom.wilson(x, n), rounded.
    for (const [count, trials, low, high] of [
      [0, 10, 0, 0.2775],
      [1, 10, 0.0179, 0.4042],
      [5, 10, 0.2366, 0.7634],
      [10, 10, 0.7225, 1],
      [31, 310, 0.0713, 0.1385],
    ] as const) {
      const interval = wilsonInterval(count, trials)
      expect(interval?.low, `${String(count)} of ${String(trials)}`).to.be.closeTo(low, 0.00006)
      expect(interval?.high, `${String(count)} of ${String(trials)}`).to.be.closeTo(high, 0.00006)
    }
  })

  it('is absent without a trial', () => {
    expect(wilsonInterval(0, 0)).to.equal(null)
  })

  it('lies between 0 and 1, around the share, and is symmetric', () => {
    const counts = fc
      .integer({ min: 1, max: 1_000_000 })
      .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)))
    fc.assert(
      fc.property(counts, ([count, trials]) => {
        const { low, high } = wilsonInterval(count, trials) ?? { low: NaN, high: NaN }
        const others = wilsonInterval(trials - count, trials)
        expect(low).to.be.within(0, count / trials)
        expect(high).to.be.within(count / trials, 1)
        expect(others?.low).to.be.closeTo(1 - high, 1e-9)
      }),
    )
  })
})
