import { expect } from 'chai'
import { createJobActivity } from '../../worker/job-activity.ts'

describe('the work of this process', () => {
  it('is told at its end, however it ends', async () => {
    const activity = createJobActivity()
    const active: number[] = []
    activity.onEnded(() => active.push(activity.activeCount('credit-cashback')))
    expect(await activity.track('credit-cashback', () => Promise.resolve('done'))).to.equal('done')
    expect(active).to.deep.equal([0])
    const failed = activity.track('credit-cashback', () => Promise.reject(new Error('no answer')))
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: no answer')
    expect(active).to.deep.equal([0, 0])
  })
})
