import { expect } from 'chai'
import { actActions, decidesMoney, isAboveLimit, meaningOf, sumOf } from '../../../core/act/decide-act.ts'
import { decideActMove } from '../../../core/act/decide-act-move.ts'
import type { ActMove, ActMoveContext, MovableAct } from '../../../core/act/decide-act-move.ts'
import { RewardsError } from '../../../core/errors.ts'

const now = new Date('2030-01-01T00:00:00Z')
const euros = (amount: bigint) => ({ amountMinor: amount, currency: 'EUR' })

const act: MovableAct = {
  state: 'previewed',
  madeBy: 'operator:ada',
  amounts: [euros(500n)],
  expiresAt: new Date(now.getTime() + 1),
}
const context: ActMoveContext = { actor: 'operator:ada', limits: [], isMakerAble: true, now }

function outcomeOf(
  move: ActMove,
  changes: Partial<MovableAct> = {},
  more: Partial<ActMoveContext> = {},
): string {
  try {
    return decideActMove(move, { ...act, ...changes }, { ...context, ...more }).to
  } catch (error) {
    if (error instanceof RewardsError) return error.code
    throw error
  }
}

describe('decideActMove', () => {
  const pending = { state: 'pending_approval' } as const
  const grace = { actor: 'operator:grace' }

  it('starts an act below the limit, and lets one above it wait for another operator', () => {
    expect(outcomeOf('start')).to.equal('running')
    expect(outcomeOf('start', {}, { limits: [euros(500n)] })).to.equal('running')
    expect(outcomeOf('start', {}, { limits: [euros(499n)] })).to.equal('pending_approval')
    expect(outcomeOf('start', {}, { limits: [{ amountMinor: 1n, currency: 'USD' }] })).to.equal('running')
  })

  it('requires no second operator for the acts of API keys', () => {
    for (const actor of ['admin', 'key:abc']) {
      expect(outcomeOf('start', { madeBy: actor }, { actor, limits: [euros(0n)] })).to.equal('running')
    }
  })

  it('lets only the maker start an act, once, and in time', () => {
    expect(outcomeOf('start', {}, grace)).to.equal('act_not_yours')
    expect(outcomeOf('start', { state: 'running' })).to.equal('transition_illegal')
    expect(outcomeOf('start', { expiresAt: now })).to.equal('act_expired')
    expect(outcomeOf('start', { state: 'expired' })).to.equal('act_expired')
  })

  it('lets only another operator approve or decline', () => {
    for (const [move, state] of [
      ['approve', 'running'],
      ['decline', 'declined'],
    ] as const) {
      expect(outcomeOf(move, pending, grace)).to.equal(state)
      expect(outcomeOf(move, pending)).to.equal('approval_by_maker')
      expect(outcomeOf(move, pending, { actor: 'admin' })).to.equal('session_required')
      expect(outcomeOf(move, pending, { actor: 'key:abc' })).to.equal('session_required')
      expect(outcomeOf(move, {}, grace)).to.equal('transition_illegal')
      expect(outcomeOf(move, { ...pending, expiresAt: now }, grace)).to.equal('act_expired')
    }
  })

  it('refuses the approval of an act whose maker has lost the right, but lets it be declined', () => {
    expect(outcomeOf('approve', pending, { ...grace, isMakerAble: false })).to.equal('act_maker_unable')
    expect(outcomeOf('decline', pending, { ...grace, isMakerAble: false })).to.equal('declined')
  })

  it('stops an act that has not ended', () => {
    expect(outcomeOf('stop')).to.equal('stopped')
    expect(outcomeOf('stop', pending)).to.equal('stopped')
    expect(outcomeOf('stop', { state: 'running' })).to.equal('stopping')
    for (const state of ['stopping', 'done', 'stopped', 'declined'] as const) {
      expect(outcomeOf('stop', { state })).to.equal('transition_illegal')
    }
  })
})

describe('the money that an act decides about', () => {
  it('is summed for each currency separately', () => {
    const amounts = [euros(3n), { amountMinor: 5n, currency: 'CHF' }, euros(4n)]
    expect(sumOf(amounts)).to.deep.equal([{ amountMinor: 5n, currency: 'CHF' }, euros(7n)])
    expect(isAboveLimit(amounts, [euros(6n)])).to.equal(true)
    expect(isAboveLimit(amounts, [euros(7n)])).to.equal(false)
  })

  it('is counted exactly for the actions that need the right of finance, except declining a cashback', () => {
    for (const action of actActions) {
      expect(decidesMoney(action, {}), action).to.equal(meaningOf(action).right === 'finance')
    }
    expect(decidesMoney('cashback.resolve', { outcome: 'declined' })).to.equal(false)
  })
})
