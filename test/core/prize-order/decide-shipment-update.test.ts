import { expect } from 'chai'
import fc from 'fast-check'
import { shipmentStatuses } from '../../../core/partner/provider-outcome.ts'
import type { ShipmentUpdate } from '../../../core/partner/provider-outcome.ts'
import { decideShipmentUpdate } from '../../../core/prize-order/decide-shipment-update.ts'
import type { UpdatableOrder, OrderedUpdate } from '../../../core/prize-order/decide-shipment-update.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import { canMove } from '../../../core/state-machine.ts'

const states = Object.keys(orderTransitions) as OrderState[]
const moment = new Date('2026-03-04T12:00:00Z')
const order = (changes: Partial<UpdatableOrder> = {}): UpdatableOrder => ({
  state: 'submitted',
  openHolds: [],
  shipmentNumber: 1,
  partnerOccurredAt: null,
  returnsPrize: null,
  cancelledFrom: null,
  attempts: 0,
  carrier: null,
  trackingNumber: null,
  exceptionReason: null,
  ...changes,
})
const update = (changes: Partial<OrderedUpdate> = {}) => ({
  status: 'shipped' as const,
  reason: null,
  carrier: null,
  trackingNumber: null,
  occurredAt: moment,
  shipmentNumber: 1,
  isStale: false,
  ...changes,
})
const pathOf = (changes: Partial<UpdatableOrder>, told: Parameters<typeof update>[0]) =>
  decideShipmentUpdate(order(changes), update(told)).plan.steps.map(({ to }) => to)

