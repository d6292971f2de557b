import { expect } from 'chai'
import { shareAmongCasinos } from '../../../core/webhook/share-among-casinos.ts'

/** Of the form `casino/endpoint`. */
const share = (names: string[], afterCasinoId: string, max: number) =>
  shareAmongCasinos(
    names.map((name) => ({ casinoId: name.split('/')[0] ?? '', name })),
    afterCasinoId,
    max,
  ).map(({ name }) => name)

describe('work of several casinos', () => {
  it('is taken as one endpoint of each casino before a second one of any, in order', () => {
    const names = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1']
    expect(share(names, '', 5)).to.deep.equal(['a/1', 'b/1', 'c/1', 'a/2', 'b/2'])
    expect(share(['a/1', 'a/2', 'a/3'], '', 2)).to.deep.equal(['a/1', 'a/2'])
  })

  it('is taken from every casino in turn when there is not enough room for all', () => {
    const names = ['a/1', 'd/1', 'c/1', 'b/1', 'a/2']
    const turns: string[][] = []
    let after = ''
    for (let turn = 0; turn < 3; turn++) {
      const taken = share(names, after, 2)
      turns.push(taken)
      after = taken.at(-1)?.split('/')[0] ?? ''
    }
    expect(turns).to.deep.equal([
      ['a/1', 'b/1'],
      ['c/1', 'd/1'],
      ['a/1', 'b/1'],
    ])
  })
})
