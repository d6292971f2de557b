import { expect } from 'chai'
import fc from 'fast-check'
import { verifyOpening, verifyReceipt } from '../../../../console/src/verify/verify-opening.ts'
import type { Check, Proof } from '../../../../console/src/verify/verify-opening.ts'
import { drawEntry } from '../../../../core/box/draw.ts'
import { canonicalOddsTable, hashOddsTable } from '../../../../core/box/odds-table.ts'
import { commitmentOf, createDrawSource } from '../../../../core/fairness/derive.ts'
import { createEvidenceSigner, signRow } from '../../../../core/fairness/sign-row.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { findWrongDraw as wrongDrawOf } from '../../../../tools/verify.mjs'
import { anyUnicode } from '../../../support/any-unicode.ts'
import { runs } from '../../../support/runs.ts'

const findWrongDraw = wrongDrawOf as (opening: Record<string, unknown>) => string | undefined
const signer = createEvidenceSigner('a secret of at least thirty-two characters')

type Fields = Parameters<typeof signRow>[1]

interface Wish {
  seed: Uint8Array
  playerId: string
  clientSeed: string | null
  nonce: number
  weights: readonly { weight: number; stock: number | null }[]
  isOutOfStock: boolean
}

/** The fields of an opening as the service draws it. */
function makeFields({ seed, playerId, clientSeed, nonce, weights, isOutOfStock }: Wish): Fields {
  const table = {
    entries: weights.map((entry, index) => ({ ...entry, itemId: `item ${index + 1} <b>` })),
    fallbackItemId: 'nothing',
  }
  const entries = table.entries.map((entry, index) => ({
    ...entry,
    weight: BigInt(entry.weight),
    position: index + 1,
  }))
  const drawn = drawEntry(entries, createDrawSource(seed, { playerId, nonce: BigInt(nonce), clientSeed }))
  const isSubstituted = isOutOfStock && drawn.stock !== null
  return {
    scheme: 'hmac-sha256-v1',
    id: 'opn_1',
    casino_id: 'acme',
    player_id: playerId,
    sequence: nonce + 1,
    box_id: 'daily',
    box_version: 4,
    odds_table: canonicalOddsTable(table),
    odds_hash: hashOddsTable(table),
    seed_id: 'sed_1',
    seed_commitment: commitmentOf(seed),
    seed: Buffer.from(seed).toString('hex'),
    nonce,
    client_seed: clientSeed,
    position: drawn.position,
    item_id: isSubstituted ? 'nothing' : drawn.itemId,
    substituted_for: isSubstituted ? drawn.itemId : null,
    forced: false,
    prize_id: 'prz_1',
    opened_at: '2030-01-31T12:00:00.000Z',
  }
}

const entriesMax = 20
const wishes: fc.Arbitrary<Wish> = fc.record({
  seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  playerId: anyUnicode({ minLength: 1, maxLength: 64 }),
  clientSeed: fc.option(anyUnicode({ minLength: 1, maxLength: 64 }), { nil: null }),
  nonce: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 }),
  weights: fc.array(
    fc.record({
      weight: fc.oneof(
        fc.integer({ min: 1, max: 10 }),
        fc.maxSafeNat().map((nat) => nat || 1),
      ),
      stock: fc.option(fc.nat(), { nil: null }),
    }),
    { minLength: 1, maxLength: entriesMax },
  ),
  isOutOfStock: fc.boolean(),
})

const wish: Wish = {
  seed: Buffer.alloc(32, 3),
  playerId: 'ann',
  clientSeed: 'lucky',
  nonce: 1,
  weights: [
    { weight: 2, stock: 5 },
    { weight: 3, stock: null },
  ],
  isOutOfStock: false,
}
const stepsOf = ({ steps }: Proof) => Object.fromEntries(steps.map(({ check, result }) => [check, result]))
const reasonOf = ({ steps }: Proof, check: Check) => steps.find((step) => step.check === check)?.reason
const without = (row: Record<string, unknown>, left: string) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== left))
const verify = (fields: Fields) => verifyOpening(signRow(signer, fields), { signingKey: signer.publicKey })