describe('decideShipmentUpdate', () => {
  it('makes only transitions of the tables, for the order and for the prize, on any update', () => {
    fc.assert(
      fc.property(
        fc.record({
          state: fc.constantFrom(...states),
          openHolds: fc.constantFrom([], ['other'] as const),
          shipmentNumber: fc.constantFrom(1, 2),
          partnerOccurredAt: fc.constantFrom(null, moment),
          returnsPrize: fc.constantFrom(null, true, false),
          cancelledFrom: fc.constantFrom<OrderState | null>(null, 'submitted', 'processing'),
          attempts: fc.nat(3),
        }),
        fc.constantFrom(...shipmentStatuses),
        fc.integer({ min: -1, max: 1 }),
        (informed, status, afterMs) => {
          const occurredAt = new Date(moment.getTime() + afterMs)
          const { outcome, plan } = decideShipmentUpdate(order(informed), update({ status, occurredAt }))
          expect(['applied', 'noted'].includes(outcome)).to.equal(plan.steps.length > 0)
          plan.steps.reduce<OrderState>((from, { to }) => {
            expect(
              outcome === 'noted' ? to === from : canMove(orderTransitions, from, to),
              `${from} → ${to}`,
            ).to.equal(true)
            return to
          }, informed.state)
          if (plan.prizeTo !== undefined)
            expect(canMove(prizeTransitions, 'ordered', plan.prizeTo)).to.equal(true)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('applies no update twice, no older one and none about another parcel', () => {
    const outcomeOf = (informed: Partial<UpdatableOrder>, told: Parameters<typeof update>[0] = {}) =>
      decideShipmentUpdate(order(informed), update(told)).outcome
    expect(outcomeOf({ partnerOccurredAt: new Date(moment.getTime() + 1) })).to.equal('not_newer')
    expect(outcomeOf({ partnerOccurredAt: moment }, { isStale: true })).to.equal('not_newer')
    expect(outcomeOf({ partnerOccurredAt: new Date(moment.getTime() - 1) })).to.equal('applied')
    expect(outcomeOf({}, { shipmentNumber: 2 })).to.equal('other_shipment')
    expect(outcomeOf({ state: 'delivered' })).to.equal('illegal')
    expect(outcomeOf({ state: 'pending_confirmation' })).to.equal('illegal')
  })

  it('records an update that contradicts the end of an order, or that says that an earlier parcel travels', () => {
    const told = (informed: Partial<UpdatableOrder>, piece: Parameters<typeof update>[0]) =>
      decideShipmentUpdate(order(informed), update(piece))
    for (const state of ['cancelled', 'rejected'] as const) {
      for (const status of ['processing', 'shipped', 'delivered', 'cancel_refused'] as const) {
        expect(told({ state }, { status })).to.deep.equal({
          outcome: 'noted',
          plan: {
            steps: [{ event: 'news_ignored', to: state, data: { status, shipment_number: 1 } }],
            note: `The provider reported parcel 1: ${status.replace('_', ' ')}`,
          },
        })
      }
      expect(told({ state }, { status: 'cancelled' }).outcome).to.equal('illegal')
      expect(told({ state }, { isStale: true }).outcome).to.equal('not_newer')
    }
    expect(told({ state: 'delivered' }, { status: 'exception' }).outcome).to.equal('noted')
    expect(told({ state: 'delivered' }, { status: 'delivered' }).outcome).to.equal('illegal')
    const resent = { state: 'submitted', shipmentNumber: 2 } as const
    expect(told(resent, { status: 'delivered' }).plan.steps).to.deep.equal([
      { event: 'news_ignored', to: 'submitted', data: { status: 'delivered', shipment_number: 1 } },
    ])
    expect(told(resent, { status: 'delivered', isStale: true }).outcome).to.equal('other_shipment')
    expect(told(resent, { status: 'exception' }).outcome).to.equal('other_shipment')
    expect(told(resent, { shipmentNumber: 3 }).outcome).to.equal('other_shipment')
  })

  it('applies a repeated update that has more details, and keeps the state', () => {
    const shipped = { state: 'shipped', carrier: 'Post', partnerOccurredAt: new Date(0) } as const
    expect(
      decideShipmentUpdate(order(shipped), update({ carrier: 'Post', trackingNumber: 'T-1' })),
    ).to.deep.equal({
      outcome: 'applied',
      plan: {
        steps: [{ event: 'shipment_updated', to: 'shipped' }],
        fields: { trackingNumber: 'T-1', partnerOccurredAt: moment },
      },
    })
    expect(decideShipmentUpdate(order(shipped), update({ carrier: 'Post' })).outcome).to.equal('illegal')
    const failed = { state: 'exception', exceptionReason: 'delivery_failed' } as const
    const returned = decideShipmentUpdate(
      order(failed),
      update({ status: 'exception', reason: 'returned' }),
    ).plan
    expect(returned.steps[0]?.data).to.deep.equal({ exception_reason: 'returned' })
    expect(returned.fields).to.include({ exceptionReason: 'returned' })
    for (const reason of [null, 'mercury', 'delivery_failed']) {
      expect(decideShipmentUpdate(order(failed), update({ status: 'exception', reason })).outcome).to.equal(
        'illegal',
      )
    }
    expect(decideShipmentUpdate(order(failed), update()).plan.fields).to.include({ exceptionReason: null })
    expect(
      decideShipmentUpdate(order({ state: 'delivered' }), update({ status: 'delivered' })).outcome,
    ).to.equal('illegal')
  })

  it('keeps a late carrier or tracking number of the current parcel where it is missing', () => {
    const before = new Date(moment.getTime() - 1)
    const late = [
      { status: 'shipped', isMore: true, isStale: false, occurredAt: moment },
      { status: 'shipped', isStale: true, occurredAt: moment },
      { status: 'shipped', isStale: true, occurredAt: before },
      { status: 'processing', isStale: false, occurredAt: before },
    ] as const
    const sent = ['submitted', 'processing', 'shipped', 'delivered', 'exception', 'cancel_requested']
    for (const state of states) {
      for (const told of late) {
        const informed = order({ state, partnerOccurredAt: moment })
        const decided = decideShipmentUpdate(
          informed,
          update({ ...told, carrier: 'Post', trackingNumber: 'T-1' }),
        )
        const what = `${state} ${JSON.stringify(told)}`
        if (!sent.includes(state)) {
          expect(decided.outcome, what).not.to.equal('applied')
          continue
        }
        expect(decided.outcome, what).to.equal('applied')
        expect(decided.plan.steps, what).to.deep.equal([{ event: 'shipment_updated', to: state }])
        expect(decided.plan.fields, what).to.include({ carrier: 'Post', trackingNumber: 'T-1' })
        expect(decided.plan.fields?.partnerOccurredAt ?? moment, what).to.deep.equal(moment)
      }
    }
    const delivered = { state: 'delivered', partnerOccurredAt: moment, carrier: 'Post' } as const
    const told = { isMore: true, carrier: 'Other', trackingNumber: 'T-1' }
    expect(decideShipmentUpdate(order(delivered), update(told)).plan.fields).to.deep.equal({
      trackingNumber: 'T-1',
    })
    const known = order({ ...delivered, trackingNumber: 'T-0' })
    expect(decideShipmentUpdate(known, update(told)).outcome).to.equal('illegal')
    expect(decideShipmentUpdate(order(delivered), update({ ...told, shipmentNumber: 2 })).outcome).to.equal(
      'other_shipment',
    )
  })

  it('does not take a refused cancellation as a sign that an undelivered parcel moves again', () => {
    expect(pathOf({ state: 'exception' }, { status: 'cancel_refused' })).to.deep.equal([])
  })

  it('applies another update of the same moment when it differs and leads to a new state', () => {
    const told = { partnerOccurredAt: moment, state: 'shipped' } as const
    expect(pathOf(told, { status: 'delivered' })).to.deep.equal(['delivered'])
    expect(pathOf(told, { status: 'processing' })).to.deep.equal([])
  })

  it('has the provider asked about an order that was held while the provider had it', () => {
    const held = { state: 'confirmed', attempts: 7, openHolds: ['other'] } as const
    expect(decideShipmentUpdate(order(held), update()).plan.causesWork).to.equal(true)
    expect(decideShipmentUpdate(order({ ...held, openHolds: [] }), update()).plan).not.to.have.property(
      'causesWork',
    )
  })

  it('passes through the states that must have occurred in between', () => {
    expect(pathOf({}, { status: 'delivered' })).to.deep.equal(['shipped', 'delivered'])
    expect(
      pathOf({ state: 'cancel_requested', cancelledFrom: 'processing' }, { status: 'shipped' }),
    ).to.deep.equal(['processing', 'shipped'])
    expect(pathOf({ state: 'confirmed', attempts: 1 }, { status: 'processing' })).to.deep.equal([
      'submitted',
      'processing',
    ])
    expect(pathOf({ state: 'confirmed' }, { status: 'processing' })).to.deep.equal([])
  })

  it('settles the prize with the final update, in the way that was requested', () => {
    const requested = { state: 'cancel_requested', cancelledFrom: 'submitted' } as const
    const fateOf = (informed: Partial<UpdatableOrder>, status: ShipmentUpdate['status']) =>
      decideShipmentUpdate(order(informed), update({ status })).plan.prizeTo
    expect(fateOf({ ...requested, returnsPrize: true }, 'cancelled')).to.equal('won')
    expect(fateOf({ ...requested, returnsPrize: false }, 'cancelled')).to.equal('voided')
    expect(fateOf({ state: 'shipped' }, 'delivered')).to.equal('fulfilled')
    expect(fateOf(requested, 'cancel_refused')).to.equal(undefined)
  })

  it('makes an exception of a parcel that its provider cancels without a request', () => {
    const { plan } = decideShipmentUpdate(order(), update({ status: 'cancelled' }))
    expect(plan.steps.at(-1)?.to).to.equal('exception')
    expect(plan.fields).to.include({ exceptionReason: 'provider_rejected' })
    const told = decideShipmentUpdate(order(), update({ status: 'exception', reason: 'eaten by a dog' }))
    expect(told.plan.fields).to.include({ exceptionReason: 'delivery_failed' })
  })

  it('does not treat "packed" as the end of a cancellation', () => {
    const requested = { state: 'cancel_requested', cancelledFrom: 'submitted' } as const
    expect(decideShipmentUpdate(order(requested), update({ status: 'processing' })).outcome).to.equal(
      'illegal',
    )
    expect(pathOf(requested, { status: 'cancel_refused' })).to.deep.equal(['submitted'])
  })
})
