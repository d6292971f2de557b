import { expect } from 'chai'
import fc from 'fast-check'
import { wordsOf } from '../../../core/cashback/cashback.ts'
import type { CashbackSnapshot } from '../../../core/cashback/cashback.ts'
import { courseOf, isBeingReversed } from '../../../core/cashback/course.ts'
import {
  decideCreditResult,
  decideCreditStep,
  isCreditedUnseen,
  planAttempt,
  planLedgerCredit,
  planReview,
} from '../../../core/cashback/decide-credit.ts'
import type { AttemptOutcome } from '../../../core/cashback/decide-credit.ts'
import { decideCashbackMove } from '../../../core/cashback/decide-resolution.ts'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { cashbackTransitions } from '../../../core/cashback/state.ts'
import type { CashbackState } from '../../../core/cashback/state.ts'
import type { DoneAnswer } from '../../../core/cashback/wallet-answer.ts'
import { RewardsError } from '../../../core/errors.ts'
import { declineCodes } from '../../../core/partner/wallet-outcome.ts'
import type { WalletOutcome } from '../../../core/partner/wallet-outcome.ts'
import type { PrizeState } from '../../../core/prize/state.ts'

const now = new Date('2027-05-06T12:00:00Z')
const states = Object.keys(cashbackTransitions) as CashbackState[]
const prizeStateOf = (state: CashbackState): PrizeState =>
  state === 'credited' || isBeingReversed(state)
    ? 'cashed_back'
    : state === 'declined' || state === 'reversed'
      ? 'won'
      : 'cashback_pending'

const cashbackIn = (state: CashbackState, changes: Partial<CashbackSnapshot> = {}): CashbackSnapshot => ({
  casinoId: 'c',
  id: 'cbk_1',
  prizeId: 'prz_1',
  playerId: 'p',
  amountMinor: 500n,
  currency: 'EUR',
  state,
  revision: 3,
  wallet: 'http',
  walletAsked: null,
  attempts: 1,
  attemptUntil: null,
  walletReference: null,
  problem: null,
  reversalPrize: isBeingReversed(state) ? 'return' : null,
  debitNumber: 1,
  debitAttempts: 0,
  createdAt: now,
  updatedAt: now,
  prizeState: prizeStateOf(state),
  prizeRevision: 2,
  doneAnswers: [],
  ...changes,
})

const otherAmount = { amountMinor: 501n, currency: 'EUR' }
const said = (answer: Partial<DoneAnswer>): DoneAnswer => ({
  operation: 'credit',
  transactionId: 'cbk_1',
  wallet: 'a',
  amount: undefined,
  ...answer,
})

const reversals = states.filter(isBeingReversed)
const each = (some: readonly CashbackState[], outcome: (state: CashbackState) => string) =>
  Object.fromEntries(some.map((state) => [state, outcome(state)]))

const anyState = fc.constantFrom(...states)
const anyRandom = fc.double({ min: 0, max: 1, noNaN: true })
const anyAmount = fc.record({
  amountMinor: fc.constantFrom(500n, 501n, -500n, 0n),
  currency: fc.constantFrom('EUR', 'USD'),
})
const anyOutcome: fc.Arbitrary<WalletOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant('credited' as const),
    amount: fc.option(anyAmount, { nil: undefined }),
    reference: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('already_processed' as const),
    amount: anyAmount,
    reference: fc.constant('r'),
  }),
  fc.record({ kind: fc.constant('declined' as const), code: fc.constantFrom(...declineCodes) }),
  fc.record({
    kind: fc.constantFrom('misconfigured' as const, 'unknown' as const),
    problem: fc.constant('x'),
  }),
)

