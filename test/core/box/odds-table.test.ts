import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { canonicalOddsTable, hashOddsTable } from '../../../core/box/odds-table.ts'

const table = {
  entries: [
    { itemId: 'mug', weight: 3n, stock: 5 },
    { itemId: 'Überraschung "1"', weight: 9_007_199_254_740_991, stock: null },
  ],
  fallbackItemId: 'nothing',
}

describe('an odds table', () => {
  it('has one canonical form, and its hash is the hash of that text', () => {
    const text =
      '{"entries":[{"item_id":"mug","stock":5,"weight":3},' +
      '{"item_id":"Überraschung \\"1\\"","stock":null,"weight":9007199254740991}],"fallback_item_id":"nothing"}'
    expect(canonicalOddsTable(table)).to.equal(text)
    expect(hashOddsTable(table)).to.equal(createHash('sha256').update(text, 'utf8').digest('hex'))
  })

  it('has another hash whenever any part of it is different', () => {
    const entry = fc.record({
      itemId: fc.string({ minLength: 1, maxLength: 5 }),
      weight: fc.integer({ min: 1, max: 5 }),
      stock: fc.option(fc.nat(3)),
    })
    const tables = fc.record({
      entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
      fallbackItemId: fc.option(fc.string({ minLength: 1, maxLength: 5 })),
    })
    fc.assert(
      fc.property(tables, tables, (a, b) => {
        const isSame = canonicalOddsTable(a) === canonicalOddsTable(b)
        return (hashOddsTable(a) === hashOddsTable(b)) === isSame
      }),
    )
  })
})
