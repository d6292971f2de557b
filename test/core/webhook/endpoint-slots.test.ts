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
    expect(taken[8]).to.deep.equal({ kind: 'go_away', ms: 500 })
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
    expect(away[0]).to.equal(500)
    expect(away[79]).to.be.closeTo(10_000, 200) // eighty calls of a second, eight at a time
    expect(Math.max(...away)).to.equal(300_000)
    expect(away).to.deep.equal([...away].sort((a, b) => a - b))
    nowMs += 24 * 3_600_000
    expect(slots.take('slow', 'next day', false)).to.deep.equal({ kind: 'go_away', ms: 500 })
  })
})
