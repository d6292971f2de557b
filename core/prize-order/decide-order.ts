import { RewardsError } from '../errors.ts'
import { isClaimable } from '../prize/prize.ts'
import type { PrizeSnapshot } from '../prize/prize.ts'

/** Checks that this player may order this prize. Throws `prize_unknown`, `prize_not_owned` or `prize_not_orderable`. */
export function decideOrder(playerId: string, prize: PrizeSnapshot | undefined, now: Date): void {
  if (prize === undefined) throw new RewardsError('prize_unknown')
  if (prize.playerId !== playerId) throw new RewardsError('prize_not_owned')
  if (prize.kind !== 'physical' || !isClaimable(prize, now)) throw new RewardsError('prize_not_orderable')
}
