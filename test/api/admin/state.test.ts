import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createProcessCounts } from '../../../core/process/process-counts.ts'
import { pruneMinutes } from '../../../core/process/prune-minutes.ts'
import { findRedisServer, startRedis } from '../../../local/redis.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { logIn } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService, TestWorker } from '../../support/service.ts'

interface Queue {
  name: string
  waiting: number | null
  failed: number | null
  oldest_age_seconds: number | null
  minutes: { at: string; in: number; out: number; failed: number }[]
}

interface State {
  queues: Queue[]
  outbox: { due: number; resting: number; oldest_due_age_seconds: number | null }
  processes: { process_id: string; kind: string; version: string; is_alive: boolean }[]
  database: { is_up: boolean; latency_ms: number | null }
  queue_server: { kind: string; is_up: boolean; latency_ms: number | null }
  operations: { operation: string; minutes: { at: string; ok: number; refused: number; failed: number }[] }[]
}

type Headers = Record<string, string>
const byAdmin: Headers = { Authorization: `Bearer ${adminApiKey}` }

async function readState(service: TestService, headers = byAdmin): Promise<State> {
  const reply = await service.client.send('GET', '/admin/state', { headers })
  expect(reply.status, reply.text).to.equal(200)
  return (reply.json as { data: State }).data
}

const sum = <Row>(rows: readonly Row[] | undefined, of: (row: Row) => number) =>
  (rows ?? []).reduce((total, row) => total + of(row), 0)

for (const backend of queueBackends) {
  describe(`the state of the service, queues on ${backend}`, () => {
    const atEnd = atEndOfSuite()
    let service: TestService
    let second: TestService
    let worker: TestWorker
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
      second = await startService({ backend, env: service.env })
      atEnd(() => second.stop())
    })

    const cashBack = async (through: TestService) => {
      const casino = await service.factory.casino()
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId }
      return () => through.client.post('/prize/cashback', casino.apiKey, body)
    }

    it('counts the jobs that wait in the queues, and says since when', async () => {
      const ask = await cashBack(service)
      expect((await ask()).status).to.equal(200)
      const queue = await eventually('the job is in its queue', async () => {
        const { queues } = await readState(service)
        const found = queues.find(({ name }) => name === 'credit-cashback')
        return found?.waiting === 1 && found
      })
      expect(queue.oldest_age_seconds).to.be.a('number')
      const { queues } = await readState(service)
      expect(queues.filter(({ waiting }) => waiting === 0)).to.have.length(queues.length - 1)
    })

    it('adds up the operations and jobs of all processes', async () => {
      worker = service.startWorker()
      for (const through of [service, second]) {
        const ask = await cashBack(through)
        expect((await ask()).status).to.equal(200)
        expect((await ask()).status).to.equal(404)
      }
      await service.drain()
      const heartbeats = [service.deps.heartbeat, second.deps.heartbeat, worker.deps.heartbeat]
      const state = await eventually('all jobs are counted', async () => {
        // A heartbeat that is repeated counts nothing twice.
        for (const heartbeat of heartbeats) await heartbeat.beat()
        const found = await readState(second)
        const jobs = found.queues.find(({ name }) => name === 'credit-cashback')
        return sum(jobs?.minutes, (minute) => minute.out) >= 3 && found
      })
      const { minutes } = state.operations.find(({ operation }) => operation === 'prize_cashback') ?? {}
      expect(minutes).to.have.length(60)
      const counted = (['ok', 'refused', 'failed'] as const).map((end) => sum(minutes, (each) => each[end]))
      expect(counted).to.deep.equal([3, 2, 0])
      const jobs = state.queues.find(({ name }) => name === 'credit-cashback')
      expect(sum(jobs?.minutes, (minute) => minute.in)).to.be.at.least(3)
      expect(state.processes.map(({ kind, is_alive }) => [kind, is_alive])).to.deep.equal([
        ['api', true],
        ['api', true],
        ['worker', true],
      ])
      expect(new Set(state.processes.map(({ process_id }) => process_id)).size).to.equal(3)
      expect(state.processes[0]?.version).to.match(/^\d+\.\d+\.\d+$/)
      expect([state.database.is_up, state.queue_server.is_up, state.queue_server.kind]).to.deep.equal([
        true,
        true,
        backend,
      ])
      expect(state.outbox).to.deep.equal({ due: 0, resting: 0, oldest_due_age_seconds: null })
    })

    it('counts an attempt of a job that fails', async () => {
      const invalid = { outboxId: 'none', objectId: 'none' }
      await service.deps.queues.of('deliver-webhook').add('deliver-webhook', invalid)
      await eventually('the failure is counted', async () => {
        await worker.deps.heartbeat.beat()
        const { queues } = await readState(service)
        const queue = queues.find(({ name }) => name === 'deliver-webhook')
        return queue?.failed === 1 && sum(queue.minutes, (minute) => minute.failed) === 1
      })
    })

    it('omits a process that has stopped in order', async () => {
      const { processes } = await readState(service)
      await second.deps.heartbeat.stop()
      const left = (await readState(service)).processes
      expect(left).to.have.length(processes.length - 1)
    })
  })
}

