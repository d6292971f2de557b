import { expect } from 'chai'
import fc from 'fast-check'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { createMoveCashbacks } from '../../../core/cashback/move-cashbacks.ts'
import { putSetting } from '../../../core/casino/change-settings.ts'
import { createRequestCashbacks } from '../../../core/cashback/request-cashbacks.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { readBalances } from '../../../core/ledger/read-balances.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { createFactory } from '../../support/factory.ts'
import { useWallet } from '../../support/fake-wallet.ts'
import { postingsOf } from '../../support/ledger.ts'
import { runs } from '../../support/runs.ts'

/** The course of a cashback: the wallet, the moves of an operator, and the postings that result. */
const fates = {
  'credited by our ledger': { wallet: undefined, moves: [], postings: 'credit,reserve', isPaid: true },
  'credited by a wallet': { wallet: 'honest', moves: [], postings: 'credit,reserve', isPaid: true },
  'declined by a wallet': { wallet: 'decline', moves: [], postings: 'reserve,void', isPaid: false },
  'credited by a person': {
    wallet: 'act-then-die',
    moves: [{ kind: 'resolve', outcome: 'credited' }],
    postings: 'credit,reserve',
    isPaid: true,
  },
  'declined by a person': {
    wallet: 'hang',
    moves: [{ kind: 'resolve', outcome: 'declined' }],
    postings: 'reserve,void',
    isPaid: false,
  },
  'reversed, with the prize back': {
    wallet: undefined,
    moves: [{ kind: 'reverse', prize: 'return', isMoneyBack: false }],
    postings: 'credit,reserve,reversal',
    isPaid: false,
  },
  'reversed, with the prize void': {
    wallet: 'honest',
    moves: [{ kind: 'reverse', prize: 'void', isMoneyBack: false }],
    postings: 'credit,reserve,reversal',
    isPaid: false,
  },
  'reversed by the casino itself': {
    wallet: 'honest',
    moves: [{ kind: 'reverse', prize: 'return', isMoneyBack: true }],
    postings: 'credit,reserve,reversal',
    isPaid: false,
  },
  'not taken back, says a person': {
    wallet: 'act-then-die',
    moves: [
      { kind: 'resolve', outcome: 'credited' },
      { kind: 'reverse', prize: 'void', isMoneyBack: false },
      { kind: 'resolve', outcome: 'credited' },
    ],
    postings: 'credit,reserve',
    isPaid: true,
  },
  'under way': { wallet: 'act-then-die', moves: [], postings: 'reserve', isPaid: false },
} as const satisfies Record<
  string,
  {
    wallet: 'honest' | 'decline' | 'act-then-die' | 'hang' | undefined
    moves: CashbackMove[]
    postings: string
    isPaid: boolean
  }
>
type Fate = keyof typeof fates

const anyCashback = fc.record({
  fate: fc.constantFrom(...(Object.keys(fates) as Fate[])),
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.constant(9_007_199_254_740_993n)),
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
})

/** Each fate once, because chance may miss some. */
const eachFate = (Object.keys(fates) as Fate[]).map((fate, index) => ({
  fate,
  amount: BigInt(index + 1),
  currency: index % 2 === 0 ? 'EUR' : 'USD',
}))

describe('the ledger of cashbacks', function () {
  this.timeout(120_000)
  let crediting: Crediting

  const atEnd = atEndOfSuite()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })

  const request = async (casinoId: string, playerId: string, amount: bigint, currency: string) => {
    const { database, clock } = crediting
    const { prizeId } = await createFactory(database, crediting.config.hashSecret).prize(casinoId, {
      playerId,
    })
    await database.prize.update({
      where: { casinoId_id: { casinoId, id: prizeId } },
      data: { cashbackAmountMinor: amount, cashbackCurrency: currency },
    })
    const works: DueWork[] = []
    const handOver = (caused: readonly DueWork[]) => void works.push(...caused)
    const { processWaiting: run } = createRequestCashbacks({ database, clock, handOver, response: '{}' })
    await run([{ casinoId, playerId, prizeId, claim: undefined, actor: 'test', requestId: 'test' }])
    const [work] = works
    if (work === undefined) throw new Error('no cashback')
    return work
  }
  const live = async (casinoId: string, work: DueWork, fate: Fate) => {
    const { database, clock, config } = crediting
    const { wallet, moves } = fates[fate]
    if (wallet === undefined) {
      const cipher = createEnvelopeCipher(config.encryptionKeys)
      const wish = { casinoId, name: 'wallet' as const, value: { kind: 'ledger' as const } }
      const by = { secret: 'none' as const, actor: 'test', requestId: 'test' }
      await putSetting({ database, cipher, clock }, { ...wish, ...by })
    } else {
      crediting.wallet().behave(wallet)
      await useWallet(database, config, casinoId, crediting.wallet(), 500)
    }
    await crediting.restart()
    await crediting.run(work)
    for (const move of moves) {
      const caused: DueWork[] = []
      const handOver = (works: readonly DueWork[]) => void caused.push(...works)
      const run = createMoveCashbacks({ database: crediting.database, clock, handOver })
      const by = { actor: 'test', reason: 'chance', requestId: 'test' }
      const [result] = await run([{ casinoId, cashbackId: work.objectId, move, ...by }])
      if (result !== undefined && 'error' in result) throw result.error
      for (const next of caused) await crediting.run(next)
    }
  }

  it('sums to zero in every transaction and currency, with any outcome', async () => {
    const seen = new Set<Fate>()
    await fc.assert(
      fc.asyncProperty(fc.array(anyCashback, { minLength: 1, maxLength: 4 }), async (cashbacks) => {
        await crediting.begin()
        try {
          const { id: casinoId } = await createFactory(
            crediting.database,
            crediting.config.hashSecret,
          ).casino()
          const expected = new Map<string, bigint>()
          for (const { fate, amount, currency } of cashbacks) {
            seen.add(fate)
            const work = await request(casinoId, 'player', amount, currency)
            await live(casinoId, work, fate)
            const { postings, isPaid } = fates[fate]
            expect((await postingsOf(crediting.database, work.objectId)).join(), fate).to.equal(postings)
            // A cashback that was credited and reversed adds nothing to the balance.
            if (postings.startsWith('credit')) {
              expected.set(currency, (expected.get(currency) ?? 0n) + (isPaid ? amount : 0n))
            }
          }
          expect(await sumsOf(casinoId)).to.deep.equal([])
          const balances = await readBalances(crediting.database, casinoId, 'player')
          expect(new Map(balances.map(({ currency, amountMinor }) => [currency, amountMinor]))).to.deep.equal(
            expected,
          )
        } finally {
          await crediting.end()
        }
      }),
      { numRuns: runs(3, 1), endOnFailure: true, examples: [[eachFate]] },
    )
    expect([...seen]).to.have.members(Object.keys(fates))
  })

  /** The transactions of a casino whose entries do not sum to zero, by currency. */
  const sumsOf = (casinoId: string) => crediting.database.$queryRaw`
    SELECT transaction_id, currency, sum(amount_minor)::text FROM ledger_entry
     WHERE casino_id = ${casinoId}::text GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0
     UNION ALL
    SELECT ledger_transaction.id, 'without entries', NULL FROM ledger_transaction
     WHERE casino_id = ${casinoId}::text
       AND NOT EXISTS (SELECT FROM ledger_entry WHERE transaction_id = ledger_transaction.id)`
})
