import { expect } from 'chai'
import pg from 'pg'
import { createHandOver } from '../../../core/outbox/hand-over.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import type { Queues } from '../../../core/queue/queues.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { relayOutbox } from '../../../worker/maintenance/relay-outbox.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestConfig } from '../../support/config.ts'
import { createWorkFactory } from '../../support/work.ts'

const longLength = 50_000
/** A few looks into an index and at the row, for each row that is meant: far from a walk through the table. */
const readsPerRowMax = 20

/**
 * The server plans a statement when it first sees it, and keeps the plan. So everything is done once while the outbox is
 * as good as empty, and again, on the same connection, when it has become long.
 */
describe('an outbox that has become long since the statements on it were planned', () => {
  let deps: WorkerDeps
  let close: () => Promise<void>
  let observer: pg.Client
  let works: ReturnType<typeof createWorkFactory>

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    const config = await createTestConfig('postgres', { RESCUE_AFTER_SECONDS: '60' })
    // One connection, so that every statement meets its own old plan.
    ;({ deps, close } = createWorkerDeps({ ...config, databasePoolMax: 1 }))
    atTestEnd(close)
    works = createWorkFactory(deps.database, config)
    observer = new pg.Client({ connectionString: config.databaseUrl })
    atTestEnd(() => observer.end())
    await observer.connect()
    // So that the server knows that it is empty, and nothing makes it plan again.
    await observer.query('ALTER TABLE outbox SET (autovacuum_enabled = off)')
    await observer.query('VACUUM (ANALYZE) outbox')
  })

  const lengthen = () =>
    observer.query(
      `INSERT INTO outbox (job_name, object_id, due_at)
       SELECT 'credit-cashback', 'long-' || n, now() - interval '1 second' FROM generate_series(1, $1::int) AS n`,
      [longLength],
    )
  const readCount = async (): Promise<number> => {
    await deps.database.$executeRaw`SELECT pg_stat_force_next_flush()`
    const { rows } = await observer.query<{ reads: number }>(
      `SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'outbox'))::float8
              AS reads
         FROM pg_stat_user_tables WHERE relname = 'outbox'`,
    )
    return rows[0]?.reads ?? NaN
  }
  /** How many rows of the outbox, or entries of its indexes, the server reads for the action. */
  const readsOf = async (action: () => Promise<unknown>): Promise<number> => {
    const before = await readCount()
    await action()
    return (await readCount()) - before
  }
  const expectFewReads = (reads: number, rows: number) => {
    expect(reads).to.be.within(rows, rows * readsPerRowMax)
  }
  const queuesThat = (add: Queues['add']): Queues => ({ ...deps.queues, add, addAgain: add })
  const accept = () => Promise.resolve()
  const claimSize = 500

  it('is claimed by reading little more than the claimed rows', async () => {
    const relay = () => relayOutbox({ ...deps, queues: queuesThat(accept) })
    expect(await relay()).to.equal(0)
    await lengthen()
    const reads = await readsOf(async () => {
      expect(await relay()).to.equal(claimSize)
    })
    expectFewReads(reads, claimSize)
  })

  it('has a claim returned by reading little more than the returned rows', async () => {
    const failing = queuesThat(() => Promise.reject(new Error('the queues are away')))
    const relay = () => relayOutbox({ ...deps, queues: failing }).catch(() => undefined)
    await works.cashbacks(1)
    await observer.query('UPDATE outbox SET due_at = now()')
    await relay()
    await lengthen()
    const reads = await readsOf(relay)
    expect(await deps.database.outbox.count({ where: { relayed: 0 } })).to.equal(longLength + 1)
    expectFewReads(reads, claimSize)
  })

  it('has rows that were handed over postponed by reading little more than those', async () => {
    const handOver = async (handedOver: readonly DueWork[]) => {
      const { handOver, settle } = createHandOver({
        ...deps,
        queues: queuesThat(accept),
        rescueAfterMs: 60_000,
      })
      handOver(handedOver)
      await settle()
    }
    await handOver([{ jobName: 'credit-cashback', outboxId: '1', objectId: 'long-gone' }])
    await lengthen()
    const many = await works.cashbacks(100)
    const reads = await readsOf(() => handOver(many))
    expectFewReads(reads, many.length)
  })

  const jobs = {
    'credit-cashback': {
      cause: (count: number) => works.cashbacks(count),
      run: async (work: DueWork) => (await deps.processors['credit-cashback'](work, newHolder())).result,
    },
    'fulfil-prize-order': {
      cause: (count: number) => works.orders(count),
      run: async (work: DueWork) => (await deps.processors['fulfil-prize-order'](work, newHolder())).result,
    },
  }
  for (const [name, { cause, run }] of Object.entries(jobs)) {
    it(`is worked on by reading little more than the work: ${name}`, async () => {
      const runAll = (all: readonly DueWork[]) => Promise.all(all.map(run))
      await run({ jobName: 'credit-cashback', outboxId: '1', objectId: 'long-gone' })
      await runAll(await cause(1))
      await lengthen()
      const many = await cause(100)
      const reads = await readsOf(async () => {
        expect(new Set(await runAll(many))).to.deep.equal(new Set(['done']))
      })
      expectFewReads(reads, many.length)
    })
  }
})
