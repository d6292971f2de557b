import { expect } from 'chai'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createHandOver } from '../../../core/outbox/hand-over.ts'
import type { HandOverDeps } from '../../../core/outbox/hand-over.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { eventually } from '../../support/eventually.ts'

describe('the hand-over to the queues', () => {
  const works = (count: number): DueWork[] =>
    Array.from({ length: count }, (_, n) => ({
      jobName: 'credit-cashback',
      outboxId: String(n),
      objectId: `cbk_${n}`,
    }))

  const open = () => {
    const bulks: number[] = []
    const deps = {
      database: { $executeRaw: () => Promise.resolve(0) },
      queues: {
        addShared: (bulk: readonly DueWork[]) => {
          bulks.push(bulk.length)
          return Promise.resolve()
        },
      },
      log: createLogger('test', 'silent'),
      tracer: undefined,
      rescueAfterMs: 60_000,
    }
    return { bulks, ...createHandOver(deps as unknown as HandOverDeps) }
  }

  it('does not let few works wait', async () => {
    const { bulks, handOver, settle } = open()
    handOver(works(15))
    await nextTurn()
    expect(bulks).to.deep.equal([15])
    await settle()
  })

  it('lets many works wait a moment for others, which fill their job', async () => {
    const { bulks, handOver, settle } = open()
    for (const count of [16, 100, 76]) handOver(works(count)) // 192 fill three quarters of a job
    await nextTurn()
    expect(bulks).to.deep.equal([192])
    await settle()
  })

  it('continues by itself when no others come', async () => {
    const { bulks, handOver, settle } = open()
    handOver(works(16))
    await eventually('handed over', () => Promise.resolve(bulks.length === 1))
    expect(bulks).to.deep.equal([16])
    await settle()
  })

  it('lets no work wait once it is to settle', async () => {
    const { bulks, handOver, settle } = open()
    handOver(works(40))
    const settled = settle()
    await nextTurn()
    expect(bulks).to.deep.equal([40])
    await settled
  })
})
