import { expect } from 'chai'
import { RewardsError } from '../../../core/errors.ts'
import { decideCorrection } from '../../../core/prize-order/decide-correction.ts'
import { decideMove, orderMoves } from '../../../core/prize-order/decide-move.ts'
import type { MovableOrder, MoveDetails, OrderMove } from '../../../core/prize-order/decide-move.ts'
import type { OrderPlan } from '../../../core/prize-order/order.ts'
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
    submitted: ['cancel_requested'],
    processing: ['cancel_requested'],
    // Of people, or of a provider that does not have it (any more).
    exception: ['cancelled'],
  },
  resume: { cancel_requested: ['submitted'] },
  hold: {
    pending_confirmation: ['pending_confirmation'],
    confirmed: ['confirmed'],
    exception: ['exception'],
  },
  // Whatever became of it meanwhile, a hold can be taken off.
  release: {},
  ship: {
    confirmed: ['submitted', 'shipped'],
    submitted: ['shipped'],
    processing: ['shipped'],
    exception: ['shipped'],
  },
  deliver: { shipped: ['delivered'], exception: ['delivered'] },
  exception: { submitted: ['exception'], processing: ['exception'], shipped: ['exception'] },
  reship: { exception: ['confirmed'] },
}
const states = Object.keys(orderTransitions).filter((state) => isStateOf(orderTransitions, state))
const order = (changes: Partial<MovableOrder>): MovableOrder => ({
  state: 'pending_confirmation',
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
})
const details = (changes: Partial<MoveDetails> = {}): MoveDetails => ({
  carrier: null,
  trackingNumber: null,
  returnsPrize: null,
  isFinal: false,
  holdReason: null,
  exceptionReason: null,
  ...changes,
})

function attempt(move: OrderMove, changes: Partial<MovableOrder>, said = details()): OrderPlan | string {
  try {
    return decideMove(move, order(changes), said)
  } catch (error) {
    expect(error).to.be.instanceOf(RewardsError)
    expect(error).to.have.property('code', 'transition_illegal')
    return (error as Error).message
  }
}

function plan(move: OrderMove, changes: Partial<MovableOrder>, said = details()): OrderPlan {
  const result = attempt(move, changes, said)
  if (typeof result === 'string') throw new Error(result)
  return result
}

