import type { Settled } from '../batch/batcher.ts'
import { createMoveCashbacks } from '../cashback/move-cashbacks.ts'
import type { MoveCashbacksDeps } from '../cashback/move-cashbacks.ts'
import { RewardsError } from '../errors.ts'
import { parsePublicEventId } from '../event/public-event.ts'
import type { Money } from '../money.ts'
import { createMoveOrders } from '../prize-order/move-orders.ts'
import type { MoveOrdersDeps } from '../prize-order/move-orders.ts'
import { givePrize } from '../prize/give-prize.ts'
import { voidPrize } from '../prize/void-prize.ts'
import { replayEvent } from '../webhook/replay.ts'
import type { ActRecord } from './act.ts'
import { cashbackMoveOf, itemIdOf, meaningOf, moveDetailsOf, orderMoveOf } from './decide-act.ts'
import type { TakenObject } from './take-objects.ts'

export type CarryOutDeps = MoveOrdersDeps & MoveCashbacksDeps

/** Carries the action of an act out on each object, by its own move and under its claim. A result for each. */
export type CarryOut = (act: ActRecord, objects: readonly TakenObject[]) => Promise<Settled<unknown>[]>

export function createCarryOut(deps: CarryOutDeps): CarryOut {
  const moveOrders = createMoveOrders(deps)
  const moveCashbacks = createMoveCashbacks(deps)
  return async (act, objects) => {
    const { casinoId, action, params, madeBy: actor, reason } = act
    const { objectType } = meaningOf(action)
    const requestOf = ({ revision, claim }: TakenObject) => ({
      casinoId,
      actor,
      reason,
      requestId: act.requestId ?? act.id,
      claim,
      expectedRevision: revision ?? undefined,
    })
    switch (objectType) {
      case 'prize_order': {
        const move = orderMoveOf(action)
        if (move === undefined) throw new Error(`${action} is no move of an order`)
        const details = moveDetailsOf(params)
        return moveOrders(objects.map((one) => ({ ...requestOf(one), orderId: one.objectId, move, details })))
      }
      case 'cashback': {
        const move = cashbackMoveOf(action, params)
        return moveCashbacks(objects.map((one) => ({ ...requestOf(one), cashbackId: one.objectId, move })))
      }
      case 'prize':
        return oneByOne(objects, (one) => voidPrize(deps, { ...requestOf(one), prizeId: one.objectId }))
      case 'player':
        return oneByOne(objects, (one) =>
          givePrize(deps, {
            ...requestOf(one),
            playerId: one.objectId,
            itemId: itemIdOf(params),
            expectedValue: valueOfEach(act),
            // The claim keeps a second run from giving a second one.
            prizeId: undefined,
          }),
        )
      case 'event':
        return oneByOne(objects, ({ objectId, claim }) => {
          const eventNumber = parsePublicEventId(objectId)
          if (eventNumber === undefined) throw new RewardsError('event_unknown')
          return replayEvent(deps, { casinoId, eventNumber, endpointId: params.endpoint_id, claim })
        })
      default:
        return objectType satisfies never
    }
  }
}

/** The item may have changed since the preview, which counted it once for each player. */
function valueOfEach({ amounts, counts }: ActRecord): Money | null {
  const [sum] = amounts
  return sum === undefined ? null : { ...sum, amountMinor: sum.amountMinor / BigInt(counts.objects) }
}

async function oneByOne(
  objects: readonly TakenObject[],
  run: (object: TakenObject) => Promise<unknown>,
): Promise<Settled<unknown>[]> {
  const results: Settled<unknown>[] = []
  for (const object of objects) {
    try {
      results.push({ value: await run(object) })
    } catch (error) {
      results.push({ error })
    }
  }
  return results
}
