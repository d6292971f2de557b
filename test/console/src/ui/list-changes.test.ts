import { expect } from 'chai'
import { changesOf, textOfChanges } from '../../../../console/src/ui/list-changes.ts'

interface Row {
  id: string
  state: string
}

const rowsOf = (ids: string, state = 'old'): Row[] => Array.from(ids, (id) => ({ id, state }))
const page = (ids: string, hasMore = false, state?: string) => ({
  data: rowsOf(ids, state),
  ...(hasMore ? { next_cursor: 'next' } : {}),
})
const changes = (
  ...[shown, loaded]: Parameters<typeof changesOf<Row>> extends [infer A, infer B, unknown] ? [A, B] : never
) => changesOf(shown, loaded, ({ id }) => id)
const textOf = (...pages: Parameters<typeof changes>) => textOfChanges(changes(...pages))

describe('the changes of a shown list', () => {
  it('are nothing while the list is the same', () => {
    expect(textOf(page('abc'), page('abc'))).to.equal(undefined)
    expect(textOf(page('abc', true), page('abc', true))).to.equal(undefined)
    expect(textOf(page(''), page(''))).to.equal(undefined)
  })

  it('count the rows above in a list that is newest first, and not those that left the page for the next one', () => {
    expect(textOf(page('cba'), page('edcba'))).to.equal('2 new: show')
    expect(textOf(page('edc', true), page('gfe', true))).to.equal('2 new: show')
  })

  it('count the rows between and after the others in a list that is sorted by name', () => {
    expect(textOf(page('ace'), page('abce'))).to.equal('1 new: show')
    expect(textOf(page('ac'), page('acde'))).to.equal('2 new: show')
    expect(textOf(page('ac', true), page('abc', true))).to.equal('1 new: show')
  })

  it('count no row that came onto the page because another one has left it', () => {
    expect(textOf(page('abc', true), page('bcd', true))).to.equal('1 no longer here: show')
  })

  it('say that there may be more where the whole page is new', () => {
    expect(textOf(page('ba', true), page('ed', true))).to.equal('2+ new: show')
    expect(textOf(page(''), page('ab', true))).to.equal('2+ new: show')
    expect(textOf(page('a'), page('abc', true))).to.equal('2+ new: show')
    expect(textOf(page(''), page('ab'))).to.equal('2 new: show')
  })

  it('count rows that have left the list', () => {
    expect(textOf(page('abc'), page('ac'))).to.equal('1 no longer here: show')
    expect(textOf(page('abc'), page(''))).to.equal('3 no longer here: show')
    expect(textOf(page('abc', true), page('xac', true))).to.equal('1 new, 1 no longer here: show')
  })

  it('keep the shown rows in their places, each as it is now', () => {
    const { rows } = changes(page('abc'), { data: [...rowsOf('xc', 'now'), ...rowsOf('a', 'now')] })
    expect(rows).to.deep.equal([...rowsOf('a', 'now'), ...rowsOf('b'), ...rowsOf('c', 'now')])
  })
})
