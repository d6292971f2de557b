import { expect } from 'chai'
import { findBatchProblem, keyOf, toPages } from '../../../../console/src/grants/grant-pages.ts'

describe('the requests for a file of grants', () => {
  const planned = (count: number, given: { player_id?: string; grant_id?: string } = {}) =>
    Array.from({ length: count }, (_, index) => ({
      line: index + 2,
      player_id: 'jane',
      box_id: 'vip',
      count: 1,
      ...given,
    }))

  it('have at most a thousand grants each, in the order of the lines, each with an id of its own', () => {
    const pages = toPages(planned(2_001), 'may')
    expect(pages.map(({ grants }) => grants.length)).to.deep.equal([1_000, 1_000, 1])
    expect(pages.map(({ firstLine, lastLine }) => [firstLine, lastLine])).to.deep.equal([
      [2, 1_001],
      [1_002, 2_001],
      [2_002, 2_002],
    ])
    const ids = pages.flatMap(({ grants }) => grants.map(({ grant_id: id }) => id))
    expect(new Set(ids).size).to.equal(2_001)
    expect(ids[0]).to.equal('may-2')
  })

  it('are smaller when the ids are long, because a body has at most a mebibyte', () => {
    const pages = toPages(planned(1_000, { player_id: '😀'.repeat(64), grant_id: '\\'.repeat(128) }), 'may')
    const largest = Math.max(...pages.map(({ grants }) => Buffer.byteLength(JSON.stringify({ grants }))))
    expect(largest).to.be.below(1_048_576)
    const longer = toPages(planned(1_000, { player_id: '🎲'.repeat(128), grant_id: '"'.repeat(128) }), 'may')
    expect(longer.length).to.be.above(0)
    expect(longer.flatMap(({ grants }) => grants)).to.have.length(1_000)
  })

  it('keep the ids that the file has', () => {
    expect(toPages(planned(1, { grant_id: 'own' }), 'may')[0]?.grants[0]?.grant_id).to.equal('own')
  })

  it('have the same key when the same contents are sent again, and another key otherwise', async () => {
    const keys = async (batch: string) => Promise.all(toPages(planned(1_500), batch).map(keyOf))
    expect(await keys('may')).to.deep.equal(await keys('may'))
    const all = [...(await keys('may')), ...(await keys('june'))]
    expect(new Set(all).size).to.equal(4)
    for (const key of all) expect(key).to.match(/^[\x21-\x7e]{1,255}$/)
  })

  it('need a name for the batch that is valid in ids', () => {
    expect(findBatchProblem('May bonus 2030')).to.equal(undefined)
    for (const name of ['', ' ', ' may', 'x'.repeat(101), 'a\nb'])
      expect(findBatchProblem(name), name).to.be.a('string')
  })
})
