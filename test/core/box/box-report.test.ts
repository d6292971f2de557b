import { expect } from 'chai'
import { reportBox } from '../../../core/box/box-report.ts'
import type { ReportedBox } from '../../../core/box/box-report.ts'
import { findBoxWarnings } from '../../../core/box/box-warnings.ts'
import type { Money } from '../../../core/money.ts'

const now = new Date('2030-01-01T00:00:00Z')

function boxOf(entries: [string, number, (number | null)?][], more: Partial<ReportedBox> = {}): ReportedBox {
  return {
    entries: entries.map(([itemId, weight, stock]) => ({ itemId, weight, stock: stock ?? null })),
    fallbackItemId: null,
    activeFrom: null,
    activeUntil: null,
    ...more,
  }
}

const cashbacks = new Map<string, Money>([
  ['bicycle', { amountMinor: 25_000n, currency: 'EUR' }],
  ['mug', { amountMinor: 500n, currency: 'EUR' }],
  ['hat', { amountMinor: 700n, currency: 'GBP' }],
])
const cashbackOf = (itemId: string) => cashbacks.get(itemId)

describe('the report of a box', () => {
  it('gives the exact odds of each item, with its entries added up', () => {
    const { items } = reportBox(
      boxOf([
        ['mug', 1],
        ['nothing', 4],
        ['mug', 1],
      ]),
      cashbackOf,
    )
    expect(items).to.deep.equal([
      { itemId: 'mug', share: { numerator: 1n, denominator: 3n } },
      { itemId: 'nothing', share: { numerator: 2n, denominator: 3n } },
    ])
  })

  it('expects the cost of an opening by currency', () => {
    const box = boxOf([
      ['bicycle', 1],
      ['mug', 9],
      ['hat', 30],
      ['nothing', 960],
    ])
    expect(reportBox(box, cashbackOf).costPerOpening).to.deep.equal([
      { currency: 'EUR', amountMinor: '29.5' },
      { currency: 'GBP', amountMinor: '21' },
    ])
  })

  it('keeps every digit of amounts and weights at their limits', () => {
    const amountMinor = 2n ** 63n - 1n
    const box = boxOf([
      ['gold', Number.MAX_SAFE_INTEGER - 1],
      ['nothing', 1],
    ])
    const report = reportBox(box, (id) => (id === 'gold' ? { amountMinor, currency: 'EUR' } : null))
    // 2^63 - 1 less 2^63 / (2^53 - 1), which is 1024 and a little.
    expect(report.costPerOpening).to.deep.equal([{ currency: 'EUR', amountMinor: '9223372036854774783' }])
    expect(report.items[0]?.share.numerator).to.equal(9007199254740990n)
  })

  it('counts entries that are out of stock towards the fallback, and gives the cost when all limited ones are', () => {
    const box = boxOf(
      [
        ['bicycle', 1, 0],
        ['hat', 1, 3],
        ['nothing', 8],
      ],
      { fallbackItemId: 'mug' },
    )
    const report = reportBox(box, cashbackOf)
    expect(report.items).to.deep.equal([
      { itemId: 'mug', share: { numerator: 1n, denominator: 10n } },
      { itemId: 'hat', share: { numerator: 1n, denominator: 10n } },
      { itemId: 'nothing', share: { numerator: 4n, denominator: 5n } },
    ])
    expect(report.costPerOpening).to.deep.equal([
      { currency: 'EUR', amountMinor: '50' },
      { currency: 'GBP', amountMinor: '70' },
    ])
    expect(report.costWhenUsedUp).to.deep.equal([{ currency: 'EUR', amountMinor: '100' }])
  })

  it('omits the later cost where nothing is limited, or where the box closes', () => {
    expect(reportBox(boxOf([['mug', 1]], { fallbackItemId: 'nothing' }), cashbackOf).costWhenUsedUp).to.equal(
      null,
    )
    expect(reportBox(boxOf([['mug', 1, 5]]), cashbackOf).costWhenUsedUp).to.equal(null)
  })

  it('estimates when stocks are used up, the first one first', () => {
    const box = boxOf([
      ['bicycle', 1, 5],
      ['mug', 10, 5],
      ['nothing', 89],
    ])
    const { runOuts } = reportBox(box, cashbackOf, { openingsPerDay: 20, now })
    // Negative binomial: mean n / p; deviation √(n (1 − p)) / p.
    expect(runOuts).to.deep.equal([
      {
        position: 2,
        itemId: 'mug',
        stock: 5,
        expectedOpenings: '50',
        standardDeviation: '21.21',
        expectedDays: '2.5',
        expectedAt: new Date('2030-01-03T12:00:00Z'),
      },
      {
        position: 1,
        itemId: 'bicycle',
        stock: 5,
        expectedOpenings: '500',
        standardDeviation: '222.48',
        expectedDays: '25',
        expectedAt: new Date('2030-01-26T00:00:00Z'),
      },
    ])
  })

  it('counts days from the opening of the box, and gives no date in the far future', () => {
    const box = boxOf(
      [
        ['mug', 1, 100],
        ['nothing', Number.MAX_SAFE_INTEGER - 1],
      ],
      { activeFrom: new Date('2031-01-01T00:00:00Z') },
    )
    const [rare] = reportBox(box, cashbackOf, { openingsPerDay: 1, now }).runOuts
    expect(rare).to.include({ expectedDays: '900719925474099100', expectedAt: null })
    const sure = { ...box, entries: [{ itemId: 'mug', weight: 7, stock: 3 }] }
    const [first] = reportBox(sure, cashbackOf, { openingsPerDay: 1, now }).runOuts
    expect(first).to.deep.include({
      expectedOpenings: '3',
      standardDeviation: '0',
      expectedAt: new Date('2031-01-04T00:00:00Z'),
    })
  })
})

