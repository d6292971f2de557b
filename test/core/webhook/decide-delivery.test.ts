import { expect } from 'chai'
import type { ReceiverOutcome } from '../../../core/partner/receiver-outcome.ts'
import {
  attemptLeaseMs,
  attemptsMax,
  decideResult,
  decideStart,
  disableAfterMs,
  turnPauseMs,
} from '../../../core/webhook/decide-delivery.ts'
import type { DeliverySnapshot } from '../../../core/webhook/delivery.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const hour = 3_600_000
const day = 24 * hour

const snapshot = (changes: Partial<DeliverySnapshot> = {}): DeliverySnapshot => ({
  id: 'dlv_1',
  casinoId: 'c',
  endpointId: 'e',
  eventId: '1',
  state: 'pending',
  attempts: 0,
  attemptUntil: null,
  endpoint: { url: 'https://example.com', isEnabled: true, failingSince: null, restingUntil: null },
  before: undefined,
  ...changes,
})
const endpoint = (changes: Partial<NonNullable<DeliverySnapshot['endpoint']>>) => ({
  endpoint: {
    url: 'https://example.com',
    isEnabled: true,
    failingSince: null,
    restingUntil: null,
    ...changes,
  },
})

describe('whether an attempt may start', () => {
  const start = (delivery: DeliverySnapshot | undefined) => decideStart(delivery, now)

  it('finishes work whose delivery has ended or is gone', () => {
    for (const delivery of [
      undefined,
      snapshot({ state: 'delivered' }),
      snapshot({ state: 'failed' }),
      snapshot({ endpoint: undefined }),
    ])
      expect(start(delivery)).to.deep.equal({ kind: 'finish' })
  })

  it('parks a delivery while its endpoint is disabled', () => {
    expect(start(snapshot(endpoint({ isEnabled: false })))).to.deep.equal({ kind: 'park' })
  })

  it('waits while another attempt may still be running', () => {
    expect(start(snapshot({ attemptUntil: later(1) }))).to.deep.equal({ kind: 'snooze', until: later(1) })
    expect(start(snapshot({ attempts: 1, attemptUntil: now })).kind).to.equal('attempt')
  })

  it('waits for the previous event, for as long as that one is snoozed itself', () => {
    for (const [busyUntil, until] of [
      [null, later(turnPauseMs)],
      [later(-hour), later(turnPauseMs)],
      [later(hour), later(hour + turnPauseMs)],
    ] as const)
      expect(start(snapshot({ before: { busyUntil, count: 1 } }))).to.deep.equal({ kind: 'snooze', until })
  })

  it('waits the longer the more events come first', () => {
    const far = start(snapshot({ before: { busyUntil: null, count: 20 } }))
    expect(far).to.deep.equal({ kind: 'snooze', until: later(20 * turnPauseMs) })
  })

  it('pauses all deliveries to a receiver for as long as it has asked for', () => {
    const busy = endpoint({ restingUntil: later(hour) })
    expect(start(snapshot(busy))).to.deep.equal({ kind: 'snooze', until: later(hour) })
    expect(start(snapshot(endpoint({ restingUntil: now }))).kind).to.equal('attempt')
  })

  it('keeps to the schedule and its end when the results of attempts are missing', () => {
    const lost = (attempts: number, begunMs: number, failingSince: Date | null = null) =>
      start(
        snapshot({ attempts, attemptUntil: later(attemptLeaseMs - begunMs), ...endpoint({ failingSince }) }),
      )
    expect(lost(1, attemptLeaseMs).kind).to.equal('attempt')
    expect(lost(4, 60_000)).to.deep.equal({ kind: 'snooze', until: later(14 * 60_000) })
    expect(lost(4, 15 * 60_000).kind).to.equal('attempt')
    expect(lost(attemptsMax, attemptLeaseMs)).to.deep.equal({ kind: 'lost' })
    const broken = lost(attemptsMax, hour, later(-4 * day))
    expect(broken).to.deep.equal({ kind: 'snooze', until: later(23 * hour) })
  })

  it('otherwise starts immediately, with a lease of twenty seconds', () => {
    expect(start(snapshot())).to.deep.equal({ kind: 'attempt', until: later(20_000) })
  })
})

