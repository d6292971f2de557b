import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from '../../support/environment.ts'

/** What the database itself refuses, whatever the code does. */
describe('the ledger', () => {
  let client: pg.Client

  before(async () => {
    client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
  })
  after(() => client.end())

  const post = (id: string, kind: string, cashbackId: string) =>
    client.query(
      `INSERT INTO ledger_transaction (id, casino_id, kind, cashback_id, created_at) VALUES ($1, 'c', $2, $3, now())`,
      [id, kind, cashbackId],
    )
  const enter = (amounts: readonly number[], account = 'player_pending') =>
    client.query(
      `INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
       SELECT 'entries', position, 'c', $2, 'p', amount, 'EUR'
         FROM unnest($1::int[]) WITH ORDINALITY AS entry (amount, position)`,
      [amounts, account],
    )
  const refusalOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'accepted',
      (error: unknown) => String((error as { code?: string }).code),
    )
  const [unique, check, missing, appendOnly] = ['23505', '23514', '23503', '23001']

  for (const [first, second] of [
    ['cashback_credit', 'cashback_credit'],
    ['cashback_credit', 'cashback_void'],
    ['cashback_void', 'cashback_credit'],
    ['cashback_void', 'cashback_void'],
    ['cashback_reserve', 'cashback_reserve'],
    ['cashback_reversal', 'cashback_reversal'],
  ] as const) {
    it(`takes no ${second} after a ${first} of the same cashback`, async () => {
      const cashbackId = `${first}-${second}`
      await post(`1-${cashbackId}`, first, cashbackId)
      expect(await refusalOf(post(`2-${cashbackId}`, second, cashbackId))).to.equal(unique)
    })
  }

  it('takes a reservation, a credit and a reversal of one cashback', async () => {
    for (const kind of ['cashback_reserve', 'cashback_credit', 'cashback_reversal']) {
      expect(await refusalOf(post(`whole-${kind}`, kind, 'whole'))).to.equal('accepted')
    }
    expect(await refusalOf(post('gift', 'gift', 'whole'))).to.equal(check)
  })

  it('takes only entries of a transaction that sum to zero, of accounts that it has, and keeps them', async () => {
    expect(await refusalOf(enter([5, -5]))).to.equal(missing)
    await post('entries', 'cashback_reserve', 'entries')
    expect(await refusalOf(enter([5, -4]))).to.equal(check)
    expect(await refusalOf(enter([5, -5], 'pocket'))).to.equal(check)
    expect(await refusalOf(enter([5, -5]))).to.equal('accepted')
    expect(await refusalOf(client.query('UPDATE ledger_entry SET amount_minor = 1'))).to.equal(appendOnly)
    expect(await refusalOf(client.query('DELETE FROM ledger_transaction'))).to.equal(appendOnly)
  })
})
