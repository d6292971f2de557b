import { expect } from 'chai'
import { drawBelow, drawEntry } from '../../../core/box/draw.ts'
import { createProductionGenerator, createSuite, drawsMin } from '../../../tools/rng/suite.ts'
import type { Generator, Verdict } from '../../../tools/rng/suite.ts'

const production = createProductionGenerator(Buffer.alloc(32, 'fixed seed of the suite'))

function judge(generator: Generator, draws = drawsMin): Verdict[] {
  const suite = createSuite(generator)
  suite.run(draws)
  return suite.verdicts()
}

const rejectedBy = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ isRejected }) => isRejected).map(({ name }) => name)

describe('the statistical suite', function () {
  this.timeout(60_000)

  it('finds nothing in the production code, with fixed seeds', () => {
    const verdicts = judge(production)
    expect(rejectedBy(verdicts)).to.deep.equal([])
    expect(verdicts.length).to.be.greaterThan(20)
  })

  it('rejects numbers that are folded back instead of being rejected', () => {
    const modulo: Generator = {
      ...production,
      drawEntry: (entries, source) => {
        const total = entries.reduce((sum, { weight }) => sum + weight, 0n)
        const bits = BigInt((total - 1n).toString(2).length)
        const ticket = (source() >> (64n - bits)) % total
        return drawEntry(entries, () => ticket << (64n - bits))
      },
    }
    expect(rejectedBy(judge(modulo))).to.include.members([
      '10 equal entries: shares',
      'skewed: 1, 2, 3, 10, 84: shares',
      'a prime: 31 equal entries: shares',
    ])
  })

  it('rejects a first entry that is one too heavy', () => {
    const offByOne: Generator = {
      ...production,
      drawEntry: (entries, source) => {
        let ticket = drawBelow(
          entries.reduce((sum, { weight }) => sum + weight, 0n),
          source,
        )
        for (const entry of entries) {
          if (ticket <= entry.weight) return entry
          ticket -= entry.weight
        }
        throw new Error('a ticket beyond the sum of weights')
      },
    }
    expect(rejectedBy(judge(offByOne))).to.include.members([
      '10 equal entries: shares',
      'skewed: 1, 2, 3, 10, 84: shares',
      'a prime: 31 equal entries: shares',
    ])
  })

  it('rejects sequences that come again: a forgotten nonce, a forgotten player, a period of half the draws', () => {
    const forgottenNonce = { ...production, sourceOf: (place: number) => production.sourceOf(place % 1_000) }
    expect(rejectedBy(judge(forgottenNonce))).to.include('raw: serial correlation at lag 1000')
    const forgottenPlayer = {
      ...production,
      sourceOf: (place: number) => production.sourceOf(place - (place % 1_000)),
    }
    expect(rejectedBy(judge(forgottenPlayer))).to.include('raw: serial correlation at lag 1')
    const half = { ...production, sourceOf: (place: number) => production.sourceOf(place % (drawsMin / 2)) }
    expect(rejectedBy(judge(half))).to.include('raw: frequency of the bytes')
  })

  it('rejects numbers of which one bit is set once in fifty times too often', () => {
    let drawn = 0
    const biased: Generator = {
      ...production,
      sourceOf: (place) => {
        const source = production.sourceOf(place)
        return () => (drawn++ % 50 === 0 ? source() | (1n << 63n) : source())
      },
    }
    expect(rejectedBy(judge(biased))).to.deep.equal(['raw: ones at each of the 64 places'])
  })

  it('rejects counts that are more even than chance', () => {
    const turns = new Map<unknown, number>()
    const even: Generator = {
      ...production,
      drawEntry: (entries, source) => {
        source()
        const turn = turns.get(entries) ?? 0
        turns.set(entries, turn + 1)
        const entry = entries[turn % entries.length]
        if (entry === undefined) throw new Error('no entries')
        return entry
      },
    }
    expect(rejectedBy(judge(even))).to.include.members([
      '10 equal entries: shares',
      '1,000 equal entries: shares',
      '10 equal entries: runs above and below the middle',
    ])
  })
})
