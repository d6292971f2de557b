import { expect } from 'chai'
import { actActions, meaningOf } from '../../../core/act/decide-act.ts'
import type { CashbackSnapshot } from '../../../core/cashback/cashback.ts'
import { isBeingReversed } from '../../../core/cashback/course.ts'
import { decideCashbackActions } from '../../../core/cashback/decide-actions.ts'
import { decideCashbackMove } from '../../../core/cashback/decide-resolution.ts'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { cashbackTransitions } from '../../../core/cashback/state.ts'
import type { CashbackState } from '../../../core/cashback/state.ts'
import { RewardsError } from '../../../core/errors.ts'
import { isStateOf } from '../../../core/state-machine.ts'

const now = new Date('2026-03-04T12:00:00Z')
const states = Object.keys(cashbackTransitions).filter((state) => isStateOf(cashbackTransitions, state))
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
  prizeState: 'cashback_pending',
  prizeRevision: 2,
  doneAnswers: [],
  ...changes,
})

/** All that can be said with an action. */
const moves: Readonly<Record<string, readonly CashbackMove[]>> = {
  retry: [{ kind: 'retry' }],
  'release-wallet': [{ kind: 'release' }],
  resolve: (['credited', 'declined', 'reversed'] as const).map((outcome) => ({ kind: 'resolve', outcome })),
  reverse: (['return', 'void'] as const).flatMap((prize) =>
    [true, false].map((isMoneyBack) => ({ kind: 'reverse', prize, isMoneyBack }) as const),
  ),
}

function isPossible(move: CashbackMove, cashback: CashbackSnapshot): boolean {
  try {
    decideCashbackMove(move, cashback, now)
    return true
  } catch (error) {
    if (error instanceof RewardsError) return false
    throw error
  }
}

describe('the actions offered on a cashback', () => {
  it('are allowed exactly where at least one request for them would be carried out', () => {
    const seen = new Set<string>()
    for (const state of states) {
      for (const changes of [{}, { walletAsked: 'a' }, { attemptUntil: new Date(now.getTime() + 1) }]) {
        const cashback = cashbackIn(state, changes)
        for (const { name, refusal } of decideCashbackActions(cashback, now)) {
          const can = moves[name]?.some((move) => isPossible(move, cashback))
          expect(refusal === null, `${name} of ${JSON.stringify({ state, ...changes })}`).to.equal(can)
          seen.add(`${name} ${String(can)}`)
        }
      }
    }
    expect(seen.size).to.equal(8)
  })

  it('cannot be undone where they decide about money', () => {
    for (const { name, cannotUndo } of decideCashbackActions(cashbackIn('unknown'), now)) {
      expect(cannotUndo, name).to.equal(name !== 'retry')
    }
  })

  it('warn that another wallet may pay a second time', () => {
    const release = decideCashbackActions(cashbackIn('unknown'), now).find(
      ({ name }) => name === 'release-wallet',
    )
    expect(release?.consequence).to.contain('paid twice')
  })

  it('are the same as the actions of acts on cashbacks', () => {
    const names = actActions.flatMap((action) => /^cashback\.(.+)$/.exec(action)?.[1] ?? [])
    expect(decideCashbackActions(cashbackIn('unknown'), now).map(({ name }) => name)).to.deep.equal(names)
  })

  it('name the chosen outcome in the preview of an act', () => {
    const reverse = (params: object) => meaningOf('cashback.reverse').effect(params).consequence
    expect(reverse({ prize: 'void' })).to.equal(
      'The credit is taken back from the player; then the prize becomes void.',
    )
    expect(reverse({ prize: 'return', money_back: true })).to.equal(
      'The casino has the money already, and no wallet is asked; then the player gets the prize back.',
    )
    const resolve = meaningOf('cashback.resolve').effect({ outcome: 'credited' })
    expect(resolve.consequence).to.equal('The cashback is recorded as credited, and no wallet is asked.')
  })
})
