import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { drawEntry } from '../../../core/box/draw.ts'
import { commitmentOf, createDrawSource } from '../../../core/fairness/derive.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { draw } from '../../../tools/verify.mjs'

const verifierDraw = draw as (seed: Uint8Array, playerId: string, nonce: bigint, weights: bigint[]) => number

describe('derivation of outcomes', () => {
  it('is the published one', () => {
    const seed = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex')
    const source = createDrawSource(seed, { playerId: 'player "1"', nonce: 7n, clientSeed: null })
    const expected = (counter: number) =>
      createHmac('sha256', seed).update(`["player \\"1\\"",7,${counter}]`).digest().readBigUInt64BE(0)
    expect([source(), source()]).to.deep.equal([expected(0), expected(1)])
    expect(commitmentOf(seed)).to.match(/^[0-9a-f]{64}$/)
  })

  it('gives what the independent verifier gives, for any seed, player, nonce and table', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 }),
        fc.bigInt(1n, 2n ** 53n - 1n),
        fc.array(fc.bigInt(1n, 2n ** 43n), { minLength: 1, maxLength: 50 }),
        (seed, playerId, nonce, weights) => {
          const entries = weights.map((weight, index) => ({ weight, position: index + 1 }))
          const drawn = drawEntry(entries, createDrawSource(seed, { playerId, nonce, clientSeed: null }))
          return drawn.position === verifierDraw(seed, playerId, nonce, weights)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
