import { expect } from 'chai'
import { isOutcome, summariseOutcomes } from '../../../core/queue/jobs.ts'
import { sharedMax } from '../../../core/queue/queues.ts'

describe('the outcome of a job', () => {
  it('can be shown for as many works as share a job', () => {
    const summary = summariseOutcomes([...Array<string>(sharedMax).fill('credited'), 'failed: timeout'])
    expect(summary).to.equal(`credited ×${sharedMax}, failed: timeout ×1`)
    expect(isOutcome(summary)).to.equal(true)
    expect(isOutcome(`${summary} and more`)).to.equal(false)
  })
})