describe('the result of an attempt', () => {
  const url = 'https://example.com'
  const failed = (retryAfterMs: number | null = null): ReceiverOutcome => ({
    kind: 'failed',
    status: 503,
    problem: 'refused',
    retryAfterMs,
  })
  const pauseAfter = (attempts: number, random = 0.5, outcome = failed()) => {
    const decision = decideResult(snapshot({ attempts }), outcome, url, now, random)
    return decision.kind === 'retry' ? decision.at.getTime() - now.getTime() : decision.kind
  }

  it('is tried again for about five days, then is a permanent failure', () => {
    const pauses = Array.from({ length: attemptsMax }, (_, index) => pauseAfter(index + 1))
    const seconds = [5, 30, 120, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400, 86_400]
    expect(pauses).to.deep.equal([...seconds.map((pause) => pause * 1_000), 'failed'])
    const total = seconds.reduce((sum, pause) => sum + pause, 0)
    expect(total / 86_400).to.be.within(4.5, 5.5)
  })

  it('spreads the retries of deliveries that failed together by a fifth', () => {
    expect([0, 0.5, 1].map((random) => pauseAfter(1, random))).to.deep.equal([4_000, 5_000, 6_000])
  })

  it('waits for as long as the receiver asks, within the limit, and no shorter than the schedule', () => {
    expect(pauseAfter(1, 0.5, failed(60_000))).to.equal(60_000)
    expect(pauseAfter(1, 0.5, failed(1_000))).to.equal(5_000)
    expect(pauseAfter(1, 0.5, failed(365 * day))).to.equal(day)
  })

  it('switches the endpoint off immediately when the receiver says that it is gone', () => {
    const gone: ReceiverOutcome = { kind: 'gone', status: 410, problem: 'gone' }
    expect(decideResult(snapshot({ attempts: 1 }), gone, url, now, 0.5)).to.deep.equal({
      kind: 'disable',
      reason: 'gone',
    })
  })

  it('switches the endpoint off after days of failures without a success', () => {
    const after = (ms: number, attempts: number) =>
      decideResult(snapshot({ attempts, ...endpoint({ failingSince: later(-ms) }) }), failed(), url, now, 0.5)
    expect(after(disableAfterMs, 3)).to.deep.equal({ kind: 'disable', reason: 'failing' })
    expect(after(disableAfterMs - 1, 3).kind).to.equal('retry')
  })

  it('lets no delivery fail permanently while the endpoint accepts nothing at all', () => {
    const after = (ms: number) =>
      decideResult(
        snapshot({ attempts: attemptsMax, ...endpoint({ failingSince: later(-ms) }) }),
        failed(),
        url,
        now,
        0.5,
      )
    expect(after(hour)).to.deep.equal({ kind: 'failed' })
    expect(after(4 * day)).to.deep.equal({ kind: 'retry', at: later(day) })
  })

  it('does not affect an endpoint that has another URL by now', () => {
    const gone: ReceiverOutcome = { kind: 'gone', status: 410, problem: 'gone' }
    const long = { attempts: attemptsMax, ...endpoint({ failingSince: later(-disableAfterMs) }) }
    for (const outcome of [gone, failed(), failed(hour)])
      expect(decideResult(snapshot(long), outcome, 'https://old.example.com', now, 0.5)).to.deep.equal({
        kind: 'retry',
        at: later(5_000),
      })
  })

  it('is a success when the receiver accepted the event, after any earlier failure', () => {
    const delivery = snapshot({ attempts: 99, ...endpoint({ failingSince: later(-99 * day) }) })
    expect(decideResult(delivery, { kind: 'delivered', status: 204 }, url, now, 0.5)).to.deep.equal({
      kind: 'delivered',
    })
  })
})
