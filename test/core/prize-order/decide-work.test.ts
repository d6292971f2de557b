import { expect } from 'chai'
import { decideOrderWork } from '../../../core/prize-order/decide-work.ts'
import type { FulfilmentSettings, WorkableOrder } from '../../../core/prize-order/decide-work.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'

const hourMs = 3_600_000
const now = new Date('2026-03-04T12:00:00Z')
const after = (hours: number) => new Date(now.getTime() + hours * hourMs)
const settings: FulfilmentSettings = { provider: { kind: 'manual' }, reminderAfterHours: [24, 72] }
const manual = settings
const by = (id: string): FulfilmentSettings => ({
  ...settings,
  provider: { kind: 'http', id, isPaused: false, timeoutMs: 1_000, pollMs: hourMs },
})
const order = (changes: Partial<WorkableOrder> = {}): WorkableOrder => ({
  state: 'pending_confirmation',
  announcedAt: null,
  remindersSent: 0,
  openHolds: [],
  provider: null,
  providerAsked: null,
  attempts: 0,
  attemptUntil: null,
  nextPollAt: null,
  updatedAt: now,
  ...changes,
})
const decide = (changes: Partial<WorkableOrder>, at = now, settingsNow = settings) => {
  const { plan, snoozeUntil } = decideOrderWork(order(changes), settingsNow, { now: at, random: 0 })
  return { events: plan.steps.map(({ event }) => event), fields: plan.fields, snoozeUntil }
}
const callOf = (changes: Partial<WorkableOrder>, settingsNow: FulfilmentSettings) =>
  decideOrderWork(order(changes), settingsNow, { now, random: 0 }).call

describe('decideOrderWork', () => {
  it('announces an order, and continues when the first reminder is due', () => {
    expect(decide({})).to.deep.equal({
      events: ['confirmation_requested'],
      fields: { announcedAt: now },
      snoozeUntil: after(24),
    })
    expect(decide({}, now, { ...settings, reminderAfterHours: [] }).snoozeUntil).to.equal(null)
  })

  it('reminds at the hours after the announcement, each once, and then stops permanently', () => {
    const announced = { announcedAt: now }
    expect(decide(announced, after(23))).to.deep.include({ events: [], snoozeUntil: after(24) })
    expect(decide(announced, after(24))).to.deep.equal({
      events: ['confirmation_reminder'],
      fields: { remindersSent: 1 },
      snoozeUntil: after(72),
    })
    const reminded = { ...announced, remindersSent: 1 }
    expect(decide(reminded, after(25))).to.deep.include({ events: [], snoozeUntil: after(72) })
    expect(decide(reminded, after(500))).to.deep.include({ fields: { remindersSent: 2 }, snoozeUntil: null })
    expect(decide({ ...announced, remindersSent: 2 }, after(999))).to.deep.include({
      events: [],
      snoozeUntil: null,
    })
  })

  it('never confirms an order without an operator, after any time', () => {
    for (const remindersSent of [0, 1, 2]) {
      const { plan } = decideOrderWork(order({ announcedAt: now, remindersSent }), settings, {
        now: after(99_999),
        random: 0,
      })
      expect(plan.steps.every((step) => step.to === 'pending_confirmation')).to.equal(true)
    }
  })

  it('submits an order that is confirmed and not held', () => {
    expect(decide({ state: 'confirmed' }).events).to.deep.equal(['submitted'])
    expect(decide({ state: 'confirmed', openHolds: ['customs'] }).events).to.deep.equal([])
  })

  it('submits to no other provider an order that one may have, and holds it for operators', () => {
    const asked = { state: 'confirmed', attempts: 2, providerAsked: 'a' } as const
    expect(decide(asked, now, by('a')).events).to.deep.equal(['submission_attempted'])
    for (const settings of [by('b'), manual]) {
      const { plan, call, snoozeUntil } = decideOrderWork(order(asked), settings, { now, random: 0 })
      expect([call, snoozeUntil, plan.placeHold, plan.fields]).to.deep.equal([
        undefined,
        null,
        'other',
        { problem: 'provider_changed' },
      ])
    }
    // Nobody was reached who could have taken it on.
    expect(decide({ ...asked, providerAsked: null }, now, by('b')).fields).to.include({ providerAsked: 'b' })
  })

  it('asks no other provider about a parcel, and checks once a day whether its provider is back', () => {
    for (const state of ['submitted', 'processing', 'shipped', 'exception'] as const) {
      const asked = { state, provider: 'http', providerAsked: 'a', nextPollAt: now } as const
      expect(callOf(asked, by('a')), state).to.equal('poll')
      for (const settings of [by('b'), manual]) {
        expect(callOf(asked, settings), state).to.equal(undefined)
        expect(decide(asked, now, settings)).to.deep.equal({
          events: [],
          fields: { nextPollAt: after(24) },
          snoozeUntil: after(24),
        })
      }
    }
  })

  it('reminds operators once a day of a cancellation that its provider cannot be asked for', () => {
    const asked = { state: 'cancel_requested', provider: 'http', providerAsked: 'a' } as const
    expect(callOf(asked, by('a'))).to.equal('cancel')
    for (const settings of [by('b'), manual]) {
      expect(callOf(asked, settings)).to.equal(undefined)
      expect(decide(asked, now, settings)).to.deep.equal({
        events: ['cancellation_reminder'],
        fields: { nextPollAt: after(24) },
        snoozeUntil: after(24),
      })
      expect(decide({ ...asked, nextPollAt: after(24) }, after(25), settings).events).to.have.length(1)
    }
  })

  it('counts a call without a recorded result like any other of unknown outcome', () => {
    for (const [state, event] of [
      ['confirmed', 'submission_unknown'],
      ['cancel_requested', 'cancellation_unknown'],
    ] as const) {
      const lost = { state, provider: 'http', providerAsked: 'a', attempts: 2, attemptUntil: now } as const
      expect(decide(lost, now, by('a'))).to.deep.equal({
        events: [event],
        fields: { attemptUntil: null },
        snoozeUntil: new Date(now.getTime() + 120_000),
      })
      expect(decide({ ...lost, attemptUntil: after(1) }, now, by('a')).events).to.deep.equal([])
    }
    const last = { state: 'confirmed', attempts: 7, attemptUntil: now } as const
    expect(decide(last, now, by('a')).events).to.deep.equal(['submission_unknown', 'held'])
  })

  it('does nothing in all other states', () => {
    for (const state of Object.keys(orderTransitions) as OrderState[]) {
      if (state === 'pending_confirmation' || state === 'confirmed') continue
      expect(decide({ state })).to.deep.include({ events: [], snoozeUntil: null })
    }
  })

  it('polls less often once an order has been unchanged for a month', () => {
    const quiet = { state: 'shipped', provider: 'http', providerAsked: 'a' } as const
    const askedAgain = (updatedAt: Date, settingsNow = by('a')) =>
      decide({ ...quiet, updatedAt }, now, settingsNow).snoozeUntil
    expect(askedAgain(after(-29 * 24))).to.deep.equal(after(1))
    expect(askedAgain(after(-30 * 24))).to.deep.equal(after(24))
    expect(callOf({ ...quiet, updatedAt: after(-999 * 24) }, by('a'))).to.equal('poll')
  })
})
