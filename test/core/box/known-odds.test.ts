import { expect } from 'chai'
import { createKnownOdds, oddsKeyOf } from '../../../core/box/known-odds.ts'
import type { VersionName } from '../../../core/box/known-odds.ts'
import { hashOddsTable } from '../../../core/box/odds-table.ts'
import type { Database } from '../../../core/platform/database.ts'

/** A database in which each version of each box has one entry: an item with the box's name. */
function createTables() {
  const reads: string[][] = []
  const $queryRaw = (_: unknown, { values }: { values: readonly string[] }) => {
    const names = (values[0] ?? '')
      .slice(1, -1)
      .split(',')
      .map((name) => name.slice(1, -1)) // {"a","b"}
    reads.push(names)
    return Promise.resolve(
      names.map((boxId) => ({
        boxId,
        version: 1,
        fallbackItemId: null,
        entries: [{ item_id: boxId, weight: '1', stock: null }],
      })),
    )
  }
  return { reads, database: { $queryRaw } as unknown as Database }
}

const versionOf = (boxId: string, itemId = boxId): VersionName => ({
  casinoId: 'c',
  boxId,
  version: 1,
  oddsHash: hashOddsTable({ entries: [{ itemId, weight: 1, stock: null }], fallbackItemId: null }),
})

describe('the odds that a process keeps', () => {
  it('are read once for each version, a few versions at a time', async () => {
    const { reads, database } = createTables()
    const known = createKnownOdds(database)
    const versions = Array.from({ length: 20 }, (_, n) => versionOf(`box-${n}`))
    expect((await known.load(versions, Infinity)).odds.size).to.equal(20)
    expect((await known.load(versions, Infinity)).odds.size).to.equal(20)
    expect(reads.map((names) => names.length)).to.deep.equal([16, 4])
  })

  it('are read with as many statements as are allowed, and the missing ones are named', async () => {
    const { reads, database } = createTables()
    const known = createKnownOdds(database)
    const versions = Array.from({ length: 20 }, (_, n) => versionOf(`box-${n}`))
    const sizes = []
    for (const statementsMax of [0, 1, 0, 1]) {
      const { odds, unread } = await known.load(versions, statementsMax)
      sizes.push([odds.size, unread.size])
    }
    expect(sizes).to.deep.equal([
      [0, 20],
      [16, 4],
      [16, 4],
      [20, 0],
    ])
    expect(reads.map((names) => names.length)).to.deep.equal([16, 4])
  })

  it('are those that were drawn from recently, as many as fit', async () => {
    const { reads, database } = createTables()
    const known = createKnownOdds(database, 1_100) // bytes: three boxes of one entry
    for (const boxId of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await known.load([versionOf(boxId)], 1)
    expect(reads.flat()).to.deep.equal(['a', 'b', 'c', 'd', 'b'])
  })

  it('are left out and read again when they differ from the published ones', async () => {
    const { reads, database } = createTables()
    const known = createKnownOdds(database)
    const changed = versionOf('a', 'another item')
    for (let n = 0; n < 2; n++) {
      const { odds, unread } = await known.load([changed, versionOf('b')], 1)
      expect([...odds.keys()]).to.deep.equal([oddsKeyOf(versionOf('b'))])
      expect(unread.size).to.equal(0)
    }
    expect(reads).to.deep.equal([['a', 'b'], ['a']])
  })
})
