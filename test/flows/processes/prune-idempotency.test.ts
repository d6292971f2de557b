import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { pruneAnswers } from '../../../core/idempotency/prune.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { startProcess } from '../../support/processes.ts'
import { isLongForm, itInLongForm } from '../../support/runs.ts'

const day = 86_400_000

describe('pruning idempotency records', () => {
  let env: Env
  let deps: WorkerDeps
  let close: () => Promise<void>

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    env = await createTestEnv('postgres', { IDEMPOTENCY_RETENTION_DAYS: '40' })
    ;({ deps, close } = createWorkerDeps(readConfig(env)))
    atTestEnd(close)
  })

  const store = (count: number, ageMs: number) =>
    deps.database.idempotencyRecord.createMany({
      data: Array.from({ length: count }, () => ({
        casinoId: 'acme',
        key: randomUUID(),
        operation: 'box_open',
        fingerprint: new Uint8Array(32),
        response: '{}',
        createdAt: new Date(Date.now() - ageMs),
      })),
    })
  const prune = () => pruneAnswers(deps, deps.config.keepIdempotencyMs)
  const countLeft = () => deps.database.idempotencyRecord.count()

  it('keeps an answer for the whole retention, and removes it afterwards [key-retention]', async () => {
    await store(3, 40 * day + 60_000)
    await store(4, 40 * day - 60_000)
    await store(5, 0)
    expect(await prune()).to.equal(3)
    expect(await prune()).to.equal(0)
    expect(await countLeft()).to.equal(9)
  })

  it('removes a bounded number at a time, oldest first', async () => {
    await store(1_200, 50 * day)
    await store(300, 60 * day)
    expect(await prune()).to.equal(1_000)
    const left = await deps.database.idempotencyRecord.findMany({ select: { createdAt: true } })
    expect(left).to.have.length(500)
    expect(left.every(({ createdAt }) => createdAt.getTime() > Date.now() - 55 * day)).to.equal(true)
    expect(await prune()).to.equal(500)
  })

  it('removes each once, however many workers do it at the same time', async () => {
    const count = isLongForm ? 5_000 : 2_500
    await store(count, 50 * day)
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => {
        let removed = 0
        for (let last = 1; last > 0; removed += last) last = await prune()
        return removed
      }),
    )
    // A worker that skips rows which another one is removing may stop early, but removes no row twice.
    expect(counts.reduce((sum, one) => sum + one, 0)).to.equal(count)
    expect(await countLeft()).to.equal(0)
  })

  itInLongForm('finds them by an index', async () => {
    for (const days of [0, 10, 20, 30, 50]) await store(1_000, days * day)
    await deps.database.$executeRaw`ANALYZE idempotency_record`
    const plan = await deps.database.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT ctid FROM idempotency_record
       WHERE created_at < now() - interval '40 days' ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED`
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).to.contain('Index Scan using idempotency_record_created_at_idx').and.not.contain('Sort')
  })

  it('happens without a request while a worker runs', async () => {
    await store(1_500, 50 * day)
    await store(2, 0)
    const worker = await startProcess('worker', env)
    try {
      await eventually('the old ones are gone', async () => (await countLeft()) === 2)
    } finally {
      expect(await worker.terminate()).to.equal(0)
    }
  })
})