describe('decideMove', () => {
  for (const move of orderMoves) {
    it(`allows to ${move} an order exactly in the states of the table`, () => {
      for (const state of states) {
        const result = attempt(move, { state })
        const path = possible[move][state]
        if (path === undefined) expect(result, state).to.be.a('string')
        else
          expect(typeof result === 'string' ? result : result.steps.map(({ to }) => to)).to.deep.equal(path)
      }
    })
  }

  it('makes only transitions of the tables, for the order and for the prize', () => {
    for (const move of orderMoves) {
      for (const state of states) {
        for (const [returnsPrize, attempts] of [
          [true, 0],
          [false, 3],
        ] as const) {
          const result = attempt(move, { state, attempts }, details({ returnsPrize }))
          if (typeof result === 'string') continue
          result.steps.reduce<OrderState>((from, { to }) => {
            expect(from === to || canMove(orderTransitions, from, to), `${from} → ${to}`).to.equal(true)
            return to
          }, state)
          const { prizeTo } = result
          if (prizeTo !== undefined) expect(canMove(prizeTransitions, 'ordered', prizeTo)).to.equal(true)
        }
      }
    }
  })

  it('gives the prize back when the order fails, or voids it on request', () => {
    for (const [move, state] of [
      ['reject', 'pending_confirmation'],
      ['cancel', 'confirmed'],
      ['cancel', 'exception'],
    ] as const) {
      expect(plan(move, { state }).prizeTo).to.equal('won')
      expect(plan(move, { state }, details({ returnsPrize: false })).prizeTo).to.equal('voided')
    }
    expect(plan('confirm', {})).not.to.have.property('prizeTo')
    expect(plan('ship', { state: 'confirmed' })).not.to.have.property('prizeTo')
    expect(plan('deliver', { state: 'shipped' }).prizeTo).to.equal('fulfilled')
  })

  it('asks only the provider that may have a parcel about its failed delivery', () => {
    const lost = { state: 'exception', provider: 'http' } as const
    const asked = plan('cancel', { ...lost, providerAsked: 'a' })
    expect(asked.steps.map(({ to }) => to)).to.deep.equal(['cancel_requested'])
    expect(asked.fields).to.deep.include({ cancelledFrom: 'exception' })
    // It has refused the submission, or cancelled the parcel itself.
    expect(plan('cancel', { ...lost, providerAsked: null }).prizeTo).to.equal('won')
  })

  it('asks the provider before it cancels a submitted order, and keeps the request', () => {
    const asked = plan('cancel', { state: 'processing' }, details({ returnsPrize: false }))
    expect(asked).not.to.have.property('prizeTo')
    expect(asked.causesWork).to.equal(true)
    expect(asked.fields).to.deep.include({ returnsPrize: false, cancelledFrom: 'processing' })
    const requested = { state: 'cancel_requested', returnsPrize: false, cancelledFrom: 'processing' } as const
    const isFinal = true
    expect(plan('cancel', requested, details({ isFinal })).prizeTo).to.equal('voided')
    expect(plan('cancel', requested, details({ returnsPrize: true, isFinal })).prizeTo).to.equal('won')
    expect(plan('cancel', { ...requested, attempts: 1 }, details({ isFinal })).fields).to.include({
      attempts: 0,
      attemptUntil: null,
    })
    expect(plan('resume', requested).steps).to.deep.equal([{ event: 'cancel_refused', to: 'processing' }])
  })

  it('distinguishes a repeated request from the operator’s final decision', () => {
    expect(attempt('cancel', { state: 'cancel_requested' })).to.equal(
      'The cancellation is already requested: wait for the provider, or send "final" true to cancel without its answer',
    )
    for (const state of states.filter((name) => name !== 'cancel_requested')) {
      expect(attempt('cancel', { state }, details({ isFinal: true })), state).to.deep.equal(
        attempt('cancel', { state }),
      )
    }
  })

  it('treats an order whose submission has an unknown outcome as submitted', () => {
    const { steps } = plan('cancel', { state: 'confirmed', attempts: 2 })
    expect(steps.map(({ to }) => to)).to.deep.equal(['submitted', 'cancel_requested'])
  })

  it('holds for several reasons, each once, and causes the submission when the last one is released', () => {
    const said = details({ holdReason: 'customs' })
    expect(plan('hold', { openHolds: ['kyc_pending'] }, said).placeHold).to.equal('customs')
    expect(attempt('hold', { openHolds: ['customs'] }, said)).to.equal('The order is already held: customs')
    const held = { state: 'confirmed', openHolds: ['customs', 'kyc_pending'] } as const
    expect(plan('release', held, said)).to.deep.include({ releaseHolds: ['customs'], causesWork: false })
    expect(plan('release', held)).to.deep.include({ releaseHolds: held.openHolds, causesWork: true })
    expect(attempt('release', { state: 'confirmed' })).to.equal('The order has no such hold')
    expect(attempt('ship', held)).to.equal('The order is held (customs, kyc pending): release it first')
  })

  it('treats the release of an order that another provider may have as a statement that the provider does not have it', () => {
    const held = { state: 'confirmed', attempts: 2, problem: 'provider_changed' } as const
    const free = { problem: null, providerAsked: null, attempts: 0, attemptUntil: null }
    expect(plan('release', { ...held, openHolds: ['other'] }).fields).to.deep.equal(free)
    const beside = { ...held, openHolds: ['other', 'customs'] } as const
    expect(plan('release', beside, details({ holdReason: 'customs' }))).not.to.have.property('fields')
    expect(plan('release', { ...held, problem: 'timeout', openHolds: ['other'] }).fields).to.deep.equal({
      problem: null,
    })
  })

  it('accepts new details of a parcel that is on its way', () => {
    const shipped = { state: 'shipped', carrier: 'Post' } as const
    const said = details({ carrier: 'Post', trackingNumber: 'T-1' })
    expect(plan('ship', shipped, said).steps).to.deep.equal([{ event: 'shipment_updated', to: 'shipped' }])
    expect(plan('ship', shipped, said).fields).to.include({ trackingNumber: 'T-1' })
    expect(attempt('ship', { ...shipped, trackingNumber: 'T-1' }, said)).to.equal(
      'The order is already shipped',
    )
  })

  it('does not ship by hand an order that the provider may have accepted', () => {
    expect(attempt('ship', { state: 'confirmed', attempts: 1 })).to.equal(
      'The order is being submitted: try again when the result is known',
    )
  })

  it('sends the parcel again under another number, without the details of the previous one', () => {
    expect(plan('reship', { state: 'exception', shipmentNumber: 2 }).fields).to.deep.include({
      shipmentNumber: 3,
      carrier: null,
      trackingNumber: null,
      providerReference: null,
    })
  })

  it('names the state of the order when it refuses', () => {
    expect(attempt('confirm', { state: 'confirmed' })).to.equal('The order is already confirmed')
    expect(attempt('deliver', { state: 'cancel_requested' })).to.equal(
      'An order that is being cancelled cannot be delivered',
    )
  })

  it('refuses when the prize does not belong to the order', () => {
    expect(attempt('cancel', { state: 'confirmed', prizeState: 'voided' })).to.equal(
      'The prize of the order is voided',
    )
  })
})

describe('decideCorrection', () => {
  const correct = (changes: Partial<MovableOrder>) => decideCorrection(order(changes))

  it('leaves an order waiting, and requests a new confirmation of one that was confirmed or returned', () => {
    expect(correct({}).steps).to.deep.equal([{ event: 'address_corrected', to: 'pending_confirmation' }])
    expect(correct({})).not.to.have.property('causesWork')
    for (const state of ['confirmed', 'exception'] as const) {
      expect(correct({ state })).to.deep.include({ causesWork: true })
      expect(correct({ state }).steps.at(-1)?.to).to.equal('pending_confirmation')
      expect(correct({ state }).fields).to.deep.include({ announcedAt: null, remindersSent: 0 })
    }
    expect(correct({ state: 'exception' }).fields).to.include({ shipmentNumber: 2 })
  })

  it('is too late once the provider has, or may have, the order', () => {
    for (const state of states) {
      if (['pending_confirmation', 'confirmed', 'exception'].includes(state)) continue
      expect(() => correct({ state }), state).to.throw(RewardsError, 'The address of an order that')
    }
    expect(() => correct({ state: 'confirmed', attempts: 1 })).to.throw('is being submitted')
  })
})
