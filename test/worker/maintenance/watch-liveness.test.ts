import { expect } from 'chai'
import { jobNames } from '../../../core/queue/jobs.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import {
  createWatchLiveness,
  isStuck,
  suspect,
  watchLivenessIdleMs,
} from '../../../worker/maintenance/watch-liveness.ts'
import type { Look, Suspicion } from '../../../worker/maintenance/watch-liveness.ts'
import { createTestConfig } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'

const waiting: Look = { atMs: 0, waitingCount: 3, isHeld: false, startedCount: 7, activeCount: 0 }

/** Looks as often as a worker does, and returns the time after which the worker counts as stuck, if it does. */
function stuckAfter(lookAt: (index: number) => Partial<Look>, looks = 100): number | undefined {
  let suspicion: Suspicion | undefined
  for (let index = 0; index < looks; index++) {
    suspicion = suspect(suspicion, { ...waiting, atMs: index * watchLivenessIdleMs, ...lookAt(index) })
    if (isStuck(suspicion)) return index * watchLivenessIdleMs
  }
  return undefined
}

describe('the check whether a worker is stuck', () => {
  it('reports it when jobs wait for a minute and it starts none', () => {
    expect(stuckAfter(() => ({}))).to.equal(60_000)
  })

  const innocent: Record<string, (index: number) => Partial<Look>> = {
    'nothing waits': () => ({ waitingCount: 0 }),
    'the queue cannot be asked': () => ({ waitingCount: undefined }),
    'the queue is paused or limited': () => ({ isHeld: true }),
    'it is busy with a long job': () => ({ activeCount: 1 }),
    'it starts a job now and then': (index) => ({ startedCount: Math.floor(index / 5) }),
    'others empty the queue now and then': (index) => (index % 5 === 4 ? { waitingCount: 0 } : {}),
    'the backend is away now and then': (index) => (index % 5 === 4 ? { waitingCount: undefined } : {}),
    'the process sleeps between two looks': (index) => ({ atMs: index * 30_000 }),
  }
  for (const [reason, lookAt] of Object.entries(innocent)) {
    it(`does not report it, after any time, when ${reason}`, () => {
      expect(stuckAfter(lookAt)).to.equal(undefined)
    })
  }

  it('counts from zero again after each sign of life', () => {
    expect(
      stuckAfter((index) =>
        index === 4 ? { activeCount: 1, startedCount: 8 } : { startedCount: index < 4 ? 7 : 8 },
      ),
    ).to.equal(110_000)
  })
})

describe('watching the liveness of a worker', () => {
  const answer = <Value>(asked: string[], name: string, value: Value) => {
    asked.push(name)
    return Promise.resolve(value)
  }

  for (const [title, { waits, isLimited, questions }] of Object.entries({
    'asks an empty queue one question': { waits: 0, isLimited: false, questions: ['counts'] },
    'asks a queue whose jobs wait whether they should': {
      waits: 2,
      isLimited: false,
      questions: ['counts', 'paused', 'maxed'],
    },
    'lets the jobs of a limited queue wait': {
      waits: 2,
      isLimited: true,
      questions: ['counts', 'paused', 'maxed'],
    },
  })) {
    it(title, async () => {
      let [nowMs, stuck] = [0, 0]
      const asked: string[] = []
      const queue = {
        getJobCounts: () => answer(asked, 'counts', { waiting: waits, prioritized: 0 }),
        isPaused: () => answer(asked, 'paused', false),
        isMaxed: () => answer(asked, 'maxed', isLimited),
      }
      const deps = {
        queues: { of: () => queue },
        activity: { startedCount: () => 0, activeCount: () => 0 },
        log: { fatal: () => undefined },
      } as unknown as Parameters<typeof createWatchLiveness>[0]
      const watch = createWatchLiveness(
        deps,
        () => stuck++,
        () => nowMs,
      )
      await watch()
      expect(asked).to.have.members(jobNames.flatMap(() => questions))
      for (; nowMs < 60_000; await watch()) nowMs += watchLivenessIdleMs
      expect(stuck).to.equal(waits > 0 && !isLimited ? 1 : 0)
    })
  }
})

for (const backend of queueBackends) {
  describe(`watching the liveness of a worker on ${backend}`, () => {
    it('ends a process that lets jobs wait, but not before a minute, and not while the queue is paused', async () => {
      // No worker takes jobs from these queues, as if it were frozen.
      const { deps, close } = createWorkerDeps(await createTestConfig(backend))
      try {
        let nowMs = 0
        let stuck = 0
        const watch = createWatchLiveness(
          deps,
          () => stuck++,
          () => nowMs,
        )
        const lookFor = async (durationMs: number) => {
          for (const endMs = nowMs + durationMs; nowMs < endMs; nowMs += watchLivenessIdleMs) await watch()
        }
        const queue = deps.queues.of('credit-cashback')
        await eventually('the queues can be reached', () =>
          deps.backend.ping().then(
            () => true,
            () => false,
          ),
        )
        await lookFor(120_000)
        await deps.queues.add([{ jobName: 'credit-cashback', outboxId: '1', objectId: 'cbk_1' }])
        await queue.pause()
        await lookFor(120_000)
        expect(stuck).to.equal(0)

        await queue.resume()
        await lookFor(60_000)
        expect(stuck).to.equal(0)
        await lookFor(watchLivenessIdleMs)
        expect(stuck).to.equal(1)
      } finally {
        await close()
      }
    })
  })
}