describe('the verification in the browser', () => {
  it('computes the service’s draws, in any box, with any seed and for any player', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (any) => {
        const row: unknown = JSON.parse(JSON.stringify(signRow(signer, makeFields(any))))
        const proof = await verifyOpening(row as Fields, { signingKey: signer.publicKey })
        expect(stepsOf(proof)).to.deep.equal({
          record: 'right',
          promise: 'right',
          odds: 'right',
          draw: 'right',
        })
        expect(proof.drawn?.position).to.equal((row as Fields)['position'])
      }),
      { numRuns: runs(100) },
    )
  })

  it('agrees with the verifier for auditors on every error in a record that the service has signed', async () => {
    const changes: fc.Arbitrary<Fields> = fc.oneof(
      fc.record({ player_id: fc.string() }),
      fc.record({ client_seed: fc.option(fc.string(), { nil: null }) }),
      fc.record({ nonce: fc.integer({ min: -1, max: 3 }) }),
      fc.record({ sequence: fc.integer({ min: -1, max: 3 }) }),
      fc.record({ position: fc.integer({ min: 0, max: entriesMax + 1 }) }),
      fc.record({ item_id: fc.constantFrom('nothing', 'item 1 <b>', 'item 2 <b>') }),
      fc.record({ substituted_for: fc.constantFrom(null, 'nothing', 'item 1 <b>', 'item 2 <b>') }),
      fc.record({ seed: fc.constantFrom('f'.repeat(64), 'F'.repeat(64), '0', '') }),
      fc.record({ seed_commitment: fc.constant('0'.repeat(64)) }),
      fc.record({ odds_hash: fc.constant('0'.repeat(64)) }),
      fc.record({ odds_table: fc.constantFrom('', '{}', '{"entries":[]}') }),
    )
    const count = runs(100)
    let wrong = 0
    await fc.assert(
      fc.asyncProperty(wishes, changes, async (any, change) => {
        const fields = { ...makeFields({ ...any, nonce: 2 }), ...change }
        const isWrong = findWrongDraw(fields) !== undefined
        if (isWrong) wrong++
        const proof = await verify(fields)
        expect(proof.result).to.equal(isWrong ? 'wrong' : 'right')
        expect(stepsOf(proof)['record']).to.equal('right')
      }),
      { numRuns: count },
    )
    expect(wrong).to.be.greaterThan(count / 3)
  })

  it('names each field that was altered, removed or added after the service had signed', async () => {
    const row = signRow(
      signer,
      makeFields({ ...wish, weights: [{ weight: 1, stock: 5 }], isOutOfStock: true }),
    )
    for (const [name, value] of Object.entries(row)) {
      const rest = without(row, name)
      const other = typeof value === 'string' ? value.replace(/^./, (c) => (c === '0' ? '1' : '0')) : 'other'
      for (const altered of [{ ...row, [name]: other }, { ...row, [name]: null }, rest]) {
        const proof = await verifyOpening(altered)
        expect(reasonOf(proof, 'record'), name).to.deep.equal({ field: name })
        expect(proof.result, name).to.equal('wrong')
      }
    }
    const extended = JSON.parse(JSON.stringify(row).replace('{', '{"__proto__":1,')) as Fields
    expect(reasonOf(await verifyOpening(extended), 'record')).to.deep.equal({ field: '__proto__' })
  })

  it('accepts only the service as the signer', async () => {
    const forger = createEvidenceSigner('another secret of thirty-two characters')
    const forged = signRow(forger, makeFields(wish))
    expect((await verifyOpening(forged)).result).to.equal('right')
    const proof = await verifyOpening(forged, { signingKey: signer.publicKey })
    expect(reasonOf(proof, 'record')).to.deep.equal({ field: 'signing_key' })
  })

  it('names the missing parts when nothing is wrong and not everything can be checked yet', async () => {
    const fields = makeFields(wish)
    const cases: [Fields, string, Check, string][] = [
      [{ seed: null }, 'later', 'draw', 'not_revealed'],
      [{ forced: true }, 'unable', 'draw', 'not_drawn'],
      [{ scheme: 'another' }, 'unable', 'draw', 'unknown_scheme'],
      [
        { seed_id: null, seed: null, seed_commitment: null, scheme: null },
        'unable',
        'promise',
        'not_verifiable',
      ],
    ]
    for (const [change, result, check, reason] of cases) {
      const proof = await verify({ ...fields, ...change })
      expect([proof.result, reasonOf(proof, check)], reason).to.deep.equal([result, reason])
    }
    // Even an opening that cannot be drawn again yet can have wrong odds.
    expect((await verify({ ...fields, seed: null, odds_table: '{}' })).result).to.equal('wrong')
  })

  it('compares the answer of the opening with the record', async () => {
    const row = signRow(signer, makeFields(wish))
    const receipt = Object.fromEntries(
      ['id', 'box_id', 'odds_hash', 'seed_commitment', 'nonce', 'client_seed', 'item_id'].map((name) => [
        name,
        row[name],
      ]),
    )
    expect((await verifyOpening(row, { receipt })).result).to.equal('right')
    for (const name of Object.keys(receipt)) {
      const proof = await verifyOpening(row, { receipt: { ...receipt, [name]: 'other' } })
      expect(reasonOf(proof, 'receipt'), name).to.deep.equal({ field: name })
    }
    const silent = without(receipt, 'client_seed')
    expect(reasonOf(await verifyOpening(row, { receipt: silent }), 'receipt')).to.deep.equal({
      field: 'client_seed',
    })
    expect(verifyReceipt(receipt).result).to.equal('later')
  })

  it('never throws an exception on any input', async () => {
    const fields = makeFields(wish)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(fields)), fc.jsonValue(), async (name, value) => {
        const row = { ...signRow(signer, fields), [name]: value }
        const isSame = JSON.stringify(value) === JSON.stringify(fields[name])
        expect((await verifyOpening(row)).result).to.equal(isSame ? 'right' : 'wrong')
      }),
      { numRuns: runs(100) },
    )
  })
})
