import { expect } from 'chai'
import { RewardsError } from '../../../core/errors.ts'
import { decideMove, orderMoves } from '../../../core/prize-order/decide-move.ts'
import type { MovePlan, OrderMove } from '../../../core/prize-order/decide-move.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import { canMove, isStateOf } from '../../../core/state-machine.ts'

/** Where each move is possible, and through which states it leads. Everything else is refused. */
const possible: Record<OrderMove, Partial<Record<OrderState, OrderState[]>>> = {
  confirm: { pending_confirmation: ['confirmed'] },
  reject: { pending_confirmation: ['rejected'] },
  cancel: {
    pending_confirmation: ['cancelled'],
    confirmed: ['cancelled'],
    exception: ['cancelled'],
    cancel_requested: ['cancelled'],
  },
  ship: {
    confirmed: ['submitted', 'shipped'],
    submitted: ['shipped'],
    processing: ['shipped'],
    exception: ['shipped'],
  },
  deliver: { shipped: ['delivered'], exception: ['delivered'] },
}
const states = Object.keys(orderTransitions).filter((state) => isStateOf(orderTransitions, state))

function attempt(move: OrderMove, state: OrderState): MovePlan | string {
  try {
    return decideMove(move, { state, prizeState: 'ordered' })
  } catch (error) {
    expect(error).to.be.instanceOf(RewardsError)
    expect(error).to.have.property('code', 'transition_illegal')
    return (error as Error).message
  }
}

describe('decideMove', () => {
  for (const move of orderMoves) {
    it(`allows to ${move} an order exactly where that is possible`, () => {
      for (const state of states) {
        const plan = attempt(move, state)
        const path = possible[move][state]
        if (path === undefined) expect(plan, state).to.be.a('string')
        else expect(plan, state).to.have.property('path').that.deep.equals(path)
      }
    })
  }

  it('takes only steps that the tables allow, for the order and for the prize', () => {
    for (const move of orderMoves) {
      for (const state of states) {
        const plan = attempt(move, state)
        if (typeof plan === 'string') continue
        plan.path.reduce((from, to) => {
          expect(canMove(orderTransitions, from, to), `${from} → ${to}`).to.equal(true)
          return to
        }, state)
        if (plan.prizeTo !== null) expect(canMove(prizeTransitions, 'ordered', plan.prizeTo)).to.equal(true)
      }
    }
  })

  it('gives the prize back exactly when the order comes to nothing', () => {
    expect(attempt('reject', 'pending_confirmation')).to.have.property('prizeTo', 'won')
    expect(attempt('cancel', 'confirmed')).to.have.property('prizeTo', 'won')
    expect(attempt('confirm', 'pending_confirmation')).to.have.property('prizeTo', null)
    expect(attempt('ship', 'confirmed')).to.have.property('prizeTo', null)
    expect(attempt('deliver', 'shipped')).to.have.property('prizeTo', 'fulfilled')
  })

  it('says what the order is when it refuses', () => {
    expect(attempt('confirm', 'confirmed')).to.equal('The order is already confirmed')
    expect(attempt('cancel', 'cancel_requested')).not.to.be.a('string')
    expect(attempt('deliver', 'cancel_requested')).to.equal(
      'Cannot deliver an order that is cancel requested',
    )
  })

  it('refuses when the prize is not in the hands of the order', () => {
    expect(() => decideMove('cancel', { state: 'confirmed', prizeState: 'voided' })).to.throw(
      RewardsError,
      'The prize of the order is voided',
    )
  })
})