describe('the warnings of a box', () => {
  const codesOf = (box: ReportedBox) =>
    findBoxWarnings(box, now).map(({ code, position }) => [code, position])

  it('are absent for an ordinary box', () => {
    const box = boxOf(
      [
        ['bicycle', 1, 5],
        ['nothing', 9],
      ],
      { fallbackItemId: 'nothing', activeUntil: new Date('2031-01-01') },
    )
    expect(codesOf(box)).to.deep.equal([])
    expect(codesOf(boxOf([['mug', 1]]))).to.deep.equal([])
  })

  it('name each entry that can never be won', () => {
    const box = boxOf(
      [
        ['bicycle', 1, 0],
        ['mug', 1, 1],
        ['hat', 1, 0],
      ],
      { fallbackItemId: 'nothing' },
    )
    expect(codesOf(box)).to.deep.equal([
      ['entry_never_won', 1],
      ['entry_never_won', 3],
    ])
  })

  it('say that a box can never be opened', () => {
    expect(codesOf(boxOf([['mug', 1, 0]]))).to.deep.equal([
      ['box_never_opens', 1],
      ['entry_never_won', 1],
      ['closes_when_used_up', null],
    ])
    expect(codesOf(boxOf([['mug', 1]], { activeUntil: now }))).to.deep.equal([['box_never_opens', null]])
  })

  it('name each effect that the fallback does not have', () => {
    expect(codesOf(boxOf([['mug', 1]], { fallbackItemId: 'nothing' }))).to.deep.equal([
      ['fallback_never_given', null],
    ])
    expect(codesOf(boxOf([['mug', 1, 5]]))).to.deep.equal([['closes_when_used_up', null]])
  })

  it('name stock that is expected to run out before the box closes', () => {
    const box = boxOf(
      [
        ['bicycle', 1, 5],
        ['mug', 9, 5],
        ['nothing', 90],
      ],
      { fallbackItemId: 'nothing', activeUntil: new Date('2030-01-10T00:00:00Z') },
    )
    const { runOuts } = reportBox(box, cashbackOf, { openingsPerDay: 10, now })
    expect(findBoxWarnings(box, now, runOuts).map(({ code, position }) => [code, position])).to.deep.equal([
      ['runs_out_early', 2],
    ])
  })
})
