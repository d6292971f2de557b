import { expect } from 'chai'
import { drawBelow, drawEntry } from '../../../core/box/draw.ts'
import { createProductionGenerator, createSuite, drawsMin } from '../../../tools/rng/suite.ts'
import type { Generator, Verdict } from '../../../tools/rng/suite.ts'
import { weightTables } from '../../../tools/rng/weight-tables.ts'
import { describeInLongForm } from '../../support/runs.ts'

const production = createProductionGenerator(Buffer.alloc(32, 'fixed seed of the suite'))

const rejectedBy = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ isRejected }) => isRejected).map(({ name }) => name)

/** A bad generator shows with fewer draws than all tables need, if the tests choose the tables. */
const fewDraws = 30_000

/** The tests that a generator does not pass. */
function judge(generator: Generator, tableNames: readonly string[], draws = fewDraws): string[] {
  const tables = weightTables.filter(({ name }) => tableNames.includes(name))
  expect(tables).to.have.length(tableNames.length)
  const suite = createSuite(generator, tables)
  suite.run(draws)
  return rejectedBy(suite.verdicts())
}

const [tenEqual, thousandEqual] = ['10 equal entries', '1,000 equal entries']
const noPowerOfTwo = [tenEqual, 'skewed: 1, 2, 3, 10, 84', 'a prime: 31 equal entries']
const sharesOf = (tableNames: readonly string[]) => tableNames.map((name) => `${name}: shares`)

describeInLongForm('the statistical suite', function () {
  this.timeout(60_000)

  it('finds no defect in the production code, with fixed seeds', () => {
    const suite = createSuite(production)
    suite.run(drawsMin)
    const verdicts = suite.verdicts()
    expect(rejectedBy(verdicts)).to.deep.equal([])
    expect(verdicts.length).to.be.greaterThan(20)
  })

  it('rejects numbers that are folded back instead of being discarded', () => {
    const modulo: Generator = {
      ...production,
      drawEntry: (entries, source) => {
        const total = entries.reduce((sum, { weight }) => sum + weight, 0n)
        const bits = BigInt((total - 1n).toString(2).length)
        const ticket = (source() >> (64n - bits)) % total
        return drawEntry(entries, () => ticket << (64n - bits))
      },
    }
    expect(judge(production, noPowerOfTwo)).to.deep.equal([])
    expect(judge(modulo, noPowerOfTwo)).to.include.members(sharesOf(noPowerOfTwo))
  })

  it('rejects draws that give the first entry a weight that is one too large', () => {
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
    expect(judge(offByOne, noPowerOfTwo)).to.include.members(sharesOf(noPowerOfTwo))
  })

  it('rejects repeating sequences: a forgotten nonce, a forgotten player, a period of half the draws', () => {
    const forgottenNonce = { ...production, sourceOf: (place: number) => production.sourceOf(place % 1_000) }
    expect(judge(forgottenNonce, [tenEqual])).to.include('raw: serial correlation at lag 1000')
    const forgottenPlayer = {
      ...production,
      sourceOf: (place: number) => production.sourceOf(place - (place % 1_000)),
    }
    expect(judge(forgottenPlayer, [tenEqual])).to.include('raw: serial correlation at lag 1')
    const half = { ...production, sourceOf: (place: number) => production.sourceOf(place % (fewDraws / 2)) }
    expect(judge(half, [tenEqual])).to.include('raw: frequency of the bytes')
  })

  it('rejects numbers with one bit that is set in one of fifty too often', () => {
    let drawn = 0
    const biased: Generator = {
      ...production,
      sourceOf: (place) => {
        const source = production.sourceOf(place)
        return () => (drawn++ % 50 === 0 ? source() | 1n : source())
      },
    }
    // So small a bias needs more draws. No table uses the last bit.
    expect(judge(biased, [tenEqual], drawsMin)).to.deep.equal(['raw: ones at each of the 64 places'])
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
    expect(judge(even, [tenEqual, thousandEqual])).to.include.members([
      ...sharesOf([tenEqual, thousandEqual]),
      `${tenEqual}: runs above and below the middle`,
    ])
  })
})
