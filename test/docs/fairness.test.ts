import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { drawEntry } from '../../core/box/draw.ts'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { commitmentOf, createDrawSource } from '../../core/fairness/derive.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/fairness.md'), 'utf8')

describe('docs/fairness.md', () => {
  const [, seedHex = '', commitment] =
    /The seed is `([0-9a-f]{64})`, its commitment `([0-9a-f]{64})`/.exec(text) ?? []
  const seed = Buffer.from(seedHex, 'hex')

  it('has the commitment of its seed and the hash of its odds table', () => {
    expect(commitment).to.equal(commitmentOf(seed))
    const table = {
      entries: [
        { itemId: 'mug', weight: 3, stock: 5 },
        { itemId: 'cap', weight: 7, stock: null },
      ],
      fallbackItemId: 'nothing',
    }
    expect(text).to.include(`Its hash is \`${hashOddsTable(table)}\``)
  })

  it('has test vectors that the service draws', () => {
    const rows = [...text.matchAll(/^\| `(.+?)` +\| (\d+) +\| ([\d, ]+?) +\| `([0-9a-f]{16})` \| (\d+)/gm)]
    expect(rows.length).to.be.greaterThan(4)
    for (const [, playerId = '', nonce = '', weights = '', number, position] of rows) {
      const input = { playerId, nonce: BigInt(nonce), clientSeed: null }
      expect(createDrawSource(seed, input)().toString(16).padStart(16, '0')).to.equal(number)
      const entries = weights
        .split(',')
        .map((weight, index) => ({ weight: BigInt(weight.trim()), position: index + 1 }))
      expect(drawEntry(entries, createDrawSource(seed, input)).position).to.equal(Number(position))
    }
  })
})
