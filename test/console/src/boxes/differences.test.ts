import { expect } from 'chai'
import { differencesOf, oddsText } from '../../../../console/src/boxes/differences.ts'
import type { ComparedBox } from '../../../../console/src/boxes/differences.ts'

const box: ComparedBox = {
  name: 'Daily',
  description: null,
  image_url: null,
  access: 'granted',
  limit: null,
  active_from: null,
  active_until: null,
  fallback_item_id: null,
  entries: [
    { item_id: 'mug', weight: 1, stock: 5 },
    { item_id: 'spins', weight: 3, stock: null },
  ],
}

describe('the differences between two versions of a box', () => {
  it('are empty between a version and itself', () => {
    expect(differencesOf(box, structuredClone(box))).to.deep.equal([])
  })

  it('name the terms that changed', () => {
    const limit = { count: 2, period: 'day', time_zone: 'UTC' }
    expect(differencesOf(box, { ...box, name: 'Weekly', access: 'limited', limit })).to.deep.equal([
      { what: 'Name', before: 'Daily', after: 'Weekly' },
      { what: 'Opened by', before: 'granted', after: 'limited, 2 per day (UTC)' },
    ])
  })

  it('mark the times at which it opens and closes, so that they are shown in the time zone of the reader', () => {
    const active_until = '2030-01-01T00:00:00.000Z'
    expect(differencesOf(box, { ...box, active_until })).to.deep.equal([
      { what: 'Open until', before: '–', after: active_until, isTime: true },
    ])
  })

  it('name each entry whose odds changed, also by the weight of another one', () => {
    const entries = [...box.entries, { item_id: 'mug', weight: 4, stock: null }]
    expect(differencesOf(box, { ...box, entries })).to.deep.equal([
      { what: 'Entry mug', before: '1 of 4 (25 %), stock 5', after: '1 of 8 (12.5 %), stock 5' },
      { what: 'Entry spins', before: '3 of 4 (75 %), unlimited', after: '3 of 8 (37.5 %), unlimited' },
      { what: 'Entry mug (2)', before: '–', after: '4 of 8 (50 %), unlimited' },
    ])
  })

  it('show small odds with their digits', () => {
    expect(oddsText(1, 3_000_000)).to.equal('1 of 3000000 (0.00003333 %)')
  })
})