describe('deciding the next state of a cashback', () => {
  it('credits only when the wallet confirms this amount, and gives back only what it has declined', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyOutcome, fc.integer({ min: 1, max: 50 }), anyRandom, (outcome, attempts, random) => {
        const { plan, retryAt } = decideCreditResult(outcome, cashbackIn('processing', { attempts }), {
          now,
          random,
          isFirstToAsk: true,
          wallet: 'a',
        })
        const to = plan.steps.at(-1)?.to
        seen.add(String(to))
        const isPaid =
          (outcome.kind === 'credited' || outcome.kind === 'already_processed') &&
          (outcome.amount === undefined ||
            (outcome.amount.amountMinor === 500n && outcome.amount.currency === 'EUR'))
        expect(to === 'credited').to.equal(isPaid)
        expect(to === 'declined').to.equal(outcome.kind === 'declined')
        expect(plan.prizeTo).to.equal(isPaid ? 'cashed_back' : to === 'declined' ? 'won' : undefined)
        // A cashback that is not settled is tried again or left to an operator: none is stuck.
        expect(retryAt !== null).to.equal(to === 'unknown')
        if (retryAt !== null) expect(retryAt.getTime()).to.be.greaterThan(now.getTime())
        expect(plan.fields?.attemptUntil).to.equal(null)
        expect(plan.fields?.problem === null).to.equal(isPaid)
      }),
      { numRuns: 2_000 },
    )
    expect(seen).to.deep.equal(new Set(['credited', 'declined', 'unknown', 'manual_review']))
  })

  it('forgets which wallet was asked only when no attempt can have arrived', () => {
    const fieldsAfter = (outcome: WalletOutcome, isFirstToAsk: boolean) =>
      decideCreditResult(outcome, cashbackIn('processing', { walletAsked: 'a' }), {
        now,
        random: 0,
        isFirstToAsk,
        wallet: 'a',
      }).plan.fields
    const unsent = { kind: 'unknown', problem: 'connection_refused' } as const
    const refused = { kind: 'misconfigured', problem: 'status_404' } as const
    const lost = { kind: 'unknown', problem: 'timeout' } as const
    for (const outcome of [unsent, refused]) {
      expect(fieldsAfter(outcome, true)).to.include({ walletAsked: null })
      expect(fieldsAfter(outcome, false)).not.to.have.property('walletAsked')
    }
    expect(fieldsAfter(lost, true)).not.to.have.property('walletAsked')
  })

  it('counts no attempt that was not made', () => {
    const cashback = cashbackIn('processing', { attempts: 3, walletAsked: 'a' })
    const fieldsAfter = (outcome: AttemptOutcome, isFirstToAsk = false) =>
      decideCreditResult(outcome, cashback, { now, random: 0, isFirstToAsk, wallet: 'a' }).plan.fields
    for (const problem of ['url_invalid', 'address_forbidden']) {
      expect(fieldsAfter({ kind: 'misconfigured', problem })).to.include({ attempts: 2 })
    }
    expect(fieldsAfter({ kind: 'misconfigured', problem: 'status_401' })).not.to.have.property('attempts')
    expect(fieldsAfter({ kind: 'not_made' })).to.include({ attempts: 2, problem: 'not_called' })
    expect(fieldsAfter({ kind: 'not_made' })).not.to.have.property('walletAsked')
    expect(fieldsAfter({ kind: 'not_made' }, true)).to.include({ walletAsked: null })
  })

  it('credits a new cashback unseen only where a look at it would lead to the same', () => {
    const anyVia = fc.oneof(
      fc.constant({ kind: 'ledger' as const }),
      fc.record({ kind: fc.constant('http' as const), id: fc.string(), isPaused: fc.boolean() }),
    )
    const cashback = cashbackIn('requested', { revision: 1, wallet: 'ledger', attempts: 0, prizeRevision: 2 })
    fc.assert(
      fc.property(anyVia, anyRandom, (via, random) => {
        const step = decideCreditStep(cashback, via, { now, random })
        expect(isCreditedUnseen(via)).to.equal(step.kind === 'credit')
      }),
    )
    const { steps, prizeTo, fields } = planLedgerCredit(cashback)
    expect([steps, prizeTo]).to.deep.equal([[{ to: 'credited' }], 'cashed_back'])
    expect(cashback).to.include(fields)
  })

  it('asks a wallet only about a cashback that is not settled, not paused and not under way', () => {
    const kinds = new Set<string>()
    const via = fc.oneof(
      fc.constant({ kind: 'ledger' as const }),
      fc.record({
        kind: fc.constant('http' as const),
        id: fc.constantFrom('a', 'b'),
        isPaused: fc.boolean(),
      }),
    )
    const lease = fc.constantFrom(null, new Date(now.getTime() - 1), now, new Date(now.getTime() + 1))
    const asked = fc.constantFrom(null, 'a')
    const anyAttempts = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(
        anyState,
        lease,
        via,
        anyRandom,
        asked,
        anyAttempts,
        (state, attemptUntil, how, random, by, attempts) => {
          const cashback = cashbackIn(state, {
            attemptUntil,
            walletAsked: by,
            attempts,
            debitAttempts: attempts,
          })
          const { operation, asked: asking, unknown, review } = courseOf(state)
          const step = decideCreditStep(cashback, how, { now, random })
          kinds.add(step.kind)
          const isOurs = state === 'requested' || state === asking || state === unknown
          const isLeased = state === asking && attemptUntil !== null && attemptUntil > now
          expect(step.kind === 'finish').to.equal(!isOurs)
          if (step.kind === 'credit') {
            expect(how.kind).to.equal('ledger')
            if (state !== 'requested') expect([by, attemptUntil]).to.deep.equal([null, null])
          }
          if (step.kind === 'attempt') {
            expect(isLeased || how.kind === 'ledger' || how.isPaused).to.equal(false)
            // Only a wallet that may have paid is asked again.
            if (by !== null && state !== 'requested') expect(how).to.include({ id: by })
            // A wallet that has not credited is never asked to take anything back.
            if (operation === 'debit') expect(by).not.to.equal(null)
            const counted = operation === 'debit' ? 'debitAttempts' : 'attempts'
            const plan = planAttempt(cashback, 'a', now)
            expect(plan.fields).to.include({ [counted]: attempts + 1, wallet: 'http' })
          }
          // The outcome of an attempt is settled before another one begins, even if the wallet is busy or paused.
          if (state === asking && attemptUntil !== null) {
            expect(step.kind).to.be.oneOf(['snooze', 'review', 'lost'])
          }
          if (step.kind === 'lost') {
            expect(isLeased).to.equal(false)
            const { plan, retryAt } = step.result
            expect(plan.steps.at(-1)).to.deep.equal({
              to: attempts > 7 ? review : unknown,
              data: { attempt: attempts, problem: 'result_lost' },
            })
            expect(retryAt === null).to.equal(attempts > 7)
          }
          if (step.kind === 'snooze') expect(step.until.getTime()).to.be.greaterThan(now.getTime())
          if (step.kind === 'review') {
            expect(planReview(cashback, step.problem).steps.at(-1)?.to).to.equal(review)
          }
        },
      ),
      { numRuns: 2_000 },
    )
    expect(kinds).to.deep.equal(new Set(['finish', 'credit', 'attempt', 'snooze', 'review', 'lost']))
  })

  const outcomeOf = (
    move: CashbackMove,
    state: CashbackState,
    changes: Partial<CashbackSnapshot> = {},
  ): string => {
    try {
      const plan = decideCashbackMove(move, cashbackIn(state, changes), now)
      return [...plan.steps.map(({ to }) => to), plan.prizeTo ?? '-', plan.work ?? '-'].join(' ')
    } catch (error) {
      expect(error).to.be.an.instanceOf(RewardsError)
      const { code, message } = error as RewardsError
      if (code === 'cashback_needs_resolution') return code
      expect(code).to.equal('transition_illegal')
      return message
    }
  }

  it('lets operators settle open cashbacks, and reverse credited ones', () => {
    const alreadyReversed = {
      ...each(reversals, () => 'The cashback is already being reversed'),
      reversed: 'The cashback is already reversed',
    }
    const moves: [CashbackMove, Partial<Record<CashbackState, string>>][] = [
      [
        { kind: 'retry' },
        {
          unknown: 'processing - wake',
          manual_review: 'processing - start',
          reversal_unknown: 'reversing - wake',
          reversal_review: 'reversing - start',
        },
      ],
      [
        { kind: 'resolve', outcome: 'credited' },
        {
          requested: 'credited cashed_back finish',
          processing: 'credited cashed_back finish',
          unknown: 'credited cashed_back finish',
          manual_review: 'credited cashed_back finish',
          credited: 'The cashback is already credited',
          // The credit was never taken back.
          ...each(reversals, () => 'credited - finish'),
        },
      ],
      [
        { kind: 'resolve', outcome: 'declined' },
        {
          requested: 'declined won finish',
          processing: 'unknown manual_review declined won finish',
          unknown: 'manual_review declined won finish',
          manual_review: 'declined won finish',
          declined: 'The cashback is already declined',
          ...each(reversals, (state) => `A cashback that is ${wordsOf(state)} cannot become declined`),
        },
      ],
      [
        { kind: 'resolve', outcome: 'reversed' },
        {
          ...each(
            ['requested', 'processing', 'unknown', 'manual_review'],
            (state) => `A cashback that is ${wordsOf(state)} cannot become reversed`,
          ),
          ...each(reversals, () => 'reversed won finish'),
          reversed: 'The cashback is already reversed',
        },
      ],
      [
        { kind: 'reverse', prize: 'return', isMoneyBack: false },
        { credited: 'reversing - start', ...alreadyReversed },
      ],
      [
        { kind: 'reverse', prize: 'return', isMoneyBack: true },
        { credited: 'reversed won -', ...alreadyReversed },
      ],
      [
        { kind: 'reverse', prize: 'void', isMoneyBack: true },
        { credited: 'reversed voided -', ...alreadyReversed },
      ],
    ]
    for (const [move, expected] of moves) {
      for (const state of states) {
        const refusal = `Cannot ${move.kind} a cashback that is ${wordsOf(state)}`
        expect(outcomeOf(move, state), `${move.kind} ${state}`).to.equal(expected[state] ?? refusal)
      }
    }
  })

  it('takes back a credit of the service’s own ledger immediately', () => {
    for (const isMoneyBack of [true, false]) {
      const move: CashbackMove = { kind: 'reverse', prize: 'void', isMoneyBack }
      expect(outcomeOf(move, 'credited', { wallet: 'ledger' })).to.equal('reversed voided -')
    }
  })

  it('refuses operators’ statements about a wallet while it is being asked', () => {
    const until = (ms: number) => ({ attemptUntil: new Date(now.getTime() + ms) })
    for (const outcome of ['credited', 'declined'] as const) {
      const move: CashbackMove = { kind: 'resolve', outcome }
      expect(outcomeOf(move, 'processing', until(1))).to.equal(
        'Cannot resolve a cashback while its wallet is being called: try again when the call has ended',
      )
      expect(outcomeOf(move, 'processing', until(0))).to.contain(outcome)
    }
    const reversed: CashbackMove = { kind: 'resolve', outcome: 'reversed' }
    expect(outcomeOf(reversed, 'reversing', until(1))).to.contain('while its wallet is being called')
    expect(outcomeOf(reversed, 'reversing', until(0))).to.equal('reversed won finish')
  })

  it('does not let any wallet be asked again about a cashback that a wallet has paid', () => {
    for (const state of ['unknown', 'manual_review'] as const) {
      for (const problem of ['amount_mismatch', 'wallet_contradicted']) {
        for (const kind of ['retry', 'release'] as const) {
          expect(outcomeOf({ kind }, state, { problem, walletAsked: 'a' })).to.equal(
            'cashback_needs_resolution',
          )
        }
        expect(outcomeOf({ kind: 'resolve', outcome: 'declined' }, state, { problem })).to.contain('declined')
      }
      const asked = { problem: 'wallet_changed', walletAsked: 'a' }
      expect(outcomeOf({ kind: 'release' }, state, asked)).to.equal(`${state} - -`)
      const paid = { ...asked, doneAnswers: [said({ wallet: 'a' })] }
      expect(outcomeOf({ kind: 'release' }, state, paid)).to.equal('cashback_needs_resolution')
      // The same wallet only repeats its answer; another wallet would pay a second time.
      expect(outcomeOf({ kind: 'retry' }, state, paid)).to.contain('processing')
      for (const doneAnswers of [[said({ wallet: 'b' })], [said({ wallet: 'a', amount: otherAmount })]]) {
        const contradicted = { problem: 'timeout', walletAsked: 'a', doneAnswers }
        expect(outcomeOf({ kind: 'retry' }, state, contradicted)).to.equal('cashback_needs_resolution')
      }
      expect(outcomeOf({ kind: 'release' }, state)).to.equal(
        'The cashback was never sent to a wallet: there is nothing to release',
      )
    }
  })

  const unclear: AttemptOutcome[] = [
    { kind: 'unknown', problem: 'timeout' },
    { kind: 'misconfigured', problem: 'status_401' },
    { kind: 'not_made' },
    { kind: 'declined', code: 'player_blocked' },
  ]
  const contradictions: [string, CashbackState, DoneAnswer, string][] = [
    ['another wallet has paid', 'processing', said({ wallet: 'b' }), 'wallet_contradicted'],
    ['another amount was paid', 'processing', said({ amount: otherAmount }), 'amount_mismatch'],
    [
      'a debit before was carried out',
      'reversing',
      said({ operation: 'debit', transactionId: 'debit_1_cbk_1' }),
      'wallet_contradicted',
    ],
  ]
  for (const [what, state, answer, problem] of contradictions) {
    const changes = { walletAsked: 'a', debitNumber: 2, attempts: 2, debitAttempts: 1, doneAnswers: [answer] }
    it(`asks no wallet, and gives nothing back, once it is recorded that ${what}`, () => {
      const cashback = cashbackIn(state, changes)
      const via = { kind: 'http', id: 'a', isPaused: false } as const
      const at = { now, random: 0.5 }
      expect(decideCreditStep(cashback, via, at)).to.deep.equal({ kind: 'review', problem })
      for (const outcome of unclear) {
        const result = decideCreditResult(outcome, cashback, {
          now,
          random: 0.5,
          isFirstToAsk: false,
          wallet: 'a',
        })
        const { unknown, review } = courseOf(state)
        expect(result.plan.steps.map(({ to }) => to)).to.deep.equal([unknown, review])
        expect(result.plan).to.deep.include({ prizeTo: undefined })
        expect(result.plan.fields).to.include({ problem, attemptUntil: null })
        expect(result.retryAt).to.equal(null)
      }
    })
  }

  it('gives nothing back when a wallet declines a cashback that it has reported as paid', () => {
    const cashback = cashbackIn('processing', { walletAsked: 'a', attempts: 2, doneAnswers: [said({})] })
    const at = { now, random: 0.5, isFirstToAsk: false, wallet: 'a' }
    const { plan } = decideCreditResult({ kind: 'declined', code: 'player_blocked' }, cashback, at)
    expect(plan.steps.at(-1)).to.deep.include({ to: 'manual_review' })
    expect(plan.fields).to.include({ problem: 'wallet_contradicted' })
    const unknown = decideCreditResult({ kind: 'unknown', problem: 'timeout' }, cashback, at)
    expect(unknown.plan.steps.at(-1)).to.deep.include({ to: 'unknown' })
  })
})
