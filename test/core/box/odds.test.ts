import { expect } from 'chai'
import fc from 'fast-check'
import { oddsOf, oddsOfFallback } from '../../../core/box/odds.ts'
import type { Odds } from '../../../core/box/odds.ts'

const most = 2n ** 53n - 1n
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

/** The sum of fractions, exactly. */
function sumOf(odds: readonly Odds[]): { numerator: bigint; denominator: bigint } {
  return odds.reduce(
    (sum, each) => {
      const [numerator, denominator] = [BigInt(each.numerator), BigInt(each.denominator)]
      const [top, bottom] = [
        sum.numerator * denominator + numerator * sum.denominator,
        sum.denominator * denominator,
      ]
      const divisor = gcd(top, bottom)
      return { numerator: top / divisor, denominator: bottom / divisor }
    },
    { numerator: 0n, denominator: 1n },
  )
}

const tables = fc.array(fc.bigInt(1n, most / 40n), { minLength: 1, maxLength: 40 })

describe('oddsOf', () => {
  it('gives fractions in lowest terms that sum to exactly one', () => {
    fc.assert(
      fc.property(tables, (weights) => {
        const odds = oddsOf(weights)
        const inLowestTerms = odds.every(
          ({ numerator, denominator }) => gcd(BigInt(numerator), BigInt(denominator)) === 1n,
        )
        const exact = odds.every(
          ({ numerator, denominator }) =>
            Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator),
        )
        const { numerator, denominator } = sumOf(odds)
        return inLowestTerms && exact && numerator === 1n && denominator === 1n
      }),
    )
  })

  it('gives the fallback the odds of entries that are out of stock', () => {
    fc.assert(
      fc.property(tables, fc.uniqueArray(fc.integer({ min: 1, max: 40 })), (weights, soldOut) => {
        const entries = weights.map((weight, index) => ({ position: index + 1, weight }))
        const fallback = oddsOfFallback(entries, new Set(soldOut))
        const gone = sumOf(oddsOf(weights).filter((_, index) => soldOut.includes(index + 1)))
        return (
          gone.numerator === BigInt(fallback.numerator) && gone.denominator === BigInt(fallback.denominator)
        )
      }),
    )
  })

  it('gives percentages that are exact to the last digit of a number', () => {
    const percentages = (...weights: bigint[]) => oddsOf(weights).map(({ percentage }) => percentage)
    expect(percentages(5n)).to.deep.equal([100])
    expect(percentages(7n, 93n)).to.deep.equal([7, 93]) // 0.07 * 100 is 7.000000000000001
    expect(percentages(1n, 2n)).to.deep.equal([100 / 3, 200 / 3])
    expect(percentages(29n, 999_971n)).to.deep.equal([0.0029, 99.9971])
    const [tiny = 0, rest = 0] = percentages(1n, most - 1n)
    expect(tiny).to.equal(1.1102230246251567e-14) // 100 / (2^53 − 1) = 1.11022302462515666…e−14
    expect(rest).to.be.greaterThan(99.9999999999999).and.lessThan(100)
  })

  it('shows a probability as 0 or 1 only when it is exactly that', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, most - 1n), (weight) =>
        oddsOf([weight, most - weight]).every(({ percentage }) => percentage > 0 && percentage < 100),
      ),
    )
  })
})
