import { expect } from 'chai'
import fc from 'fast-check'
import type { EntryDefinition } from '../../../core/box/box-definition.ts'
import { decidePredecessors } from '../../../core/box/decide-predecessors.ts'
import { runs } from '../../support/runs.ts'

const mugs = (stock: number | null, weight = 1): EntryDefinition => ({ itemId: 'mug', weight, stock })
const caps = (stock: number | null): EntryDefinition => ({ itemId: 'cap', weight: 1, stock })

const matched = (entries: EntryDefinition[], before: EntryDefinition[]) =>
  Object.fromEntries(decidePredecessors(entries, before))

describe('the predecessors of the entries of a new version', () => {
  it('are entries of the same item, both limited', () => {
    expect(matched([mugs(3), caps(4)], [caps(1), mugs(1)])).to.deep.equal({ 1: 2, 2: 1 })
    expect(matched([mugs(null), caps(4)], [mugs(3), caps(null)])).to.deep.equal({})
  })

  it('are equal entries before those of another stock, and those of the same weight before others', () => {
    expect(matched([mugs(5), mugs(2)], [mugs(2), mugs(9)])).to.deep.equal({ 1: 2, 2: 1 })
    expect(matched([mugs(1, 7), mugs(9, 3)], [mugs(9, 7), mugs(1, 3)])).to.deep.equal({ 1: 1, 2: 2 })
  })

  it('are the largest stocks for the largest, and there are none for the smallest when there are too few', () => {
    expect(matched([mugs(1, 2), mugs(8, 3), mugs(4, 4)], [mugs(2, 5), mugs(6, 6)])).to.deep.equal({
      2: 2,
      3: 1,
    })
  })

  it('pass on the same stocks in any order of the entries', () => {
    const entry = fc.record({
      itemId: fc.constantFrom('mug', 'cap'),
      weight: fc.integer({ min: 1, max: 3 }),
      stock: fc.option(fc.integer({ min: 1, max: 3 })),
    })
    const entries = fc.array(entry, { maxLength: 8 })
    const stocksOf = (list: EntryDefinition[], before: EntryDefinition[]) =>
      [...decidePredecessors(list, before)]
        .map(([position, earlier]) => [list[position - 1], before[earlier - 1]])
        .map(([one, other]) => `${one?.itemId} ${one?.stock}: ${other?.itemId} ${other?.stock}`)
        .sort()
    fc.assert(
      fc.property(entries, entries, (list, before) => {
        expect(stocksOf([...list].reverse(), [...before].reverse())).to.deep.equal(stocksOf(list, before))
      }),
      { numRuns: runs(200) },
    )
  })
})
