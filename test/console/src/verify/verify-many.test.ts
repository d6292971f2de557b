import { expect } from 'chai'
import { compareOpenings } from '../../../../console/src/verify/compare-openings.ts'
import { readOpenings, UnreadableError } from '../../../../console/src/verify/read-openings.ts'
import { verifyMany } from '../../../../console/src/verify/verify-many.ts'

const opening = (sequence: number, change: Record<string, unknown> = {}) => ({
  id: `opn_${sequence}`,
  casino_id: 'acme',
  player_id: 'ann',
  sequence,
  nonce: sequence,
  seed_id: 'sed_1',
  seed_commitment: 'c1',
  client_seed: null,
  box_id: 'daily',
  box_version: 1,
  odds_hash: 'h1',
  odds_table: '{}',
  item_id: 'mug',
  prize_id: `prz_${sequence}`,
  seed: null,
  ...change,
})
const answer = {
  status: 'success',
  prize: { id: 'prz_1', item_id: 'mug' },
  opening: { id: 'opn_1', nonce: 1 },
}

describe('the input of the verification', () => {
  it('may be a record, an answer of any endpoint that has records, an array of them, or one a line', () => {
    const [one, two] = [opening(1), opening(2)]
    for (const text of [
      JSON.stringify([one, two], undefined, 2),
      `${JSON.stringify({ status: 'success', data: one })}\r\n\n${JSON.stringify({ data: [two] })}\n`,
      `\uFEFF${JSON.stringify({ data: [one, two], next_cursor: 'x' })}`,
      JSON.stringify([{ data: { evidence: one, prize: {} } }, two]),
    ])
      expect(readOpenings(text).openings, text).to.deep.equal([one, two])
    const { openings, receipts } = readOpenings(JSON.stringify([answer, one]))
    expect(openings).to.deep.equal([one])
    expect(receipts.get('opn_1')).to.deep.equal({ id: 'opn_1', nonce: 1, prize_id: 'prz_1', item_id: 'mug' })
  })

  it('is refused with a message that says what to paste', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const cases: [string, RegExp][] = [
      ['', /nothing to check yet/],
      [' \n', /nothing to check yet/],
      ['opn_0198c0de0000700080000000000000aa', /only an id/],
      ['hello', /not JSON/],
      ['{"id":"opn_1","odds', /a part of it is missing/],
      [`${JSON.stringify(opening(1))}\n{"id`, /The text of line 2/],
      ['[]', /the list is empty/],
      ['{"status":"success","data":[]}', /the list is empty/],
      ['5', /no field odds_table/],
      ['null', /no field odds_table/],
      ['{"status":"error","message":"no"}', /no field odds_table/],
      [JSON.stringify([opening(1), {}]), /What stands in entry 2/],
      [`${JSON.stringify(opening(1))}\n{}`, /What stands in line 2/],
      [JSON.stringify(Array(20_001).fill(opening(1))), /up to 20000/],
      [deep, /is not the record/],
    ]
    for (const [text, words] of cases)
      expect(() => readOpenings(text), text.slice(0, 50))
        .to.throw(UnreadableError)
        .with.property('message')
        .that.matches(words)
  })

  it('counts an opening once that was exported twice, also before its seed was revealed', async () => {
    const rows = [opening(1), opening(1), opening(1, { seed: 'ff' }), opening(2)]
    const receipts = new Map([['opn_9', { id: 'opn_9' }]])
    const done: number[] = []
    const { proofs } = await verifyMany({ openings: rows, receipts }, undefined, (count) => done.push(count))
    expect(proofs.map(({ row }) => row['id'])).to.have.members(['opn_1', 'opn_2', 'opn_9'])
    expect(done).to.deep.equal([2])
  })
})

describe('openings that are verified together', () => {
  it('match when each has its own numbers, prize and odds', () => {
    const older = { seed_id: null, seed_commitment: null, nonce: null }
    expect(compareOpenings([opening(1, older), opening(2, older), opening(3)])).to.deep.equal([])
    const other = { seed_id: 'sed_2', seed_commitment: 'c2', nonce: 1, client_seed: 'lucky' }
    expect(compareOpenings([opening(1), opening(2), opening(3, other)])).to.deep.equal([])
  })

  it('are reported when they contradict each other', () => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ sequence: 1 }, /opn_1\u2069 and \u2068opn_2\u2069 have the same number/],
      [{ nonce: 1 }, /the same nonce/],
      [{ prize_id: 'prz_1' }, /the same prize/],
      [{ client_seed: 'lucky' }, /different client seeds/],
      [{ seed_commitment: 'c2' }, /different fingerprints/],
      [{ seed_id: 'sed_2' }, /two secrets/],
      [{ odds_hash: 'h2' }, /different odds/],
      [{ id: 'opn_1', sequence: 1, nonce: 1, prize_id: 'prz_1', item_id: 'cap' }, /two outcomes/],
    ]
    for (const [change, words] of cases) {
      const found = compareOpenings([opening(1), opening(2, change)])
      expect(found, JSON.stringify(change)).to.have.length(1)
      expect(found[0]).to.match(words)
    }
  })

  it('have a gap where one between them is missing', () => {
    expect(compareOpenings([opening(3), opening(9), opening(5)])).to.deep.equal([
      'Opening 4 of player \u2068ann\u2069 is missing.',
      'Openings 6 to 8 of player \u2068ann\u2069 are missing.',
    ])
  })
})
