import { expect } from 'chai'
import { isOutcome, parseJobData, summariseOutcomes } from '../../../core/queue/jobs.ts'
import { sharedMax } from '../../../core/queue/queues.ts'

describe('the outcome of a job', () => {
  it('can be shown for as many works as share a job', () => {
    const summary = summariseOutcomes([...Array<string>(sharedMax).fill('credited'), 'failed: timeout'])
    expect(summary).to.equal(`credited ×${sharedMax}, failed: timeout ×1`)
    expect(isOutcome(summary)).to.equal(true)
    expect(isOutcome(`${summary} and more`)).to.equal(false)
  })
})

describe('the payload of a job', () => {
  it('names a casino only with text that the database can hold', () => {
    const work = { outboxId: '1', objectId: 'cbk_1' }
    expect(parseJobData({ ...work, casinoId: 'lucky' })).to.deep.equal([{ ...work, casinoId: 'lucky' }])
    for (const casinoId of ['', 'lu\u0000cky', '\ud800', 'x'.repeat(129), 7, null, ['lucky']]) {
      expect(parseJobData({ ...work, casinoId })).to.deep.equal([work])
    }
  })
})
