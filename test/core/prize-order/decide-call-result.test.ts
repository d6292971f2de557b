import { expect } from 'chai'
import { decideCancelResult, decideSubmitResult } from '../../../core/prize-order/decide-call-result.ts'
import type { CalledOrder } from '../../../core/prize-order/decide-call-result.ts'

const now = new Date('2026-03-04T12:00:00Z')
const circumstances = { now, pollMs: 3_600_000, random: 0, isFirstToAsk: false }
const nextPoll = new Date(now.getTime() + circumstances.pollMs)
const order = (changes: Partial<CalledOrder> = {}): CalledOrder => ({
  state: 'confirmed',
  attempts: 1,
  openHolds: [],
  returnsPrize: null,
  cancelledFrom: null,
  shipmentNumber: 1,
  ...changes,
})
const pathOf = (result: { plan: { steps: readonly { to: string }[] } }) =>
  result.plan.steps.map(({ to }) => to)

describe('the result of a call to a provider', () => {
  it('is followed by polling, also when a shipment update arrived before the answer', () => {
    const accepted = { kind: 'accepted', reference: 'r' } as const
    for (const state of ['confirmed', 'submitted', 'processing', 'shipped'] as const) {
      const attempts = state === 'confirmed' ? 1 : 0
      const result = decideSubmitResult(order({ state, attempts }), accepted, circumstances)
      expect(result.snoozeUntil, state).to.deep.equal(nextPoll)
      expect(result.plan.fields, state).to.deep.include({ nextPollAt: nextPoll, providerReference: 'r' })
      const unknown = { kind: 'unknown', problem: 'timeout' } as const
      const lost = decideSubmitResult(order({ state, attempts }), unknown, circumstances)
      expect(lost.snoozeUntil, state).not.to.equal(null)
    }
  })

  it('does not count a provider that does not know the service as one that may have the parcel', () => {
    const refused = { kind: 'misconfigured', problem: 'status_404' } as const
    const result = decideSubmitResult(order(), refused, circumstances)
    expect(result.plan.fields).to.include({ attempts: 0 })
  })

  it('ends an attempt without a call in the history, and does not count it', () => {
    const unmade = { kind: 'not_made' } as const
    const submission = decideSubmitResult(order({ attempts: 2 }), unmade, circumstances)
    expect(submission.plan).to.deep.equal({
      steps: [{ event: 'submission_unknown', to: 'confirmed', data: { attempt: 2, problem: 'not_called' } }],
      fields: { attempts: 1, attemptUntil: null },
    })
    const asked = order({ state: 'cancel_requested' })
    const cancellation = decideCancelResult(asked, unmade, circumstances)
    expect(cancellation.plan.steps.map(({ event }) => event)).to.deep.equal(['cancellation_unknown'])
    expect(cancellation.plan.fields).to.include({ attempts: 0 })
  })

  it('forgets the provider only when it cannot have received the parcel', () => {
    const refused = { kind: 'unknown', problem: 'connection_refused' } as const
    const askedOf = (outcome: Parameters<typeof decideSubmitResult>[1], isFirstToAsk: boolean) =>
      decideSubmitResult(order(), outcome, { ...circumstances, isFirstToAsk }).plan.fields ?? {}
    expect(askedOf(refused, true)).to.include({ providerAsked: null })
    expect(askedOf({ kind: 'misconfigured', problem: 'status_403' }, true)).to.include({
      providerAsked: null,
    })
    expect(askedOf(refused, false)).not.to.have.property('providerAsked')
    expect(askedOf({ kind: 'unknown', problem: 'timeout' }, true)).not.to.have.property('providerAsked')
  })

  it('makes an exception of a parcel that was cancelled after the cancellation was withdrawn', () => {
    const result = decideCancelResult(
      order({ state: 'processing', attempts: 0 }),
      { kind: 'cancelled' },
      circumstances,
    )
    expect(pathOf(result)).to.deep.equal(['exception'])
    const refused = decideCancelResult(
      order({ state: 'shipped', attempts: 0 }),
      { kind: 'refused' },
      circumstances,
    )
    expect([pathOf(refused), refused.snoozeUntil]).to.deep.equal([[], nextPoll])
  })

  it('tells operators about an answer that contradicts the state that updates have led to', () => {
    const rejected = { kind: 'rejected', code: 'out_of_stock' } as const
    for (const state of ['submitted', 'processing', 'shipped', 'exception'] as const) {
      const result = decideSubmitResult(order({ state, attempts: 0 }), rejected, circumstances)
      expect(result.plan.steps.map(({ event, to }) => [event, to])).to.deep.equal([
        ['submission_rejected', state],
      ])
      expect(result, state).to.include({ contradicts: 'exception' })
    }
    for (const state of ['confirmed', 'cancel_requested'] as const) {
      expect(decideSubmitResult(order({ state }), rejected, circumstances)).not.to.have.property(
        'contradicts',
      )
    }
    const cancelled = decideCancelResult(
      order({ state: 'exception', attempts: 0 }),
      { kind: 'cancelled' },
      circumstances,
    )
    expect(cancelled).to.include({ contradicts: 'cancelled' })
    expect(cancelled.plan.steps).to.deep.equal([
      { event: 'news_ignored', to: 'exception', data: { status: 'cancelled', shipment_number: 1 } },
    ])
  })

  it('never drops a cancellation silently', () => {
    const unknown = { kind: 'unknown', problem: 'timeout' } as const
    for (let attempts = 1; attempts <= 20; attempts++) {
      const result = decideCancelResult(
        order({ state: 'cancel_requested', attempts }),
        unknown,
        circumstances,
      )
      expect(result.snoozeUntil?.getTime() ?? 0, String(attempts)).to.be.greaterThan(now.getTime())
    }
  })

  it('holds a submission that gets no answer, once', () => {
    const unknown = { kind: 'unknown', problem: 'timeout' } as const
    const result = decideSubmitResult(order({ attempts: 7 }), unknown, circumstances)
    expect([result.plan.placeHold, result.snoozeUntil]).to.deep.equal(['other', null])
    const held = decideSubmitResult(order({ attempts: 7, openHolds: ['other'] }), unknown, circumstances)
    expect(held.plan).not.to.have.property('placeHold')
  })
})