describe('the state of the service', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('is only for operators of all casinos and the admin key', async () => {
    const casino = await service.factory.casino()
    const ofAll = await logIn(service, { role: 'viewer' })
    const ofOne = await logIn(service, { role: 'admin', casinoIds: [casino.id] })
    await readState(service, ofAll)
    const refused = await service.client.send('GET', '/admin/state', { headers: ofOne })
    expect([refused.status, refused.headers.get('X-Error-Code')]).to.deep.equal([403, 'right_missing'])
  })

  it('distinguishes a process that died from one that runs, and forgets both after a day', async () => {
    const now = new Date()
    const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000)
    const row = {
      minute,
      kind: 'worker',
      host: 'w',
      version: '1.0.0',
      startedAt: now,
      counts: {},
      stopped: false,
    }
    const ago = (ms: number) => new Date(now.getTime() - ms)
    await service.database.processMinute.createMany({
      data: [
        { ...row, processId: `prc_${'d'.repeat(32)}`, seenAt: ago(120_000) },
        {
          ...row,
          processId: `prc_${'0'.repeat(32)}`,
          minute: ago(25 * 3_600_000),
          seenAt: ago(25 * 3_600_000),
        },
      ],
    })
    const { processes } = await readState(service)
    expect(processes.map(({ is_alive }) => is_alive)).to.deep.equal([false])
    await pruneMinutes(service.deps)
    expect(await service.database.processMinute.count()).to.equal(1)
  })
})

describe('the counts of a process', () => {
  it('are kept by minute until they are written, and are written again only when they have grown', () => {
    let now = new Date('2030-01-01T00:00:30Z')
    const counts = createProcessCounts({ now: () => now })
    const dump = (minutes: ReadonlyMap<number, ReadonlyMap<string, number>>) =>
      [...minutes].map(([minute, of]) => [
        new Date(minute).toISOString().slice(11, 16),
        Object.fromEntries(of),
      ])
    counts.count('box_open.ok', 2)
    const first = counts.unwritten(now)
    counts.count('box_open.ok')
    counts.written(first)
    expect(dump(first)).to.deep.equal([['00:00', { 'box_open.ok': 2 }]])
    now = new Date('2030-01-01T00:01:10Z')
    counts.count('box_open.failed')
    const next = counts.unwritten(now)
    expect(dump(next)).to.deep.equal([
      ['00:00', { 'box_open.ok': 3 }],
      ['00:01', { 'box_open.failed': 1 }],
    ])
    counts.written(next)
    expect(dump(counts.unwritten(now))).to.deep.equal([['00:01', { 'box_open.failed': 1 }]])
    now = new Date('2030-01-01T03:00:00Z')
    expect(dump(counts.unwritten(now))).to.deep.equal([['03:00', {}]])
  })
})

if (queueBackends.includes('redis')) {
  describe('the state of the service without Redis', () => {
    const atEnd = atEndOfSuite()

    it('says that Redis is away, and shows everything that does not need it', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rewards-state-'))
      atEnd(() => rm(folder, { recursive: true }))
      const redis = await startRedis({ binary: findRedisServer() ?? '', dataDir: folder })
      atEnd(() => redis.stop())
      const service = await startService({ backend: 'redis', env: { REDIS_URL: redis.url } })
      atEnd(() => service.stop())
      await service.deps.heartbeat.beat()
      expect((await readState(service)).queue_server.is_up).to.equal(true)
      await redis.stop()
      const state = await readState(service)
      expect(state.queue_server).to.deep.equal({ kind: 'redis', is_up: false, latency_ms: null })
      expect(
        state.queues.map(({ waiting, oldest_age_seconds }) => waiting ?? oldest_age_seconds),
      ).to.deep.equal(state.queues.map(() => null))
      expect([state.database.is_up, state.processes.length]).to.deep.equal([true, 1])
    })
  })
}
