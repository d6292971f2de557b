import { expect } from 'chai'
import fc from 'fast-check'
import { drawEntry } from '../../core/box/draw.ts'
import { canonicalOddsTable, hashOddsTable } from '../../core/box/odds-table.ts'
import { commitmentOf, createDrawSource } from '../../core/fairness/derive.ts'
import { createEvidenceSigner, signRow } from '../../core/fairness/sign-row.ts'
import type { SignedRow } from '../../core/fairness/sign-row.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { findAlteration as alterationOf, findWrongDraw as wrongDrawOf } from '../../tools/verify.mjs'
import { runVerify, toLines } from '../support/verify.ts'

type Find = (opening: Record<string, unknown>, key?: string) => string | undefined
const findAlteration = alterationOf as Find
const findWrongDraw = wrongDrawOf as Find

const signer = createEvidenceSigner('a secret of at least thirty-two characters')
const seed = Buffer.alloc(32, 3)

type Fields = Parameters<typeof signRow>[1]

/** The fields of an opening as the service would draw it: of the first entry there are none left. */
function makeFields(
  change: { playerId?: string; nonce?: number; sequence?: number; clientSeed?: string | null } = {},
): Fields {
  const { playerId = 'ann', nonce = 1, sequence = nonce, clientSeed = 'lucky' } = change
  const table = {
    entries: [
      { itemId: 'mug', weight: 2, stock: 5 },
      { itemId: 'cap', weight: 3, stock: null },
    ],
    fallbackItemId: 'nothing',
  }
  const entries = table.entries.map((entry, index) => ({
    ...entry,
    weight: BigInt(entry.weight),
    position: index + 1,
  }))
  const drawn = drawEntry(entries, createDrawSource(seed, { playerId, nonce: BigInt(nonce), clientSeed }))
  const substituted = drawn.itemId === 'mug'
  return {
    scheme: 'hmac-sha256-v1',
    id: `opn_${playerId}${nonce}`,
    casino_id: 'acme',
    player_id: playerId,
    sequence,
    box_id: 'daily',
    box_version: 4,
    odds_table: canonicalOddsTable(table),
    odds_hash: hashOddsTable(table),
    seed_id: 'sed_1',
    seed_commitment: commitmentOf(seed),
    seed: seed.toString('hex'),
    nonce,
    client_seed: clientSeed,
    position: drawn.position,
    item_id: substituted ? 'nothing' : drawn.itemId,
    substituted_for: substituted ? 'mug' : null,
    forced: false,
    opened_at: '2030-01-31T12:00:00.000Z',
  }
}

/** An opening of a box that holds only caps. */
function certainRow({
  sequence,
  nonce,
  seedId = 'sed_1',
  seedByte = 3,
  weight = 1,
  change = {},
}: {
  sequence: number
  nonce: number
  seedId?: string
  seedByte?: number
  weight?: number
  change?: Fields
}): SignedRow {
  const table = { entries: [{ itemId: 'cap', weight, stock: null }], fallbackItemId: null }
  const bytes = Buffer.alloc(32, seedByte)
  return signRow(signer, {
    ...makeFields({ nonce, sequence }),
    id: `opn_ann_${sequence}`,
    odds_table: canonicalOddsTable(table),
    odds_hash: hashOddsTable(table),
    seed_id: seedId,
    seed: bytes.toString('hex'),
    seed_commitment: commitmentOf(bytes),
    position: 1,
    item_id: 'cap',
    substituted_for: null,
    ...change,
  })
}

const makeRow = (change?: Parameters<typeof makeFields>[0]): SignedRow => signRow(signer, makeFields(change))
/** A nonce whose draw comes out as wanted. */
const nonceOf = (substituted: boolean) =>
  Array.from({ length: 50 }, (_, index) => index + 1).find(
    (nonce) => (makeFields({ nonce })['substituted_for'] !== null) === substituted,
  ) ?? 0

