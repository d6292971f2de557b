import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import type { WalletBehaviour } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'

interface Row {
  what: string
  behaviour: WalletBehaviour
  state: 'credited' | 'declined' | 'unknown' | 'manual_review'
  problem?: string
}
const answer = (status: number, body: unknown): WalletBehaviour => ({ status, body })
const rows: readonly Row[] = [
  { what: 'credits', behaviour: 'honest', state: 'credited' },
  { what: 'says 201', behaviour: answer(201, { status: 'credited' }), state: 'credited' },
  {
    what: 'repeats the right amount',
    behaviour: answer(200, { status: 'credited', amount_minor: 500, currency: 'EUR' }),
    state: 'credited',
  },
  {
    what: 'has credited before, with 409 and the amount as text',
    behaviour: answer(409, { status: 'already_processed', amount_minor: '500', currency: 'EUR' }),
    state: 'credited',
  },
  {
    what: 'has credited another amount before',
    behaviour: 'wrong-amount',
    state: 'manual_review',
    problem: 'amount_mismatch',
  },
  {
    what: 'credits another amount',
    behaviour: 'wrong-echo',
    state: 'manual_review',
    problem: 'amount_mismatch',
  },
  {
    what: 'has credited another currency before',
    behaviour: answer(200, { status: 'already_processed', amount_minor: 500, currency: 'USD' }),
    state: 'manual_review',
    problem: 'amount_mismatch',
  },
  ...['player_unknown', 'player_blocked', 'account_closed', 'currency_unsupported', 'limit_exceeded'].map(
    (code): Row => ({
      what: `declines with ${code}`,
      behaviour: answer(422, { status: 'declined', code }),
      state: 'declined',
      problem: code,
    }),
  ),
  {
    what: 'refuses with a code that is not listed',
    behaviour: answer(422, { status: 'declined', code: 'mood' }),
    state: 'unknown',
    problem: 'refusal_unlisted',
  },
  {
    what: 'refuses a duplicate, which may be credited',
    behaviour: answer(409, { status: 'declined', code: 'duplicate_refused' }),
    state: 'unknown',
    problem: 'refusal_unlisted',
  },
  ...[429, 500, 502, 503].map((status): Row => ({
    what: `answers ${status}, whatever is in it`,
    behaviour: answer(status, { status: 'declined', code: 'player_unknown' }),
    state: 'unknown',
    problem: `status_${status}`,
  })),
  {
    what: 'accepts for later',
    behaviour: answer(202, { status: 'credited' }),
    state: 'unknown',
    problem: 'status_202',
  },
  {
    what: 'credits with a failure',
    behaviour: answer(422, { status: 'credited' }),
    state: 'unknown',
    problem: 'status_422',
  },
  {
    what: 'redirects',
    behaviour: { status: 307, body: '', headers: { Location: 'http://127.0.0.1:1/' } },
    state: 'unknown',
    problem: 'status_307',
  },
  {
    what: 'answers garbage',
    behaviour: answer(200, '<html>'),
    state: 'unknown',
    problem: 'answer_malformed',
  },
  { what: 'answers twice in one', behaviour: 'twice', state: 'unknown', problem: 'answer_malformed' },
  { what: 'answers nothing', behaviour: answer(200, ''), state: 'unknown', problem: 'answer_malformed' },
  { what: 'answers null', behaviour: answer(200, 'null'), state: 'unknown', problem: 'answer_invalid' },
  { what: 'answers a list', behaviour: answer(200, []), state: 'unknown', problem: 'answer_invalid' },
  { what: 'answers no word at all', behaviour: answer(200, {}), state: 'unknown', problem: 'answer_invalid' },
  {
    what: 'says that it has taken money back',
    behaviour: answer(200, { status: 'debited' }),
    state: 'unknown',
    problem: 'answer_invalid',
  },
  {
    what: 'answers another word',
    behaviour: answer(200, { status: 'ok' }),
    state: 'unknown',
    problem: 'answer_invalid',
  },
  {
    what: 'has credited before and does not say how much',
    behaviour: answer(200, { status: 'already_processed' }),
    state: 'unknown',
    problem: 'answer_invalid',
  },
  {
    what: 'says half of an amount',
    behaviour: answer(200, { status: 'credited', amount_minor: 500 }),
    state: 'unknown',
    problem: 'answer_invalid',
  },
  {
    what: 'sends more than anybody reads',
    behaviour: answer(200, { status: 'credited', padding: 'x'.repeat(100_000) }),
    state: 'unknown',
    problem: 'answer_too_large',
  },
  {
    what: 'credits and breaks the connection',
    behaviour: 'act-then-die',
    state: 'unknown',
    problem: 'connection_lost',
  },
  { what: 'hangs', behaviour: 'hang', state: 'unknown', problem: 'timeout' },
  { what: 'credits and hangs', behaviour: 'act-then-hang', state: 'unknown', problem: 'timeout' },
]
const expected = {
  credited: { postings: ['credit', 'reserve'], prize: 'cashed_back', history: ['credited'], result: 'done' },
  declined: { postings: ['reserve', 'void'], prize: 'won', history: ['declined'], result: 'done' },
  unknown: { postings: ['reserve'], prize: 'cashback_pending', history: ['unknown'], result: 'snoozed' },
  manual_review: {
    postings: ['reserve'],
    prize: 'cashback_pending',
    history: ['unknown', 'manual_review'],
    result: 'done',
  },
} as const

