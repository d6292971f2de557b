import { expect } from 'chai'
import type { RunWork } from '../../core/outbound/attempts.ts'
import { createLogger } from '../../core/platform/logger.ts'
import type { DueWork, JobData, JobName } from '../../core/queue/jobs.ts'
import { createJobActivity } from '../../worker/job-activity.ts'
import { createRunJob } from '../../worker/jobs.ts'
import type { WorkerMetrics } from '../../worker/metrics.ts'

const workOf = (n: number) => ({ outboxId: String(n), objectId: `cbk_${n}` })

/** Runs a job of which the works with these numbers fail. */
async function runJob(data: unknown, failing: readonly number[], attemptsMade = 0) {
  const seen = { runs: [] as string[], added: [] as DueWork[], results: [] as string[], ends: [] as string[] }
  const run: RunWork = ({ outboxId, objectId }) => {
    seen.runs.push(objectId)
    return failing.includes(Number(outboxId))
      ? Promise.reject(new Error(`row ${objectId} holds a street`))
      : Promise.resolve({ result: 'done', outcome: 'credited' })
  }
  const metrics = {
    observeJob: (_name: JobName, result: string) => seen.results.push(result),
  } as unknown as WorkerMetrics
  const activity = createJobActivity((_name, end) => seen.ends.push(end))
  const runs = createRunJob('credit-cashback', run, {
    log: createLogger('worker', 'silent'),
    metrics,
    tracer: undefined,
    activity,
    queues: {
      add: (works) => {
        seen.added.push(...works)
        return Promise.resolve()
      },
    },
  })
  const ended = await runs({ id: 's1', data: data as JobData, attemptsMade, opts: { attempts: 8 } }).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error: error as Error }),
  )
  return { ...seen, ...ended, activeCount: activity.activeCount('credit-cashback') }
}

describe('a job', () => {
  it('of one work reports the outcome of that work', async () => {
    const seen = await runJob(workOf(1), [])
    expect(seen).to.deep.include({ outcome: 'credited', runs: ['cbk_1'], results: ['done'], ends: ['out'] })
    expect(seen.added).to.deep.equal([])
  })

  it('of one work fails with it, and keeps nothing of the error’s text', async () => {
    const seen = await runJob(workOf(1), [1])
    expect('error' in seen && seen.error.message).to.equal("Error, see the worker's log")
    expect(seen).to.deep.include({ results: ['failed'], ends: ['failed'], added: [], activeCount: 0 })
  })

  it('of several works carries out and counts each', async () => {
    const seen = await runJob({ ...workOf(1), works: [2, 3].map(workOf) }, [])
    expect(seen).to.deep.include({
      outcome: 'credited ×3',
      runs: ['cbk_1', 'cbk_2', 'cbk_3'],
      results: ['done', 'done', 'done'],
      ends: ['out', 'out', 'out'],
      added: [],
      activeCount: 0,
    })
  })

  it('of several works gives each that fails a job of its own, and does not repeat the others', async () => {
    const seen = await runJob({ ...workOf(1), works: [2, 3].map(workOf) }, [1, 3])
    expect(seen).to.deep.include({ outcome: 'credited ×1, failed ×2', results: ['failed', 'done', 'failed'] })
    expect(seen.added).to.deep.equal([1, 3].map((n) => ({ jobName: 'credit-cashback', ...workOf(n) })))
  })

  it('of several works fails when all of them do, so that they are tried again together', async () => {
    const seen = await runJob({ ...workOf(1), works: [workOf(2)] }, [1, 2])
    expect(seen).to.have.property('error')
    expect(seen.added).to.deep.equal([])
  })

  it('of several works never ends as failed: at its last attempt each work gets a job of its own', async () => {
    const seen = await runJob({ ...workOf(1), works: [workOf(2)] }, [1, 2], 7)
    expect(seen).to.deep.include({ outcome: 'failed ×2' })
    expect(seen.added.map(({ objectId }) => objectId)).to.deep.equal(['cbk_1', 'cbk_2'])
  })

  for (const data of [
    undefined,
    {},
    { works: [] },
    { ...workOf(1), works: [{}] },
    { ...workOf(1), works: workOf(2) },
  ]) {
    it(`with an invalid payload runs nothing, and is not tried again: ${JSON.stringify(data)}`, async () => {
      const seen = await runJob(data, [])
      expect('error' in seen && seen.error.name).to.equal('UnrecoverableError')
      expect(seen).to.deep.include({ runs: [], results: ['failed'], ends: ['failed'], activeCount: 0 })
    })
  }
})