describe('the verifier', () => {
  it('finds no problem in the service’s own draws and signatures, for any player', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 })
    fc.assert(
      fc.property(name, fc.option(name, { nil: null }), fc.nat(), (playerId, clientSeed, nonce) => {
        const row = makeRow({ playerId, clientSeed, nonce: nonce + 1 })
        const read = JSON.parse(JSON.stringify(row)) as SignedRow
        return findAlteration(read, signer.publicKey) === undefined && findWrongDraw(read) === undefined
      }),
      { numRuns: 200 },
    )
  })

  it('names each field that was altered, removed or added', () => {
    const row = makeRow()
    for (const name of Object.keys(row)) {
      const { [name]: value, ...rest } = row
      const other = typeof value === 'string' ? value.replace(/^./, (c) => (c === '0' ? '1' : '0')) : 'other'
      expect(findAlteration({ ...row, [name]: other }), name).to.equal(name)
      expect(findAlteration({ ...row, [name]: null }), name).to.equal(name)
      expect(findAlteration(rest), name).to.equal(name)
    }
    expect(findAlteration({ ...row, extra: null })).to.equal('extra')
    expect(
      findAlteration(JSON.parse(JSON.stringify(row).replace('{', '{"__proto__":1,')) as SignedRow),
    ).to.equal('__proto__')
  })

  it('names the signature when field and digest were altered together', () => {
    const row = makeRow()
    const forged = signRow(signer, { ...makeFields(), item_id: 'yacht' })
    expect(findAlteration({ ...forged, signature: row.signature })).to.equal('signature')
    expect(findAlteration({ ...row, digests: forged.digests })).to.equal('digests')
    expect(findAlteration({ ...row, signature: forged.signature })).to.equal('signature')
  })

  it('accepts only the signer that it is given', () => {
    const forger = createEvidenceSigner('another secret of thirty-two characters')
    const forged = signRow(forger, makeFields())
    expect(findAlteration(forged)).to.equal(undefined)
    expect(findAlteration(forged, signer.publicKey)).to.equal('signing_key')
    expect(findAlteration({ ...forged, signing_key: signer.publicKey })).to.equal('signing_key')
  })

  it('names the field that does not follow from the draw, even when the service itself has signed it', () => {
    const substituted = makeFields({ nonce: nonceOf(true) })
    const drawn = makeFields({ nonce: nonceOf(false) })
    const wrongIn = (fields: Fields, change: Fields) => findWrongDraw({ ...fields, ...change })
    expect(wrongIn(drawn, {})).to.equal(undefined)
    expect(wrongIn(substituted, {})).to.equal(undefined)
    expect(wrongIn(drawn, { seed: 'f'.repeat(64) })).to.equal('seed_commitment')
    expect(wrongIn(drawn, { seed: 'F'.repeat(64) })).to.equal('seed')
    expect(wrongIn(drawn, { seed_commitment: '0'.repeat(64) })).to.equal('seed_commitment')
    expect(wrongIn(drawn, { odds_hash: '0'.repeat(64) })).to.equal('odds_hash')
    expect(wrongIn(drawn, { odds_table: '{}' })).to.equal('odds_hash')
    expect(wrongIn(drawn, { position: 1 })).to.equal('position')
    expect(wrongIn(drawn, { nonce: 0 })).to.equal('nonce')
    expect(wrongIn(drawn, { nonce: '1' })).to.equal('nonce')
    expect(wrongIn(drawn, { sequence: 0 })).to.equal('sequence')
    expect(wrongIn(drawn, { sequence: null })).to.equal('sequence')
    expect(wrongIn(drawn, { scheme: 'another' })).to.equal('scheme')
    expect(wrongIn(drawn, { scheme: null })).to.equal('scheme')
    expect(wrongIn(drawn, { player_id: null })).to.equal('player_id')
    expect(wrongIn(drawn, { client_seed: 5 })).to.equal('client_seed')
    expect(wrongIn(drawn, { item_id: 'mug' })).to.equal('item_id')
    expect(wrongIn(drawn, { substituted_for: 'cap' })).to.equal('substituted_for') // the cap has no stock to run out of
    expect(wrongIn(substituted, { substituted_for: null })).to.equal('item_id')
    expect(wrongIn(substituted, { substituted_for: 'cap' })).to.equal('substituted_for')
    expect(wrongIn(substituted, { item_id: 'mug' })).to.equal('item_id')
  })

  it('draws differently for another player, nonce or client seed', () => {
    const wrong = (name: string, values: (string | number | null)[]) =>
      values
        .map((value) => findWrongDraw({ ...makeFields({ sequence: 100 }), [name]: value }))
        .includes('position')
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
    expect(wrong('player_id', names)).to.equal(true)
    expect(wrong('client_seed', [...names, null])).to.equal(true)
    expect(
      wrong(
        'nonce',
        names.map((_, index) => index + 2),
      ),
    ).to.equal(true)
  })

  it('accepts answers, pages, arrays and lines', async () => {
    const [one, two] = [makeRow({ nonce: 1 }), makeRow({ nonce: 2 })]
    for (const text of [
      toLines([one, two]),
      toLines([
        { status: 'success', data: one },
        { status: 'success', data: [two] },
      ]),
      JSON.stringify({ status: 'success', data: [one, two], next_cursor: 'x' }, null, 2),
      JSON.stringify([{ data: [one] }, two]),
    ]) {
      const verdict = await runVerify(text, ['--key', signer.publicKey, '--complete'])
      expect(verdict).to.deep.equal({ exitCode: 0, stdout: '2 verified, 0 not verified\n', stderr: '' })
    }
    expect((await runVerify(toLines([one]))).stderr).to.include(signer.publicKey)
  })

  it('finds duplicate or missing nonces, and a second client seed', async () => {
    const rows = [1, 2, 3, 6, 7].map((nonce) => makeRow({ nonce }))
    expect(await runVerify(toLines(rows), ['--key', signer.publicKey])).to.include({ exitCode: 0 })
    const gaps = await runVerify(toLines(rows), ['--key', signer.publicKey, '--complete'])
    expect(gaps.stdout).to.equal('5 verified, 0 not verified, 2 missing\n')
    expect(gaps.stderr).to.equal(
      'player ann, seed sed_1: missing nonces 4 to 5\nplayer ann: missing openings 4 to 5\n',
    )
    expect(gaps.exitCode).to.equal(1)

    const again = signRow(signer, { ...makeFields({ nonce: 2, sequence: 8 }), id: 'opn_again' })
    const twice = await runVerify(toLines([...rows, again]), ['--key', signer.publicKey])
    expect(twice).to.include({ exitCode: 1, stdout: '5 verified, 1 not verified\n' })
    expect(twice.stderr).to.equal('opn_again: nonce is also that of opn_ann2\n')

    const changed = await runVerify(toLines([...rows, makeRow({ nonce: 8, clientSeed: null })]))
    expect(changed.stderr).to.include(
      'opn_ann8: client_seed differs from that of opn_ann1 under the same seed',
    )
    expect(changed.exitCode).to.equal(1)
  })

  it('counts an opening once that was exported twice, also before its seed was revealed', async () => {
    const secret = signRow(signer, { ...makeFields(), seed: null })
    const twice = await runVerify(toLines([makeRow(), makeRow()]), ['--key', signer.publicKey, '--complete'])
    expect(twice).to.deep.equal({
      exitCode: 0,
      stdout: '1 verified, 0 not verified\n',
      stderr: 'Duplicate rows left out: 1 of 2\n',
    })
    const reordered = Object.fromEntries(Object.entries(makeRow()).reverse())
    const next = makeRow({ nonce: 2 })
    for (const rows of [
      [secret, makeRow(), next],
      [next, makeRow(), secret, reordered],
    ]) {
      const grown = await runVerify(toLines(rows), ['--key', signer.publicKey, '--complete'])
      expect(grown).to.deep.equal({
        exitCode: 0,
        stdout: '2 verified, 0 not verified\n',
        stderr: `Duplicate rows left out: ${rows.length - 2} of ${rows.length}\n`,
      })
    }
    const untold = await runVerify(toLines([secret, secret]), ['--key', signer.publicKey])
    expect(untold.stdout).to.equal('0 verified, 1 not verified\n')
    const wrongSeed = signRow(signer, { ...makeFields(), seed: 'f'.repeat(64) })
    const wrong = await runVerify(toLines([makeRow(), wrongSeed, secret]), ['--key', signer.publicKey])
    expect(wrong.stdout).to.equal('1 verified, 1 not verified\n')
  })

  it('does not compare an altered opening with the others', async () => {
    const [one, two, three] = [1, 2, 3].map((nonce) => makeRow({ nonce }))
    for (const change of [
      { nonce: 1 },
      { nonce: 3 },
      { sequence: 1 },
      { client_seed: null },
      { seed_commitment: 'x' },
      { odds_hash: 'x' },
    ]) {
      const verdict = await runVerify(toLines([{ ...two, ...change }, one, three]), [
        '--key',
        signer.publicKey,
      ])
      const [name] = Object.keys(change)
      expect(verdict).to.deep.equal({
        exitCode: 1,
        stdout: '2 verified, 1 not verified\n',
        stderr: `opn_ann2: ${name} does not match\n`,
      })
    }
  })

  it('finds a seed that was replaced for some of its openings', async () => {
    const table = { entries: [{ itemId: 'cap', weight: 1, stock: null }], fallbackItemId: null }
    const certain = {
      odds_table: canonicalOddsTable(table),
      odds_hash: hashOddsTable(table),
      box_version: 5,
      position: 1,
    }
    const won = { ...certain, item_id: 'cap', substituted_for: null }
    const other = Buffer.alloc(32, 4)
    const exchanged = { seed: other.toString('hex'), seed_commitment: commitmentOf(other) }
    const rows = [
      signRow(signer, { ...makeFields(), ...won }),
      signRow(signer, { ...makeFields({ playerId: 'bob' }), ...won, ...exchanged }),
    ]
    const verdict = await runVerify(toLines(rows), ['--key', signer.publicKey])
    expect(verdict).to.deep.equal({
      exitCode: 1,
      stdout: '1 verified, 1 not verified\n',
      stderr: 'opn_bob1: seed_commitment differs from that of opn_ann1 for the same seed\n',
    })
  })

  it('finds a whole seed that was left out, among openings that are complete under each of their seeds', async () => {
    const under = (seedId: string, seedByte: number, sequences: number[]) =>
      sequences.map((sequence, index) => certainRow({ seedId, seedByte, sequence, nonce: index + 1 }))
    const rows = [...under('sed_1', 3, [1, 2]), ...under('sed_3', 5, [5, 6, 7])]
    const args = ['--key', signer.publicKey]
    expect(await runVerify(toLines(rows), [...args, '--complete-seeds'])).to.include({ exitCode: 0 })
    expect(await runVerify(toLines(rows), [...args, '--complete'])).to.deep.equal({
      exitCode: 1,
      stdout: '5 verified, 0 not verified, 2 missing\n',
      stderr: 'player ann: missing openings 3 to 4\n',
    })
    const all = [...rows, ...under('sed_2', 4, [3, 4])]
    expect(await runVerify(toLines(all), [...args, '--complete'])).to.deep.equal({
      exitCode: 0,
      stdout: '7 verified, 0 not verified\n',
      stderr: '',
    })
  })

  it('finds an id of two openings, a version with two odds tables, and a seed under two ids', async () => {
    const first = certainRow({ sequence: 1, nonce: 1, change: { prize_id: 'prz_1' } })
    const conflicts: [SignedRow, string][] = [
      [
        certainRow({ sequence: 2, nonce: 2, change: { id: 'opn_ann_1' } }),
        'id is that of another opening too',
      ],
      [
        certainRow({ sequence: 2, nonce: 2, weight: 2 }),
        'odds_hash differs from that of opn_ann_1 for the same version',
      ],
      [
        certainRow({ sequence: 2, nonce: 1, seedId: 'sed_2' }),
        'seed_id differs from that of opn_ann_1 for the same commitment',
      ],
      [
        certainRow({ sequence: 1, nonce: 1, change: { id: 'opn_other' } }),
        'sequence is also that of opn_ann_1',
      ],
      [certainRow({ sequence: 2, nonce: 3 }), 'sequence does not match'],
      [
        certainRow({ sequence: 5, nonce: 2 }),
        'sequence does not increase together with nonce since opn_ann_1',
      ],
      [
        certainRow({ sequence: 2, nonce: 2, change: { prize_id: 'prz_1' } }),
        'prize_id is also that of opn_ann_1',
      ],
      [
        certainRow({ sequence: 2, nonce: 1, change: { casino_id: 'other' } }),
        'casino_id differs from that of opn_ann_1 for the same seed',
      ],
    ]
    for (const [row, problem] of conflicts) {
      const verdict = await runVerify(toLines([first, row]), ['--key', signer.publicKey])
      expect(verdict).to.deep.equal({
        exitCode: 1,
        stdout: '1 verified, 1 not verified\n',
        stderr: `${row['id'] as string}: ${problem}\n`,
      })
    }
  })

  it('reports a missing sequence in rows that were exported before it was signed, and accepts their other fields', async () => {
    const fields = Object.fromEntries(
      Object.entries(makeFields()).filter(([name]) => name !== 'sequence' && name !== 'scheme'),
    )
    const rows = toLines([signRow(signer, fields)])
    expect(await runVerify(rows, ['--key', signer.publicKey])).to.include({ exitCode: 0 })
    expect(await runVerify(rows, ['--key', signer.publicKey, '--complete'])).to.deep.equal({
      exitCode: 1,
      stdout: '1 verified, 0 not verified\n',
      stderr: 'player ann: openings without a sequence: 1; export them again\n',
    })
  })

  it('says so when nothing was drawn or nothing can be checked yet', async () => {
    const secret = signRow(signer, { ...makeFields(), id: 'opn_secret', seed: null })
    const forced = signRow(signer, { ...makeFields({ nonce: 2 }), id: 'opn_forced', forced: true })
    const old = signRow(signer, { ...makeFields(), id: 'opn_old', seed: null, seed_id: null, nonce: null })
    const verdict = await runVerify(toLines([secret, forced, old]), ['--key', signer.publicKey])
    expect(verdict.stderr.split('\n')).to.deep.equal([
      'opn_secret: not revealed yet: its seed is published after the next rotation',
      'opn_forced: not drawn: a test chose its outcome',
      'opn_old: not verifiable: it was made before draws were verifiable',
      '',
    ])
    expect(verdict).to.include({ exitCode: 1, stdout: '0 verified, 3 not verified\n' })
    const altered = await runVerify(toLines([{ ...secret, player_id: 'bob' }]))
    expect(altered.stderr).to.include('opn_secret: player_id does not match')
  })

  it('ends a line only at \\n: other line separators of Unicode are allowed in ids', async () => {
    const row = makeRow({ playerId: 'a\u2028b\u2029c\u0085d' })
    expect(
      await runVerify(`${JSON.stringify(row)}\r\n${JSON.stringify(makeRow({ playerId: 'bob' }))}`),
    ).to.include({
      exitCode: 0,
      stdout: '2 verified, 0 not verified\n',
    })
  })

  it('names each problem with its arguments and its input, without a stack', async () => {
    const refusals: [string, string[], RegExp, number][] = [
      ['', ['--colour'], /^Unknown option '--colour'[^]*\n\n--help/, 2],
      ['', ['--key', 'abc'], /--key must be 64 hexadecimal digits\n\n--help/, 2],
      ['', ['no-such-file.json'], /^no-such-file\.json cannot be read: ENOENT\n$/, 2],
      ['', ['/'], /^\/ cannot be read: EISDIR\n$/, 2],
      [`${JSON.stringify(makeRow())}\n{"id":`, [], /^standard input, line 2: not JSON\n$/, 2],
      ['\u0000', [], /^standard input, line 1: not JSON\n$/, 2],
      [
        '[null,1,"x",{}]',
        [],
        /^opening 1: not an opening\nopening 2: [^]*opening 4: signature does not match\n/,
        1,
      ],
      ['{"data":null}', [], /^opening 1: not an opening\n/, 1],
      ['['.repeat(50_000) + ']'.repeat(50_000), [], /^The check failed: /, 3],
    ]
    for (const [input, args, message, exitCode] of refusals) {
      const verdict = await runVerify(input, args)
      expect(verdict.stderr, `${args.join(' ')} ${input.slice(0, 20)}`).to.match(message)
      expect(verdict.stderr).to.not.match(/^\s+at /m)
      expect(verdict.exitCode).to.equal(exitCode)
    }
    expect(await runVerify('')).to.include({ exitCode: 1, stdout: '0 verified, 0 not verified\n' })
    const help = await runVerify('', ['--help'])
    expect(help.exitCode).to.equal(0)
    expect(help.stdout).to.match(/^node verify\.mjs/)
  })

  it('writes no control sequences from a file to the terminal', async () => {
    for (const change of [{ id: '\u001b[2J\u009b2J' }, { ['\u001b]0;x']: 1 }]) {
      const verdict = await runVerify(JSON.stringify({ ...makeRow(), ...change }))
      expect(verdict.stderr).to.include('\\u001b').and.not.include('\u001b').and.not.include('\u009b')
      expect(verdict.exitCode).to.equal(1)
    }
  })
})
