import { expect } from 'chai'
import { decideOrderWork } from '../../../core/prize-order/decide-work.ts'
import type { FulfilmentSettings, WorkableOrder } from '../../../core/prize-order/decide-work.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'

const hourMs = 3_600_000
const now = new Date('2026-03-04T12:00:00Z')
const after = (hours: number) => new Date(now.getTime() + hours * hourMs)
const settings: FulfilmentSettings = { provider: { kind: 'manual' }, reminderAfterHours: [24, 72] }
const order = (changes: Partial<WorkableOrder> = {}): WorkableOrder => ({
  state: 'pending_confirmation',
  announcedAt: null,
  remindersSent: 0,
  openHolds: [],
  provider: null,
  attempts: 0,
  attemptUntil: null,
  nextPollAt: null,
  ...changes,
})
const decide = (changes: Partial<WorkableOrder>, at = now, by = settings) => {
  const { plan, snoozeUntil } = decideOrderWork(order(changes), by, at)
  return { events: plan.steps.map(({ event }) => event), fields: plan.fields, snoozeUntil }
}

describe('decideOrderWork', () => {
  it('announces an order, and looks again when the first reminder is due', () => {
    expect(decide({})).to.deep.equal({
      events: ['confirmation_requested'],
      fields: { announcedAt: now },
      snoozeUntil: after(24),
    })
    expect(decide({}, now, { ...settings, reminderAfterHours: [] }).snoozeUntil).to.equal(null)
  })

  it('reminds at the hours after the announcement, each once, and then never again', () => {
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

  it('never confirms, however long nobody does', () => {
    for (const remindersSent of [0, 1, 2]) {
      const { plan } = decideOrderWork(order({ announcedAt: now, remindersSent }), settings, after(99_999))
      expect(plan.steps.every((step) => step.to === 'pending_confirmation')).to.equal(true)
    }
  })

  it('submits what is confirmed and not held', () => {
    expect(decide({ state: 'confirmed' }).events).to.deep.equal(['submitted'])
    expect(decide({ state: 'confirmed', openHolds: ['customs'] }).events).to.deep.equal([])
  })

  it('leaves everything else to others', () => {
    for (const state of Object.keys(orderTransitions) as OrderState[]) {
      if (state === 'pending_confirmation' || state === 'confirmed') continue
      expect(decide({ state })).to.deep.include({ events: [], snoozeUntil: null })
    }
  })
})
