import { expect } from 'chai'
import { createCallSlots } from '../../../core/partner/call-slots.ts'

const create = (nowMs = () => 0) => createCallSlots({ perCasinoMax: 16, nowMs, random: () => 0.5 })
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

  it('sends nobody away for long because one call was in vain', () => {
    const slots = create()
    countTaken(slots, 'a')
    slots.observe('a', false)
    expect(slots.take('a', 'other')).to.be.below(5_000)
  })

  const looksPerRow = ({ count, holdMsAt }: { count: number; holdMsAt: (now: number) => number }) => {
    const { looks, endMs } = simulate({ count, holdMsAt })
    return { looks: looks / count, endMs }
  }

  it('lets those who wait for a slow wallet look a few times each, however many they are, and idles little', () => {
    const holdMs = 2_000
    for (const count of [250, 1_000, 2_000]) {
      const { looks, endMs } = looksPerRow({ count, holdMsAt: () => holdMs })
      expect(looks, `${count} wait`).to.be.below(4)
      expect(endMs).to.be.below((1.2 * count * holdMs) / slotsMax + holdMs)
    }
  })

  it('bounds how often they look when their turns are beyond the longest time away', () => {
    const { looks, endMs } = looksPerRow({ count: 8_000, holdMsAt: () => 2_000 })
    expect(looks).to.be.below(6)
    expect(endMs).to.be.below(1.2 * 500_000)
  })

  it('is done with all who wait soon after the longest time away once the wallet is fast again', () => {
    const { endMs } = looksPerRow({ count: 8_000, holdMsAt: (now) => (now < 10_000 ? 2_000 : 10) })
    expect(endMs).to.be.below(10_000 + 2 * 60_000 + 20_000)
  })
})

const slotsMax = 32
/** As often as the relay looks for work that has rested. */
const relayMs = 250

/** So many rows of work come at once to a wallet that holds each slot for so long; how often they looked, and when all was done. */
function simulate({ count, holdMsAt }: { count: number; holdMsAt: (now: number) => number }): {
  looks: number
  endMs: number
} {
  let now = 0
  let looks = 0
  let chance = 0
  const random = () => (chance = (chance + 0.618) % 1)
  const slots = createCallSlots({ perCasinoMax: slotsMax, nowMs: () => now, random })
  let waiting = Array.from({ length: count }, (_, n) => ({ holder: `row-${n}`, atMs: 0 }))
  let held: { holder: string; untilMs: number }[] = []
  const stepMs = 10
  while (waiting.length > 0 || held.length > 0) {
    if (now > 3_600_000) throw new Error('they are stuck')
    for (const { holder } of held.filter(({ untilMs }) => untilMs <= now)) {
      slots.observe('a', true)
      slots.release(holder)
    }
    held = held.filter(({ untilMs }) => untilMs > now)
    if (now % relayMs === 0) {
      const due = waiting.filter(({ atMs }) => atMs <= now)
      waiting = waiting.filter(({ atMs }) => atMs > now)
      for (const { holder } of due) {
        looks++
        const awayMs = slots.take('a', holder)
        if (awayMs === undefined) held.push({ holder, untilMs: now + holdMsAt(now) })
        else waiting.push({ holder, atMs: now + awayMs })
      }
    }
    now += stepMs
  }
  return { looks, endMs: now }
}
