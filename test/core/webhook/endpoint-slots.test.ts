import { expect } from 'chai'
import { createEndpointSlots } from '../../../core/webhook/endpoint-slots.ts'

describe('slots of endpoints', () => {
  let nowMs = 0
  const create = () => {
    nowMs = 1_000_000
    return createEndpointSlots({ nowMs: () => nowMs })
  }
  const take = (slots: ReturnType<typeof create>, count: number, endpoint = 'e', from = 0) =>
    Array.from({ length: count }, (_, index) => slots.take(endpoint, `${endpoint}${from + index}`))

  it('lets eight calls of an endpoint be under way, and others’ as well', () => {
    const slots = create()
    const taken = take(slots, 9)
    expect(taken.slice(0, 8)).to.deep.equal(Array.from({ length: 8 }, () => undefined))
    expect(taken[8]).to.be.a('number')
    expect(take(slots, 1, 'other')).to.deep.equal([undefined])
  })

  it('gives a slot that is free again to the next, and none twice to the same', () => {
    const slots = create()
    take(slots, 8)
    expect(slots.take('e', 'e0'), 'the same holder').to.equal(undefined)
    expect(slots.take('e', 'new')).to.be.a('number')
    slots.release('e0')
    slots.release('e0')
    expect(slots.take('e', 'new')).to.equal(undefined)
    expect(slots.take('e', 'newer')).to.be.a('number')
    slots.release('nobody')
  })

  it('gives an endpoint that fails one slot, until it succeeds', () => {
    const slots = create()
    take(slots, 1)
    slots.observe('e', false, 10)
    expect(slots.take('e', 'second')).to.be.a('number')
    slots.observe('e', true, 10)
    expect(slots.take('e', 'second')).to.equal(undefined)
  })

  it('sends away for as long as those before will take, within bounds', () => {
    const slots = create()
    for (let call = 0; call < 50; call++) slots.observe('slow', true, 1_000)
    take(slots, 8, 'slow')
    const away = take(slots, 10_000, 'slow', 100).map((ms) => ms ?? 0)
    expect(away[0]).to.equal(500)
    expect(away[79]).to.be.closeTo(10_000, 200) // eighty calls of a second, eight at a time
    expect(Math.max(...away)).to.equal(300_000)
    expect(away).to.deep.equal([...away].sort((a, b) => a - b))
    nowMs += 24 * 3_600_000
    expect(slots.take('slow', 'next day')).to.equal(500)
  })
})
