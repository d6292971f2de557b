import { expect } from 'chai'
import fc from 'fast-check'
import {
  fractionOf,
  renderDecimal,
  renderFraction,
  renderPercent,
  wholeSquareRoot,
} from '../../../core/box/fraction.ts'

describe('fractions', () => {
  it('are in lowest terms', () => {
    expect(renderFraction(fractionOf(6n, 8n))).to.equal('3/4')
    expect(renderFraction(fractionOf(0n, 8n))).to.equal('0/1')
    expect(renderFraction(fractionOf(8n, 8n))).to.equal('1/1')
    expect(renderFraction(fractionOf(2n, 2n ** 53n - 1n))).to.equal('2/9007199254740991')
  })

  it('are rounded half up, without trailing zeros', () => {
    const render = (numerator: bigint, denominator: bigint) => renderDecimal({ numerator, denominator }, 2)
    expect(render(1n, 3n)).to.equal('0.3333') // four digits, although two decimals would do
    expect(render(100n, 3n)).to.equal('33.33')
    expect(render(200n, 3n)).to.equal('66.67')
    expect(render(12_345n, 1_000n)).to.equal('12.35')
    expect(render(25n, 2n)).to.equal('12.5')
    expect(render(1_000n, 1n)).to.equal('1000')
    expect(render(0n, 7n)).to.equal('0')
    expect(render(999_999n, 1_000n)).to.equal('1000')
  })

  it('keep digits of the smallest probabilities', () => {
    expect(renderPercent(fractionOf(1n, 2n ** 53n - 1n))).to.equal('0.0000000000000111')
    expect(renderPercent(fractionOf(1n, 100n))).to.equal('1')
    expect(renderPercent(fractionOf(1n, 3n))).to.equal('33.3333')
  })

  it('have whole square roots that are rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 200n), (square) => {
        const root = wholeSquareRoot(square)
        return root * root <= square && (root + 1n) * (root + 1n) > square
      }),
    )
    for (const square of [0n, 1n, 2n, 3n, 4n, 15n, 16n, 17n]) {
      expect(wholeSquareRoot(square)).to.equal(BigInt(Math.floor(Math.sqrt(Number(square)))))
    }
  })
})
