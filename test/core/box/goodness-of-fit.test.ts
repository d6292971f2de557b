import { expect } from 'chai'
import { chiSquarePValue, testFit } from '../../../core/box/goodness-of-fit.ts'

describe('goodness of fit', () => {
  it('gives the p-values of the published tables', () => {
    // Critical values: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4.
    for (const [chiSquare, degreesOfFreedom, pValue] of [
      [3.841, 1, 0.05],
      [6.635, 1, 0.01],
      [13.277, 4, 0.01],
      [18.307, 10, 0.05],
      [149.449, 100, 0.001],
    ] as const) {
      expect(chiSquarePValue(chiSquare, degreesOfFreedom)).to.be.closeTo(pValue, pValue / 500)
    }
    // With two degrees of freedom it is e^(-x/2).
    expect(chiSquarePValue(4, 2)).to.be.closeTo(Math.exp(-2), 1e-12)
  })

  it('stays between 0 and 1 at both ends and for very many cells', () => {
    expect(chiSquarePValue(0, 5)).to.equal(1)
    expect(chiSquarePValue(1e9, 5)).to.equal(0)
    expect(chiSquarePValue(1e5, 99_999)).to.be.closeTo(0.5, 0.01)
  })

  it('computes Pearson’s statistic', () => {
    // 60 throws of a die.
    const fit = testFit([5, 8, 9, 8, 10, 20], [1n, 1n, 1n, 1n, 1n, 1n])
    expect(fit?.chiSquare).to.be.closeTo(13.4, 1e-9)
    expect(fit?.degreesOfFreedom).to.equal(5)
    expect(fit?.pValue).to.be.closeTo(0.0199, 0.0001)
  })

  it('adds rare entries up, because the distribution does not hold for them', () => {
    const fit = testFit([2, 1, 0, 97], [1n, 1n, 1n, 97n])
    expect(fit).to.equal(null) // 3 of 100 are expected: too few for a cell of their own
    const more = testFit([30, 10, 20, 940], [10n, 20n, 3n, 967n])
    expect(more?.degreesOfFreedom).to.equal(2) // 3 and 10 of 1,000 together
  })

  it('gives no result for a single entry, or without draws', () => {
    expect(testFit([100], [7n])).to.equal(null)
    expect(testFit([0, 0], [1n, 1n])).to.equal(null)
  })
})
