import { expect } from 'chai'
import type { BoxTerms, WinnableItem } from '../../../core/box/box.ts'
import { admit, decideOpening } from '../../../core/box/decide-opening.ts'
import type { DrawnEntry } from '../../../core/box/decide-opening.ts'

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
const terms = (changes: Partial<BoxTerms> = {}): BoxTerms => ({
  isEnabled: true,
  access: 'granted',
  limit: null,
  activeFrom: null,
  activeUntil: null,
  ...changes,
})
/** Entries that were drawn of one box, of which so many are left: null where there is no limit. */
const drawn = (left: readonly (number | null)[], { hasFallback = true, isSoldOut = false } = {}) => {
  const box = { hasFallback, isSoldOut, drawn: [] as DrawnEntry[] }
  box.drawn = left.map((remaining, index) => ({
    position: index + 1,
    item: item(`item ${index + 1}`),
    fallback: hasFallback && remaining === 0 ? item('nothing') : null,
    remaining,
    wanted: 0,
    isClosed: false,
    box,
  }))
  return box.drawn as [DrawnEntry, ...DrawnEntry[]]
}
const entitled = { grantId: 'g', openedInPeriod: 0 }
/** The won item; the batch then wants one more of the entry, as the mechanism notes it. */
const wonWith = (entry: DrawnEntry): string => {
  const outcome = decideOpening(entry)
  if (outcome === 'next_round') return outcome
  if (!outcome.isSubstituted) entry.wanted++
  return outcome.isSubstituted ? `${outcome.item.id} instead` : outcome.item.id
}
const codeOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return undefined
}

describe('admit', () => {
  it('opens from the first moment of the window to just before its end', () => {
    const window = { activeFrom: now, activeUntil: new Date(now.getTime() + 1) }
    const at = (offsetMs: number) =>
      codeOf(() => admit(terms(window), entitled, new Date(now.getTime() + offsetMs)))
    expect([at(-1), at(0), at(1)]).to.deep.equal(['box_closed', undefined, 'box_closed'])
  })

  it('is closed while it is switched off', () => {
    expect(codeOf(() => admit(terms({ isEnabled: false }), entitled, now))).to.equal('box_closed')
  })

  it('uses the grant, and needs one', () => {
    expect(admit(terms(), entitled, now).grantId).to.equal('g')
    const without = { grantId: null, openedInPeriod: 0 }
    expect(codeOf(() => admit(terms(), without, now))).to.equal('opening_not_entitled')
  })

  it('counts openings against the limit and does not touch grants', () => {
    const limited = terms({ access: 'limited', limit: { count: 2, period: 'day', timeZone: 'UTC' } })
    const after = (openedInPeriod: number) => () => admit(limited, { grantId: null, openedInPeriod }, now)
    expect(after(1)().grantId).to.equal(null)
    expect(codeOf(after(2))).to.equal('opening_not_entitled')
  })
})

describe('decideOpening', () => {
  it('gives the fallback for an entry that is out of stock in the database', () => {
    const [used] = drawn([0])
    expect(wonWith(used)).to.equal('nothing instead')
  })

  it('postpones an opening that draws an entry which earlier decisions of the batch need, rather than refuse it', () => {
    const [last, cap] = drawn([1, null])
    expect(decideOpening(last)).to.deep.equal(decideOpening(last))
    expect(last.wanted, 'changed by a decision').to.equal(0)
    expect(wonWith(last)).to.equal('item 1')
    expect(wonWith(last)).to.equal('next_round')
    expect(cap === undefined ? '' : wonWith(cap)).to.equal('item 2')
    expect(last).to.include({ remaining: 1, wanted: 1 })
  })

  it('postpones all openings when a box without a fallback may close', () => {
    const [last, cap] = drawn([1, null], { hasFallback: false })
    expect(wonWith(last)).to.equal('item 1')
    expect(cap === undefined ? '' : wonWith(cap)).to.equal('next_round')
  })

  it('postpones an opening of a version that has been replaced meanwhile', () => {
    const [entry] = drawn([0])
    expect(wonWith({ ...entry, isClosed: true })).to.equal('next_round')
  })

  it('is sold out as soon as one entry is empty when there is no fallback', () => {
    const [plenty] = drawn([null], { hasFallback: false, isSoldOut: true })
    expect(codeOf(() => decideOpening(plenty))).to.equal('box_sold_out')
  })
})
