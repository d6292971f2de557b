import { expect } from 'chai'
import { findFailedJobs } from '../../../core/queue/count-jobs.ts'
import { jobNames } from '../../../core/queue/jobs.ts'
import type { JobName } from '../../../core/queue/jobs.ts'
import type { Queues } from '../../../core/queue/queues.ts'

describe('jobs that have failed permanently', () => {
  it('have the time of the first one, also when it fails while they are counted', async () => {
    const createQueue = (finishedOn: number) => {
      const failed: { finishedOn: number }[] = []
      return {
        getJobCounts: async () => {
          await Promise.resolve()
          failed.push({ finishedOn })
          return { failed: failed.length }
        },
        getJobs: () => Promise.resolve([...failed]),
      }
    }
    const ofNames = new Map(jobNames.map((name, index) => [name, createQueue(5_000 + index)]))
    const queues = { of: (name: JobName) => ofNames.get(name) }
    const found = await findFailedJobs(queues as unknown as Queues)
    expect(found).to.deep.equal({ count: jobNames.length, oldestAt: new Date(5_000) })
  })

  it('have no time when there are none, and are then not searched', async () => {
    const queue = {
      getJobCounts: () => Promise.resolve({ failed: 0 }),
      getJobs: () => Promise.reject(new Error('searched')),
    }
    const queues = { of: () => queue } as unknown as Queues
    expect(await findFailedJobs(queues)).to.deep.equal({ count: 0, oldestAt: null })
  })
})
