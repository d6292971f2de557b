import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { isClaimable } from '../prize/prize.ts'
import type { PrizeSnapshot } from '../prize/prize.ts'

/**
 * Checks that this player may take this prize as cashback. Returns the promised amount and the prize's revision. Throws
 * `prize_unknown`, `prize_not_owned` or `prize_not_cashable`.
 */
export function decideCashback(
  playerId: string,
  prize: PrizeSnapshot | undefined,
  now: Date,
): Money & { revision: number } {
  if (prize === undefined) throw new RewardsError('prize_unknown')
  if (prize.playerId !== playerId) throw new RewardsError('prize_not_owned')
  const { cashbackAmountMinor: amountMinor, cashbackCurrency: currency, revision } = prize
  if (amountMinor === null || currency === null || !isClaimable(prize, now)) {
    throw new RewardsError('prize_not_cashable')
  }
  return { amountMinor, currency, revision }
}
