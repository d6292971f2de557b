import { expect } from 'chai'
import { meaningOf } from '../../../core/act/decide-act.ts'
import { decideOrderActions, usualEffectOf } from '../../../core/prize-order/decide-actions.ts'
import { decideMove, orderMoves } from '../../../core/prize-order/decide-move.ts'
import type { MovableOrder, MoveDetails, OrderMove } from '../../../core/prize-order/decide-move.ts'
import type { OrderPlan } from '../../../core/prize-order/order.ts'
import { exceptionReasons, holdReasons, orderTransitions } from '../../../core/prize-order/state.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import { RewardsError } from '../../../core/errors.ts'
import { isStateOf } from '../../../core/state-machine.ts'

const states = Object.keys(orderTransitions).filter((state) => isStateOf(orderTransitions, state))
const orders: readonly MovableOrder[] = states.flatMap((state) =>
  [
    {},
    { openHolds: ['customs'] as const },
    { openHolds: holdReasons },
    { attempts: 2, provider: 'http' as const },
    { carrier: 'DHL', trackingNumber: '1' },
  ].map((changes): MovableOrder => ({
    state,
    prizeState: 'ordered',
    openHolds: [],
    providerAsked: null,
    shipmentNumber: 1,
    attempts: 0,
    attemptUntil: null,
    returnsPrize: null,
    cancelledFrom: null,
    carrier: null,
    trackingNumber: null,
    problem: null,
    provider: null,
    ...changes,
  })),
)

/** All that can be said with a move. */
const choices: readonly MoveDetails[] = [true, false].flatMap((isFinal) =>
  [true, false].flatMap((returnsPrize) =>
    ([null, 'customs', 'other'] as const).flatMap((holdReason) =>
      [null, '2'].map((trackingNumber) => ({
        carrier: null,
        trackingNumber,
        returnsPrize,
        isFinal,
        holdReason,
        exceptionReason: exceptionReasons[0],
      })),
    ),
  ),
)

function plansOf(move: OrderMove, order: MovableOrder): OrderPlan[] {
  return choices.flatMap((details) => {
    try {
      return [decideMove(move, order, details)]
    } catch (error) {
      if (error instanceof RewardsError) return []
      throw error
    }
  })
}

describe('the actions offered on an order', () => {
  it('are allowed exactly where at least one request for them would be carried out', () => {
    for (const order of orders) {
      const actions = decideOrderActions(order)
      for (const move of orderMoves) {
        const action = actions.find(({ name }) => name === move)
        const where = `${move} of ${JSON.stringify(order)}`
        expect(action?.refusal === null, where).to.equal(plansOf(move, order).length > 0)
      }
    }
  })

  it('cannot be undone where they end the order or its prize', () => {
    let ends = 0
    for (const order of orders) {
      for (const { name, refusal, cannotUndo } of decideOrderActions(order)) {
        if (refusal !== null || name === 'delivery' || orderTransitions[order.state].length === 0) continue
        const isEnd = plansOf(name, order).every(
          ({ steps, prizeTo }) =>
            orderTransitions[steps.at(-1)?.to ?? order.state].length === 0 ||
            (prizeTo !== undefined && prizeTransitions[prizeTo].length === 0),
        )
        if (!isEnd) continue
        ends += 1
        expect(cannotUndo, `${name} of ${order.state}`).to.equal(true)
      }
    }
    expect(ends).to.be.greaterThan(0)
  })

  it('say before a cancellation that a provider which may have the parcel decides about it', () => {
    const found = orders.find(({ state, provider }) => state === 'submitted' && provider === 'http')
    const cancel = found && decideOrderActions(found).find(({ name }) => name === 'cancel')
    expect(cancel?.consequence).to.match(/^The provider is asked/)
    expect(cancel?.cannotUndo).to.equal(false)
  })

  it('have the effect that the preview of an act shows', () => {
    for (const move of orderMoves) {
      const effect = meaningOf(`order.${move}`).effect({})
      expect(effect, move).to.deep.equal(usualEffectOf(move, null))
      expect(effect.cannotUndo, move).to.equal(usualEffectOf(move).cannotUndo)
    }
    expect(meaningOf('order.reject').effect({ return_prize: false }).consequence).to.contain('becomes void')
    expect(meaningOf('order.reject').effect({}).consequence).to.contain('gets the prize back.')
  })
})
