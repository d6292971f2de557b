import { expect } from 'chai'
import fc from 'fast-check'
import { decimalOf, minorOf } from '../../../console/src/money.ts'

describe('typed amounts of money', () => {
  const currencies = fc.constantFrom('EUR', 'JPY', 'KWD', 'USD', 'ISK')

  it('are unchanged after they were shown and typed again', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), currencies, (minor, currency) => {
        expect(minorOf(decimalOf(minor, currency), currency)).to.equal(minor)
      }),
    )
  })

  const amounts: [string, string, number | undefined][] = [
    ['12', 'EUR', 1200],
    ['12.5', 'EUR', 1250],
    [' 12.50 ', 'EUR', 1250],
    ['0.07', 'EUR', 7],
    ['1500', 'JPY', 1500],
    ['1.5', 'JPY', undefined],
    ['0.001', 'KWD', 1],
    ['1.234', 'EUR', undefined],
    ['1,50', 'EUR', undefined],
    ['1,000', 'EUR', undefined],
    ['-1', 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    ['', 'EUR', undefined],
    ['.5', 'EUR', undefined],
    ['1', 'Euro', undefined],
    ['90071992547409.91', 'EUR', 9007199254740991],
    ['90071992547409.92', 'EUR', undefined],
  ]
  for (const [text, currency, minor] of amounts)
    it(`are ${minor ?? 'refused'} for "${text}" of ${currency}`, () => {
      expect(minorOf(text, currency)).to.equal(minor)
    })
})
