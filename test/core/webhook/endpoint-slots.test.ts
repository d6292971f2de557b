import { expect } from 'chai'
import { createEndpointSlots } from '../../../core/webhook/endpoint-slots.ts'

describe('slots of endpoints', () => {
  let nowMs = 0
  const create = () => {
    nowMs = 1_000_000
    return createEndpointSlots({ nowMs: () => nowMs })
  }
  type Slots = ReturnType<typeof create>
  const take = (slots: Slots, count: number, endpoint = 'e', from = 0) =>
    Array.from({ length: count }, (_, index) => slots.take(endpoint, `${endpoint}${from + index}`, false))
  /** For how long each was sent away. */
  const awayMs = (taken: ReturnType<typeof take>) =>
    taken.map((slot) => (slot?.kind === 'go_away' ? slot.ms : undefined))

  it('lets eight calls of an endpoint be under way, and others’ as well', () => {
    const slots = create()
    const taken = take(slots, 9)
    expect(taken.slice(0, 8)).to.deep.equal(Array.from({ length: 8 }, () => undefined))
    expect(taken[8]).to.deep.equal({ kind: 'go_away', ms: 506.25 })
    expect(take(slots, 1, 'other')).to.deep.equal([undefined])
  })

  it('gives a slot that is free again to the next, and none twice to the same', () => {
    const slots = create()
    take(slots, 8)
    expect(slots.take('e', 'e0', false), 'the same holder').to.equal(undefined)
    expect(slots.take('e', 'new', false)).to.not.equal(undefined)
    slots.release('e0')
    slots.release('e0')
    expect(slots.take('e', 'new', false)).to.equal(undefined)
    expect(slots.take('e', 'newer', false)).to.not.equal(undefined)
    slots.release('nobody')
  })

  it('lets some wait for a slot, in turn, where it is a matter of moments', async () => {
    const slots = create()
    take(slots, 8)
    const order: string[] = []
    const waiting = ['one', 'two'].map(async (holder) => {
      expect(slots.take('e', holder, true)).to.deep.equal({ kind: 'wait' })
      await slots.wait('e', holder)
      order.push(holder)
    })
    slots.release('e0')
    await waiting[0]
    expect(order).to.deep.equal(['one'])
    expect(slots.take('e', 'one', false), 'has been given the slot').to.equal(undefined)
    expect(slots.take('e', 'another', false), 'those who wait come first').to.not.equal(undefined)
    slots.release('e1')
    await waiting[1]
    expect(order).to.deep.equal(['one', 'two'])
  })

  it('lets nobody wait for long, nor many', async () => {
    const slots = create()
    take(slots, 8)
    const waiting = Array.from({ length: 64 }, (_, index) => {
      expect(slots.take('e', `w${index}`, true)).to.deep.equal({ kind: 'wait' })
      return slots.wait('e', `w${index}`)
    })
    expect(slots.take('e', 'one too many', true)).to.include({ kind: 'go_away' })
    await Promise.all(waiting) // nobody gives a slot back
    expect(slots.take('e', 'w0', false)).to.include({ kind: 'go_away' })

    for (let call = 0; call < 50; call++) slots.observe('slow', true, 9_000)
    take(slots, 8, 'slow')
    expect(slots.take('slow', 'patient', true)).to.include({ kind: 'go_away' })
  })

  it('gives an endpoint that fails one slot, until it succeeds', () => {
    const slots = create()
    take(slots, 1)
    slots.observe('e', false, 10)
    expect(slots.take('e', 'second', true)).to.include({ kind: 'go_away' })
    slots.observe('e', true, 10)
    expect(slots.take('e', 'second', true)).to.equal(undefined)
  })

  it('sends away for as long as those before will take, within bounds', () => {
    const slots = create()
    for (let call = 0; call < 50; call++) slots.observe('slow', true, 1_000)
    take(slots, 8, 'slow')
    const away = awayMs(take(slots, 10_000, 'slow', 100)).map((ms) => ms ?? 0)
    expect(away[0]).to.be.closeTo(500 + 125, 1)
    expect(away[79]).to.be.closeTo(500 + 10_000, 200) // eighty calls of a second, eight at a time
    expect(Math.max(...away)).to.be.at.most(600_000)
    const inTurn = away.slice(0, 4_500)
    expect(inTurn).to.deep.equal([...inTurn].sort((a, b) => a - b))
    nowMs += 24 * 3_600_000
    expect(awayMs([slots.take('slow', 'next day', false)])[0]).to.be.closeTo(500 + 125, 1)
  })

  it('lets those who would be away for too long come back evenly, not all at the same time', () => {
    const slots = create()
    for (let call = 0; call < 50; call++) slots.observe('slow', true, 10_000)
    take(slots, 8, 'slow')
    const away = awayMs(take(slots, 2_000, 'slow', 100)).map((ms) => ms ?? 0)
    const late = away.slice(1_000)
    for (let from = 300_000; from < 600_000; from += 30_000) {
      const count = late.filter((ms) => ms >= from && ms < from + 30_000).length
      expect(count, `back after ${from} ms`).to.be.within(80, 120)
    }
  })

  /** How often those who want a call of the endpoint look for a slot until all have had one, and when that is. */
  const serve = (count: number, durationMs: number, works = true) => {
    const slots = create()
    const startMs = nowMs
    for (let call = 0; call < 50; call++) slots.observe('e', works, durationMs)
    const due = Array.from({ length: count }, (_, index) => ({
      atMs: nowMs,
      holder: `h${index}`,
      ends: false,
    }))
    let looks = 0
    for (;;) {
      due.sort((one, other) => one.atMs - other.atMs)
      const next = due.shift()
      if (next === undefined) return { looksEach: looks / count, tookMs: nowMs - startMs }
      nowMs = next.atMs
      if (next.ends) {
        slots.observe('e', works, durationMs)
        slots.release(next.holder)
        continue
      }
      looks += 1
      const away = slots.take('e', next.holder, false)
      if (away === undefined) due.push({ ...next, atMs: nowMs + durationMs, ends: true })
      else if (away.kind === 'go_away') due.push({ ...next, atMs: nowMs + away.ms })
    }
  }

  it('lets each look again a few times at most, however many wait, and keeps the slots in use', () => {
    for (const durationMs of [20, 100, 1_000, 10_000])
      for (const count of [100, 400, 1_000]) {
        const { looksEach, tookMs } = serve(count, durationMs)
        expect(looksEach, `${count} of ${durationMs} ms`).to.be.at.most(3)
        expect(tookMs).to.be.at.most(1.5 * ((count / 8) * durationMs) + 2_000)
      }
  })

  it('lets those who wait for an endpoint that fails look every few minutes', () => {
    const { looksEach, tookMs } = serve(1_000, 10_000, false)
    expect(looksEach).to.be.at.most(tookMs / 300_000)
    expect(looksEach).to.be.at.most(20)
    expect(tookMs).to.be.at.most(1.5 * 1_000 * 10_000)
  })
})
