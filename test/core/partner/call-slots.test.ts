import { expect } from 'chai'
import { createCallSlots } from '../../../core/partner/call-slots.ts'

const create = () => createCallSlots({ perCasinoMax: 16, random: () => 0.5 })
/** How many of so many holders get a slot. */
const countTaken = (slots: ReturnType<typeof create>, casinoId: string, count = 100) =>
  Array.from({ length: count }, (_, n) => slots.take(casinoId, `${casinoId}-${n}`)).filter(
    (awayMs) => awayMs === undefined,
  ).length

describe('slots for calls of wallets', () => {
  it('gives each casino its own, and a slot that is taken twice once', () => {
    const slots = create()
    expect(countTaken(slots, 'a')).to.equal(16)
    expect(countTaken(slots, 'a', 16)).to.equal(16)
    expect(slots.take('a', 'late')).to.equal(1_500)
    expect(countTaken(slots, 'b')).to.equal(16)
    slots.release('a-3')
    slots.release('a-3')
    slots.release('nobody')
    expect(slots.take('a', 'late')).to.equal(undefined)
    expect(slots.take('a', 'later')).to.equal(1_500)
  })

  it('gives few for a wallet that does not answer, and sends who wants more away for longer and longer', () => {
    const slots = create()
    slots.observe('a', false)
    expect(countTaken(slots, 'a')).to.equal(2)
    expect(countTaken(slots, 'b')).to.equal(16)
    const awayMs = Array.from({ length: 8 }, () => {
      slots.observe('a', false)
      return slots.take('a', 'more')
    })
    expect(awayMs).to.deep.equal([6_000, 12_000, 24_000, 48_000, 90_000, 90_000, 90_000, 90_000])
    slots.observe('a', true)
    expect(countTaken(slots, 'a')).to.equal(16)
  })
})
