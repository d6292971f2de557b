import { expect } from 'chai'
import { mergeTimeline } from '../../../core/timeline/timeline.ts'
import type { ActionRecord } from '../../../core/audit/read-actions.ts'
import type { TracedEntry } from '../../../core/event/read-history.ts'

const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second))

const event = (second: number, data: Partial<TracedEntry> = {}): TracedEntry => ({
  objectType: 'prize',
  objectId: 'p',
  sequence: second,
  type: 'prize.won',
  fromState: null,
  toState: 'won',
  actor: 'admin',
  reason: null,
  requestId: null,
  traceId: null,
  createdAt: at(second),
  ...data,
})

const action = (second: number, data: Partial<ActionRecord> = {}): ActionRecord => ({
  objectType: 'prize',
  objectId: 'p',
  at: at(second),
  actor: 'operator:ann',
  action: 'POST /admin/casinos/:casino_id/prizes/:prize_id/void',
  reason: null,
  requestId: 'req_1',
  outcome: '200',
  ...data,
})

const nothing = { history: [], answers: [], deliveries: [], actions: [], notes: [] }

describe('mergeTimeline', () => {
  it('keeps each source’s order of entries from the same instant', () => {
    const history = [event(1, { type: 'prize.won' }), event(1, { type: 'prize.ordered' }), event(0)]
    const { entries } = mergeTimeline({ ...nothing, history }, 10)
    expect(entries.map(({ what }) => what)).to.deep.equal(['prize.won', 'prize.won', 'prize.ordered'])
  })

  it('shows an action beside the history only if it wrote nothing there', () => {
    const history = [event(1, { type: 'prize.voided', requestId: 'req_1' })]
    const actions = [
      action(1, { requestId: 'req_1' }),
      action(2, { requestId: 'req_2', outcome: '409 transition_illegal' }),
      action(3, { requestId: 'req_3', outcome: 'requested' }),
    ]
    const { entries } = mergeTimeline({ ...nothing, history, actions }, 10)
    expect(entries.map(({ what, detail }) => [what, detail])).to.deep.equal([
      ['prize.voided', null],
      ['void', '409 transition_illegal'],
      ['void', 'requested'],
    ])
  })

  it('keeps the newest entries, and says whether there were more', () => {
    const history = [event(1), event(2), event(3)]
    const two = mergeTimeline({ ...nothing, history }, 2)
    expect(two.entries.map(({ at: when }) => when)).to.deep.equal([at(2), at(3)])
    expect(two.isPartial).to.equal(true)
    expect(mergeTimeline({ ...nothing, history }, 3).isPartial).to.equal(false)
  })
})
