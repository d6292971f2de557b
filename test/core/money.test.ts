import { expect } from 'chai'
import fc from 'fast-check'
import { formatMoney } from '../../core/money.ts'

describe('an amount of money for display', () => {
  it('has the decimals that ISO 4217 gives its currency', () => {
    const cases = [
      ['63', 'EUR', '0.63 EUR'],
      ['500', 'EUR', '5.00 EUR'],
      ['123456789', 'USD', '1234567.89 USD'],
      ['5', 'GBP', '0.05 GBP'],
      ['0', 'EUR', '0.00 EUR'],
      ['-7', 'EUR', '-0.07 EUR'],
      ['63', 'JPY', '63 JPY'],
      ['1', 'KWD', '0.001 KWD'],
      ['12345', 'BHD', '12.345 BHD'],
      ['12345', 'CLF', '1.2345 CLF'],
      ['7', 'HUF', '0.07 HUF'], // two by ISO 4217, although nobody has coins of them
      ['7', 'XAU', '7 XAU'], // no smaller unit
      ['9007199254740993', 'EUR', '90071992547409.93 EUR'],
    ] as const
    for (const [amountMinor, currency, expected] of cases) {
      expect(formatMoney({ amountMinor: BigInt(amountMinor), currency })).to.equal(expected)
    }
  })

  it('keeps the digits of an average below the smallest unit', () => {
    expect(formatMoney({ amountMinor: '124.5', currency: 'EUR' })).to.equal('1.245 EUR')
    expect(formatMoney({ amountMinor: '0.0025', currency: 'EUR' })).to.equal('0.000025 EUR')
    expect(formatMoney({ amountMinor: '0.5', currency: 'JPY' })).to.equal('0.5 JPY')
    expect(formatMoney({ amountMinor: '300', currency: 'EUR' })).to.equal('3.00 EUR')
  })

  it('equals the amount when its point is removed, for any amount and currency', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'UYI', 'ISK', 'TND', 'CHF')
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n), currency, (amountMinor, code) => {
        const [text = '', unit] = formatMoney({ amountMinor, currency: code }).split(' ')
        expect(unit).to.equal(code)
        expect(text).to.match(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect(BigInt(text.replace('.', ''))).to.equal(amountMinor)
      }),
    )
  })
})
