import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { drawEntry } from '../../../core/box/draw.ts'
import { commitmentOf, createDrawSource } from '../../../core/fairness/derive.ts'
import type { DrawInput } from '../../../core/fairness/derive.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { draw } from '../../../tools/verify.mjs'
import { drawIndependently } from '../../support/independent-draw.ts'

const verifierDraw = draw as (seed: Uint8Array, input: DrawInput, weights: bigint[]) => number

const serverSeed = fc.uint8Array({ minLength: 32, maxLength: 32 })
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 })
const input = fc.record({
  playerId: name,
  nonce: fc.bigInt(1n, 2n ** 53n - 1n),
  clientSeed: fc.option(name, { nil: null }),
})
/** Names as the API takes them: without control characters. */
const playable = input.filter(({ playerId, clientSeed }) => !/\p{Cc}/u.test(playerId + (clientSeed ?? '')))
const weights = fc.array(fc.bigInt(1n, 2n ** 43n), { minLength: 1, maxLength: 50 })

describe('derivation of outcomes', () => {
  const seed = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex')
  const hmac = (text: string) => createHmac('sha256', seed).update(text).digest().readBigUInt64BE(0)

  it('is the HMAC of the player, the nonce and the counter, as it is documented', () => {
    const source = createDrawSource(seed, { playerId: 'player "1"', nonce: 7n, clientSeed: null })
    expect([source(), source()]).to.deep.equal([
      hmac('["player \\"1\\"",7,0]'),
      hmac('["player \\"1\\"",7,1]'),
    ])
    expect(commitmentOf(seed)).to.match(/^[0-9a-f]{64}$/)
  })

  it('has the client seed between the player and the nonce', () => {
    const source = createDrawSource(seed, { playerId: 'p', nonce: 7n, clientSeed: 'Jörg "😀"' })
    expect([source(), source()]).to.deep.equal([
      hmac('["p","Jörg \\"😀\\"",7,0]'),
      hmac('["p","Jörg \\"😀\\"",7,1]'),
    ])
  })

  it('gives the same as the independent verifier, for any seeds, player, nonce and table', () => {
    fc.assert(
      fc.property(serverSeed, input, weights, (secret, of, table) => {
        const entries = table.map((weight, index) => ({ weight, position: index + 1 }))
        return drawEntry(entries, createDrawSource(secret, of)).position === verifierDraw(secret, of, table)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives the same as a third implementation, written from the document', async () => {
    await fc.assert(
      fc.asyncProperty(serverSeed, playable, weights, async (secret, of, table) => {
        const entries = table.map((weight, index) => ({ weight, position: index + 1 }))
        const { position } = drawEntry(entries, createDrawSource(secret, of))
        return position === (await drawIndependently(secret, of, table))
      }),
      { numRuns: 500 },
    )
  })

  it('uses a distinct message for each player, client seed and nonce', () => {
    const first = (of: DrawInput) => createDrawSource(seed, of)()
    fc.assert(
      fc.property(input, input, (one, other) => {
        const isSame =
          one.playerId === other.playerId && one.clientSeed === other.clientSeed && one.nonce === other.nonce
        return isSame === (first(one) === first(other))
      }),
    )
    // Names that would run together if they were only put side by side.
    expect(first({ playerId: 'a', clientSeed: 'b', nonce: 1n })).to.not.equal(
      first({ playerId: 'a","b', clientSeed: null, nonce: 1n }),
    )
    expect(first({ playerId: 'a', clientSeed: '1', nonce: 1n })).to.not.equal(
      first({ playerId: 'a', clientSeed: null, nonce: 11n }),
    )
  })
})
