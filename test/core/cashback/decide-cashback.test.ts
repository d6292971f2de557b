import { expect } from 'chai'
import { decideCashback } from '../../../core/cashback/decide-cashback.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import type { PrizeState } from '../../../core/prize/state.ts'
import type { PrizeSnapshot } from '../../../core/prize/prize.ts'

const now = new Date('2026-03-04T12:00:00Z')
const prize = (changes: Partial<PrizeSnapshot> = {}): PrizeSnapshot => ({
  playerId: 'p',
  kind: 'bonus',
  state: 'won',
  cashbackAmountMinor: 9_007_199_254_740_993n,
  cashbackCurrency: 'EUR',
  expiresAt: null,
  ...changes,
})
const codeOf = (snapshot: PrizeSnapshot | undefined): unknown => {
  try {
    decideCashback('p', snapshot, now)
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'accepted'
}

describe('decideCashback', () => {
  it('accepts any kind of prize that has a cashback, while it is won', () => {
    for (const kind of ['physical', 'cash', 'bonus']) expect(codeOf(prize({ kind }))).to.equal('accepted')
    for (const state of Object.keys(prizeTransitions) as PrizeState[]) {
      if (state !== 'won') expect(codeOf(prize({ state }))).to.equal('prize_not_cashable')
    }
    expect(codeOf(prize({ cashbackAmountMinor: null, cashbackCurrency: null }))).to.equal(
      'prize_not_cashable',
    )
    expect(codeOf(prize({ expiresAt: now }))).to.equal('prize_not_cashable')
  })

  it('distinguishes an unknown prize from another player’s', () => {
    expect(codeOf(undefined)).to.equal('prize_unknown')
    expect(codeOf(prize({ playerId: 'q' }))).to.equal('prize_not_owned')
  })
})
