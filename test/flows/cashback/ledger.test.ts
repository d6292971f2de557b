import { expect } from 'chai'
import fc from 'fast-check'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { runs } from '../../support/runs.ts'

describe('the ledger', () => {
  let client: pg.Client

  const atEnd = atEndOfSuite()
  before(async () => {
    client = new pg.Client({ connectionString: await createTestDatabase() })
    atEnd(() => client.end())
    await client.connect()
  })

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
  const failureOf = async (promise: Promise<unknown>): Promise<pg.DatabaseError> => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof pg.DatabaseError))
      throw new Error('the database did not refuse it', { cause: error })
    return error
  }
  const [unique, check, missing, appendOnly] = ['23505', '23514', '23503', '23001']

  for (const [first, second] of [
    ['cashback_credit', 'cashback_credit'],
    ['cashback_credit', 'cashback_void'],
    ['cashback_void', 'cashback_credit'],
    ['cashback_void', 'cashback_void'],
    ['cashback_reserve', 'cashback_reserve'],
    ['cashback_reversal', 'cashback_reversal'],
  ] as const) {
    it(`refuses a ${second} after a ${first} of the same cashback`, async () => {
      const cashbackId = `${first}-${second}`
      await post(`1-${cashbackId}`, first, cashbackId)
      expect(await refusalOf(post(`2-${cashbackId}`, second, cashbackId))).to.equal(unique)
    })
  }

  it('accepts a reservation, a credit and a reversal of one cashback', async () => {
    for (const kind of ['cashback_reserve', 'cashback_credit', 'cashback_reversal']) {
      expect(await refusalOf(post(`whole-${kind}`, kind, 'whole'))).to.equal('accepted')
    }
    expect(await refusalOf(post('gift', 'gift', 'whole'))).to.equal(check)
  })

  it('accepts only entries of a transaction that sum to zero, of its own accounts', async () => {
    expect(await refusalOf(enter([5, -5]))).to.equal(missing)
    await post('entries', 'cashback_reserve', 'entries')
    for (const unbalanced of [[5, -4], [5], [5, -5, 1]]) {
      const error = await failureOf(enter(unbalanced))
      expect(error).to.include({
        code: check,
        message: 'ledger entries do not sum to zero',
        constraint: undefined,
      })
      expect(error.where, 'who refused it').to.match(/^PL\/pgSQL function ledger_refuse_unbalanced\(\) /)
    }
    expect(await refusalOf(enter([5, -5], 'pocket'))).to.equal(check)
    expect(await refusalOf(enter([5, -5]))).to.equal('accepted')
  })

  it('accepts entries exactly when they balance in each transaction and each currency', async () => {
    const transactions = ['any-0', 'any-1', 'any-2']
    for (const id of transactions) await post(id, 'cashback_reserve', id)
    const anyEntry = fc.record({
      id: fc.constantFrom(...transactions),
      amount: fc.constantFrom(-3n, -2n, -1n, 1n, 2n, 3n, 9_007_199_254_740_993n, -9_007_199_254_740_993n),
      currency: fc.constantFrom('EUR', 'USD'),
    })
    // Half of the transactions get the entries that balance them, so that both kinds are seen.
    const anyEntries = fc
      .tuple(fc.array(anyEntry, { minLength: 1, maxLength: 6 }), fc.boolean())
      .map(([entries, isWhole]) =>
        isWhole ? [...entries, ...entries.map((entry) => ({ ...entry, amount: -entry.amount }))] : entries,
      )
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(anyEntries, async (entries) => {
        const sums = new Map<string, bigint>()
        for (const { id, amount, currency } of entries) {
          const key = `${id} ${currency}`
          sums.set(key, (sums.get(key) ?? 0n) + amount)
        }
        const isBalanced = [...sums.values()].every((sum) => sum === 0n)
        await client.query('BEGIN')
        const result = await refusalOf(
          client.query(
            `INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
             SELECT id, position, 'c', 'player_pending', 'p', amount, currency
               FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS entry (id, amount, currency, position)`,
            [
              entries.map(({ id }) => id),
              entries.map(({ amount }) => String(amount)),
              entries.map(({ currency }) => currency),
            ],
          ),
        )
        await client.query('ROLLBACK')
        seen.add(result)
        expect(result).to.equal(isBalanced ? 'accepted' : check)
      }),
      { numRuns: runs(50) },
    )
    expect([...seen]).to.have.members(['accepted', check])
  })

  it('never changes or deletes an entry', async () => {
    await post('kept', 'cashback_reserve', 'kept')
    for (const change of [
      'UPDATE ledger_entry SET amount_minor = 1',
      'UPDATE ledger_entry SET amount_minor = -amount_minor',
      `UPDATE ledger_entry SET amount_minor = 1 WHERE transaction_id = 'nobody'`,
      'DELETE FROM ledger_entry',
      'TRUNCATE ledger_entry',
      `UPDATE ledger_transaction SET kind = 'cashback_void'`,
      'DELETE FROM ledger_transaction',
      'TRUNCATE ledger_transaction CASCADE',
      `INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
       VALUES ('entries', 1, 'c', 'player_pending', 'p', 7, 'EUR'), ('entries', 2, 'c', 'player_pending', 'p', -7, 'EUR')
           ON CONFLICT (transaction_id, position) DO UPDATE SET amount_minor = EXCLUDED.amount_minor`,
    ]) {
      expect(await refusalOf(client.query(change)), change).to.equal(appendOnly)
    }
  })
})
