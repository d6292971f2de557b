import { expect } from 'chai'
import fc from 'fast-check'
import { createDraw, drawBelow, drawEntry } from '../../../core/box/draw.ts'
import { createDrawSource } from '../../../core/fairness/derive.ts'

const createSeededSource = (seed: Uint8Array) =>
  createDrawSource(seed, { playerId: 'p', nonce: 1n, clientSeed: null })
const seedOf = (text: string) => Buffer.alloc(32, text)

describe('draw', () => {
  it('stays below the bound, for any bound and seed', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 2n ** 63n),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (bound, seed) => {
          const drawn = drawBelow(bound, createSeededSource(seed))
          return drawn >= 0n && drawn < bound
        },
      ),
    )
  })

  it('draws the same from the same seed, so that a decision can be repeated', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const [a, b] = [createSeededSource(seed), createSeededSource(seed)]
        for (let i = 0; i < 5; i++) expect(drawBelow(1000n, a)).to.equal(drawBelow(1000n, b))
      }),
    )
  })

  it('rejects numbers beyond the bound instead of folding them back', () => {
    // For a bound of 3, two bits are drawn; 3 must be skipped, not taken as 0.
    const numbers = [3n, 3n, 1n].map((value) => value << 62n)
    expect(drawBelow(3n, () => numbers.shift() ?? 0n)).to.equal(1n)
    expect(numbers).to.have.length(0)
  })

  it('gives each entry its share: chi-square over 60,000 draws with fixed seeds', () => {
    const weights = [1n, 2n, 3n, 10n, 84n]
    const entries = weights.map((weight, index) => ({ weight, index }))
    const counts = weights.map(() => 0)
    const draws = 60_000
    const source = createSeededSource(seedOf('chi-square'))
    for (let i = 0; i < draws; i++) {
      const { index } = drawEntry(entries, source)
      counts[index] = (counts[index] ?? 0) + 1
    }
    const chiSquare = counts.reduce((sum, count, index) => {
      const expected = (draws * Number(weights[index])) / 100
      return sum + (count - expected) ** 2 / expected
    }, 0)
    expect(chiSquare).to.be.lessThan(13.28) // 4 degrees of freedom, 99 %
  })

  it('sums the weights once, and picks the same entry as a linear search', () => {
    const weightsOf = fc.array(fc.bigInt(1n, 50n), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(weightsOf, fc.uint8Array({ minLength: 32, maxLength: 32 }), (weights, seed) => {
        const draw = createDraw(weights)
        const [source, same] = [createSeededSource(seed), createSeededSource(seed)]
        for (let n = 0; n < 5; n++) {
          let ticket = drawBelow(
            weights.reduce((sum, weight) => sum + weight, 0n),
            same,
          )
          const looked = weights.findIndex((weight) => {
            ticket -= weight
            return ticket < 0n
          })
          expect(draw(source)).to.equal(looked)
        }
      }),
    )
  })

  it('always picks an entry, also with weights up to the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 2n ** 43n), { minLength: 1, maxLength: 1000 }), (weights) => {
        const entries = weights.map((weight) => ({ weight }))
        expect(entries).to.include(drawEntry(entries, createSeededSource(seedOf('limit'))))
      }),
      { numRuns: 50 },
    )
  })
})
