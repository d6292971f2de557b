import { expect } from 'chai'
import type { BoxEntry, BoxVersion, WinnableItem } from '../../../core/box/box.ts'
import { decideOpening } from '../../../core/box/decide-opening.ts'
import type { Draw } from '../../../core/box/decide-opening.ts'

const now = new Date('2026-03-04T12:00:00Z')
const item = (id: string): WinnableItem => ({
  id,
  name: id,
  kind: 'physical',
  description: null,
  imageUrl: null,
  cashback: null,
  claimDays: null,
})
const entry = (id: string, remaining: number | null = null, weight = 1n): BoxEntry => ({
  position: 1,
  weight,
  remaining,
  wanted: 0,
  item: item(id),
})
const box = (changes: Partial<BoxVersion> = {}): BoxVersion => ({
  casinoId: 'c',
  boxId: 'b',
  version: 1,
  oddsHash: '',
  isEnabled: true,
  access: 'granted',
  limit: null,
  activeFrom: null,
  activeUntil: null,
  entries: [entry('mug')],
  fallback: null,
  ...changes,
})
const entitled = { grantId: 'g', openedInPeriod: 0 }
const always = (value: bigint) => () => value
/** What was drawn, where nothing else of the batch is in the way. */
const drawnIn = (...args: Parameters<typeof decideOpening>): Draw => {
  const draw = decideOpening(...args)
  if (draw === 'next_round') throw new Error('the decision was put off')
  return draw
}
const codeOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return undefined
}

describe('decideOpening', () => {
  it('opens from the first moment of the window to just before its end', () => {
    const window = { activeFrom: now, activeUntil: new Date(now.getTime() + 1) }
    const at = (offsetMs: number) =>
      codeOf(() => decideOpening(box(window), entitled, always(0n), new Date(now.getTime() + offsetMs)))
    expect([at(-1), at(0), at(1)]).to.deep.equal(['box_closed', undefined, 'box_closed'])
  })

  it('is closed while it is switched off', () => {
    const off = box({ isEnabled: false })
    expect(codeOf(() => decideOpening(off, entitled, always(0n), now))).to.equal('box_closed')
  })

  it('takes the entry that a sandbox asks for, or refuses what is not in the box', () => {
    const cap = entry('cap', 1)
    const used = entry('bag', 0)
    const choice = box({ entries: [entry('mug'), cap, used], fallback: item('nothing') })
    const drawn = drawnIn(choice, entitled, always(0n), now, 'cap')
    expect(drawn).to.deep.include({ entry: cap, isForced: true, isSubstituted: false })
    expect(drawnIn(choice, entitled, always(0n), now, 'bag').item.id).to.equal('nothing')
    expect(codeOf(() => decideOpening(choice, entitled, always(0n), now, 'hat'))).to.equal(
      'test_outcome_unknown',
    )
  })

  it('uses the grant, and needs one', () => {
    expect(drawnIn(box(), entitled, always(0n), now).grantId).to.equal('g')
    const without = { grantId: null, openedInPeriod: 0 }
    expect(codeOf(() => decideOpening(box(), without, always(0n), now))).to.equal('opening_not_entitled')
  })

  it('counts openings against the limit and leaves grants alone', () => {
    const limited = box({ access: 'limited', limit: { count: 2, period: 'day', timeZone: 'UTC' } })
    const after = (openedInPeriod: number) => () =>
      drawnIn(limited, { grantId: null, openedInPeriod }, always(0n), now)
    expect(after(1)().grantId).to.equal(null)
    expect(codeOf(after(2))).to.equal('opening_not_entitled')
  })

  it('gives the fallback for an entry of which the database has nothing left', () => {
    const used = entry('mug', 0)
    const draw = drawnIn(box({ entries: [used], fallback: item('nothing') }), entitled, always(0n), now)
    expect(draw).to.include({ isSubstituted: true, entry: used })
    expect(draw.item.id).to.equal('nothing')
  })

  it('puts off who draws what earlier decisions of the batch want, rather than deny it', () => {
    const last = entry('mug', 1)
    const withFallback = box({ entries: [last, entry('cap')], fallback: item('nothing') })
    expect(drawnIn(withFallback, entitled, always(0n), now)).to.include({ isSubstituted: false })
    expect(decideOpening(withFallback, entitled, always(0n), now)).to.equal('next_round')
    expect(drawnIn(withFallback, entitled, always(2n ** 63n), now).item.id).to.equal('cap')
    expect(last).to.include({ remaining: 1, wanted: 1 })
  })

  it('puts off everybody when a box without a fallback may close', () => {
    const closing = box({ entries: [entry('mug', 1), entry('cap')] })
    expect(drawnIn(closing, entitled, always(0n), now).item.id).to.equal('mug')
    expect(decideOpening(closing, entitled, always(2n ** 63n), now)).to.equal('next_round')
  })

  it('is sold out as soon as one entry is empty when there is no fallback', () => {
    const soldOut = box({ entries: [entry('empty', 0), entry('plenty')] })
    expect(codeOf(() => decideOpening(soldOut, entitled, always(2n ** 63n), now))).to.equal('box_sold_out')
  })
})
