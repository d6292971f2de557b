import { expect } from 'chai'
import { decideOrder } from '../../../core/prize-order/decide-order.ts'
import type { PrizeSnapshot } from '../../../core/prize/prize.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import type { PrizeState } from '../../../core/prize/state.ts'

const now = new Date('2026-03-04T12:00:00Z')
const prize = (changes: Partial<PrizeSnapshot> = {}): PrizeSnapshot => ({
  playerId: 'p',
  kind: 'physical',
  state: 'won',
  cashbackAmountMinor: null,
  cashbackCurrency: null,
  expiresAt: null,
  ...changes,
})
const codeOf = (snapshot: PrizeSnapshot | undefined): unknown => {
  try {
    decideOrder('p', snapshot, now)
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'placed'
}

describe('decideOrder', () => {
  it('accepts a physical prize that the player has won', () => {
    expect(codeOf(prize())).to.equal('placed')
  })

  it('checks the owner of a prize before anything else about it', () => {
    expect(codeOf(undefined)).to.equal('prize_unknown')
    expect(codeOf(prize({ playerId: 'q', kind: 'cash', state: 'voided' }))).to.equal('prize_not_owned')
  })

  it('refuses every other kind and state', () => {
    for (const kind of ['cash', 'bonus', 'none'])
      expect(codeOf(prize({ kind }))).to.equal('prize_not_orderable')
    for (const state of Object.keys(prizeTransitions) as PrizeState[]) {
      expect(codeOf(prize({ state }))).to.equal(state === 'won' ? 'placed' : 'prize_not_orderable')
    }
  })

  it('accepts a prize up to its last moment', () => {
    expect(codeOf(prize({ expiresAt: new Date(now.getTime() + 1) }))).to.equal('placed')
    expect(codeOf(prize({ expiresAt: now }))).to.equal('prize_not_orderable')
  })
})