describe('the answer of a casino’s own wallet', () => {
  let crediting: Crediting

  const atEnd = atEndOfSuite()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    await crediting.begin()
    atTestEnd(() => crediting.end())
  })

  for (const { what, behaviour, state, problem = null } of rows) {
    it(`makes a cashback ${state} when the wallet ${what}`, async () => {
      const work = await crediting.requestOne(500)
      crediting.wallet().behave(behaviour)
      const { postings, prize, history, result } = expected[state]
      expect(await crediting.run(work)).to.equal(result)

      const cashback = await crediting.read(work)
      expect(cashback).to.include({ state, problem, wallet: 'http', attempts: 1, attemptUntil: null })
      expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(postings)
      expect((await crediting.prizeOf(work)).state).to.equal(prize)
      expect(await crediting.typesOf(work)).to.deep.equal(['requested', 'processing', ...history])
      expect((await crediting.historyOf(work)).at(-1)?.data).to.deep.equal(
        problem === null ? { attempt: 1 } : { attempt: 1, problem },
      )
      if (result === 'snoozed') {
        expect(await crediting.restsMs(work)).to.be.within(5_000, 6_000)
      } else {
        expect(await crediting.outboxOf(work)).to.equal(null)
      }
      expect(
        Object.values(await balancesOf(crediting.database, cashback.casinoId)).reduce(
          (sum, one) => sum + one,
          0,
        ),
      ).to.equal(0)
    })
  }

  for (const [what, behaviour] of [
    ['has credited another amount before', 'wrong-amount'],
    ['credits another amount', 'wrong-echo'],
    [
      'has credited another currency before',
      answer(409, { status: 'already_processed', amount_minor: 500, currency: 'USD' }),
    ],
  ] satisfies [string, WalletBehaviour][]) {
    it(`raises the alarm when the wallet ${what}, and the wallet is asked no more`, async () => {
      const work = await crediting.requestOne()
      const { casinoId } = await crediting.read(work)
      crediting.wallet().behave(behaviour)
      const lines: unknown[] = []
      const reviews: string[] = []
      const write = (line: string) => void lines.push(JSON.parse(line))
      const log = pino({ level: 'error', base: null, timestamp: false }, { write })
      const other = crediting.startOther({ log, onReview: (problem) => void reviews.push(problem) })
      expect(await other.run(work)).to.equal('done')
      expect(reviews).to.deep.equal(['amount_mismatch'])
      expect(lines).to.deep.equal([
        {
          level: 50,
          casinoId,
          cashbackId: work.objectId,
          operation: 'credit',
          attempts: 1,
          problem: 'amount_mismatch',
          msg: 'wallet credited another amount than requested',
        },
      ])
      expect(await other.run(work)).to.equal('nothing_to_do')
      expect(crediting.wallet().calls).to.have.length(1)
    })
  }
})
