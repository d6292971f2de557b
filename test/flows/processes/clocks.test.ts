import { atEndOfTest } from '../../support/at-end.ts'
import { expect } from 'chai'
import { createClient } from '../../support/client.ts'
import type { Client, Reply } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createWorkFactory } from '../../support/work.ts'
import { at, createOperator, textAt } from '../../api/admin/operator.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A process starts slowly while many others start. */
const startBoundMs = 60_000

const inMs = (ms: number) => new Date(Date.now() + ms)

/** Real processes whose machine's clock is wrong, beside an API and a database whose clocks are right. */
describe('clocks that differ', function () {
  this.timeout(180_000)
  const running = new Set<ServiceProcess>()
  let service: TestService
  let wallet: FakeWallet

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    wallet = await startFakeWallet()
    atTestEnd(() => {
      expect(wallet.complaints).to.deep.equal([])
      expect(Math.max(0, ...wallet.bookings.values())).to.be.at.most(1)
    })
    atTestEnd(() => wallet.stop())
    service = await startService()
    atTestEnd(() => service.stop())
    atTestEnd(async () => {
      await Promise.all([...running].map((process) => process.kill()))
      running.clear()
    })
  })

  async function start(kind: 'api' | 'worker', clockAheadMs: number): Promise<ServiceProcess> {
    const process = await startProcess(kind, { ...service.env, WORKER_PORT: '0' }, { clockAheadMs })
    running.add(process)
    return process
  }
  const ask = (process: ServiceProcess, path: string): Promise<Reply> =>
    createClient(process.url, { isDocumented: false }).send('GET', path)
  const metricOf = async (process: ServiceProcess, series: RegExp): Promise<number> => {
    const { text } = await ask(process, '/metrics')
    const values = text
      .split('\n')
      .flatMap((line) => (series.test(line) ? [Number(line.split(' ').at(-1))] : []))
    return values.reduce((sum, value) => sum + value, 0)
  }
  const seeTrouble = async (process: ServiceProcess, aheadMs: number): Promise<void> => {
    // The process gives up on a slow database.
    const ready = await eventually('it reaches everything', async () => {
      const reply = await ask(process, '/readyz')
      return at(reply, 'database') === 'ok' && at(reply, 'queue') === 'ok' ? reply : undefined
    })
    expect([ready.status, at(ready, 'clock')]).to.deep.equal([503, 'off'])
    expect((await ask(process, '/healthz')).status, 'a new process would not help').to.equal(200)
    expect(await metricOf(process, /^rewards_clock_skew_seconds /)).to.be.closeTo(aheadMs / 1_000, 1)
    expect(process.lines.filter((line) => line.includes("clock is off the database's"))).to.have.lengthOf(1)
  }
  const stateOf = async (prizeId: string) =>
    (await service.database.prize.findFirstOrThrow({ where: { id: prizeId } })).state
  const cashbacks = async (count: number): Promise<string> => {
    const works = await createWorkFactory(service.database, service.deps.config).cashbacks(count)
    const id = works[0]?.objectId ?? ''
    const { casinoId } = await service.database.cashback.findUniqueOrThrow({ where: { id } })
    await useWallet(service.database, service.deps.config, casinoId, wallet, 1_000)
    return casinoId
  }

  it('let a worker whose clock is 400 days ahead do jobs, but nothing that cannot be undone', async () => {
    const { database, factory, client } = service
    const casino = await factory.casino()
    const operator = createOperator(client, casino.apiKey)
    const itemId = await factory.item(casino.id)
    const box = { entries: [{ itemId, weight: 1 }], limit: { count: 9, period: 'lifetime' as const } }
    const boxId = await factory.box(casino.id, box)
    const order = async () => {
      const { prizeId, playerId } = await factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      const reply = await client.post('/prize/order', casino.apiKey, body, { 'Idempotency-Key': prizeId })
      expect(reply.status, reply.text).to.equal(200)
      return database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    }
    const [soon, over] = [
      await factory.prize(casino.id, { expiresAt: inMs(hourMs) }),
      await factory.prize(casino.id, { expiresAt: inMs(-secondMs) }),
    ]
    const rejected = await order()
    await operator.post(`/${casino.id}/orders/${rejected.id}/reject`, { reason: 'fraud' })
    await useWallet(database, service.deps.config, casino.id, wallet)
    await operator.put(`/${casino.id}/settings/wallet`, { kind: 'http', url: wallet.url, new_secret: true })
    const opened = await client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: boxId })
    expect(opened.status, opened.text).to.equal(200)
    const rotated = await operator.post(`/${casino.id}/fairness/rotate`, {})
    expect(rotated.status, rotated.text).to.equal(200)
    const announced = await order()

    const kept = async () => ({
      soon: await stateOf(soon.prizeId),
      details: await database.prizeOrder.count({ where: { id: rejected.id, deliveryKey: { not: null } } }),
      secrets: await database.casinoSetting.count({ where: { previousExpiresAt: { not: null } } }),
      answers: await database.idempotencyRecord.count(),
      retired: await database.serverSeed.count({ where: { state: 'retired' } }),
    })
    const before = await kept()
    expect(before).to.deep.equal({ soon: 'won', details: 1, secrets: 1, answers: 2, retired: 1 })

    const wrong = await start('worker', 400 * dayMs)
    await eventually(
      'it does jobs',
      async () => {
        const { announcedAt } = await database.prizeOrder.findFirstOrThrow({ where: { id: announced.id } })
        return announcedAt !== null
      },
      startBoundMs,
    )
    expect(await kept()).to.deep.equal(before)
    expect(await stateOf(over.prizeId), 'it leaves that to others').to.equal('won')
    await seeTrouble(wrong, 400 * dayMs)

    const right = await start('worker', 0)
    await eventually(
      'another one expires',
      async () => (await stateOf(over.prizeId)) === 'expired',
      startBoundMs,
    )
    await eventually('it is ready', async () => (await ask(right, '/readyz')).status === 200)
    expect(Math.abs(await metricOf(right, /^rewards_clock_skew_seconds /))).to.be.lessThan(1)
    // Half a minute after the rotation the seed is revealed, rightly.
    expect({ ...(await kept()), retired: 1 }).to.deep.equal(before)
  })

  for (const aheadMs of [3 * hourMs, -3 * hourMs]) {
    const where = aheadMs < 0 ? 'behind' : 'ahead'

    itInLongForm(
      `let work rest for as long as it should in a worker that is three hours ${where}`,
      async () => {
        const casinoId = await cashbacks(20)
        await service.database.$executeRaw`
        UPDATE casino_setting SET paused_at = now(), paused_reason = 'status_401' WHERE casino_id = ${casinoId}`
        const process = await start('worker', aheadMs)
        await eventually(
          'all rest',
          async () => {
            const rests = await service.database.outbox.findMany({
              where: { snoozedUntil: { gt: inMs(secondMs) } },
            })
            return rests.length === 20
          },
          startBoundMs,
        )
        const rests = await service.database.outbox.findMany()
        for (const { snoozedUntil, dueAt } of rests) {
          expect(dueAt).to.deep.equal(snoozedUntil)
          expect(Number(snoozedUntil) - Date.now()).to.be.within(30 * secondMs, 6 * minuteMs)
        }
        const jobs = await metricOf(
          process,
          /^rewards_job_duration_seconds_count\{job_name="credit-cashback"/,
        )
        expect(jobs, 'one for each, or two when the relay was early').to.be.within(20, 40)
        await seeTrouble(process, aheadMs)
      },
    )

    itInLongForm(
      `give leases and retries their full time in a worker that is three hours ${where}`,
      async () => {
        const { database } = service
        const casinoId = await cashbacks(2)
        const [held, lost] = await database.cashback.findMany({ where: { casinoId }, orderBy: { id: 'asc' } })
        if (held === undefined || lost === undefined) throw new Error('too few')
        wallet.behave({ status: 503, body: {} })
        const other = service.startWorker()
        await eventually(
          'both are unknown',
          async () => (await database.cashback.count({ where: { casinoId, state: 'unknown' } })) === 2,
        )
        await other.stop()
        wallet.behave('honest')
        const calledBefore = wallet.calls.length
        // As after the death of a worker in a call: one lease continues for long, the other for a moment.
        const leaseEndsAtMs = performance.now() + 2 * secondMs
        for (const [id, ms] of [
          [held.id, hourMs],
          [lost.id, 2 * secondMs],
        ] as const) {
          await database.$executeRaw`
          UPDATE cashback SET state = 'processing', attempts = 1,
                              attempt_until = now() + ${ms}::float8 * interval '1 millisecond' WHERE id = ${id}`
        }
        await database.$executeRaw`UPDATE outbox SET due_at = now(), snoozed_until = NULL`

        await start('worker', aheadMs)
        const read = (id: string) => database.cashback.findUniqueOrThrow({ where: { id } })
        await eventually(
          'one is credited',
          async () => (await read(lost.id)).state === 'credited',
          startBoundMs,
        )
        expect(performance.now() - leaseEndsAtMs, 'five seconds after the lease').to.be.at.least(5 * secondMs)
        const { state, attempts, attemptUntil } = await read(held.id)
        expect([state, attempts]).to.deep.equal(['processing', 1])
        const resting = await database.outbox.findFirstOrThrow({ where: { objectId: held.id } })
        expect(resting.snoozedUntil).to.deep.equal(attemptUntil)
        const called = wallet.calls.slice(calledBefore).map(({ transactionId }) => transactionId)
        expect(called).to.deep.equal([lost.id])
      },
    )

    itInLongForm(`let an API that is three hours ${where} judge by the right time`, async () => {
      const { factory } = service
      const casino = await factory.casino()
      const itemId = await factory.item(casino.id, { claimDays: 1 })
      const limit = { count: 9, period: 'lifetime' as const }
      const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
      const valid = await factory.apiKey(casino.id, ['play'], { expiresAt: inMs(hourMs) })
      const expired = await factory.apiKey(casino.id, ['play'], { expiresAt: inMs(-hourMs) })
      const soon = await factory.prize(casino.id, { expiresAt: inMs(hourMs) })
      const over = await factory.prize(casino.id, { expiresAt: inMs(-hourMs) })
      const api = await start('api', aheadMs)
      const client: Client = createClient(api.url)
      const cashBack = async (key: string, { prizeId, playerId }: { prizeId: string; playerId: string }) =>
        (await client.post('/prize/cashback', key, { player_id: playerId, prize_id: prizeId })).status

      expect(await cashBack(expired, soon)).to.equal(401)
      expect(await cashBack(valid, over)).to.equal(404)
      expect(await cashBack(valid, soon)).to.equal(200)
      const opened = await client.post('/box/open', valid, { player_id: 'p', box_id: boxId })
      const won = await service.database.prize.findFirstOrThrow({ where: { id: textAt(opened, 'prize.id') } })
      expect(Number(won.createdAt)).to.be.closeTo(Date.now(), 5 * secondMs)
      expect(Number(won.expiresAt)).to.be.closeTo(Date.now() + dayMs, 5 * secondMs)
      await seeTrouble(api, aheadMs)
    })
  }

  itInLongForm(
    'let workers that are a quarter of an hour apart retry once, in time, with histories in order',
    async () => {
      const { database } = service
      const casinoId = await cashbacks(6)
      wallet.behave(...Array.from({ length: 6 }, () => ({ status: 503, body: {} })), 'honest')
      const startedMs = performance.now()
      await Promise.all([start('worker', 7 * minuteMs), start('worker', -8 * minuteMs)])
      await eventually(
        'all are credited',
        async () => (await database.cashback.count({ where: { casinoId, state: 'credited' } })) === 6,
        startBoundMs,
      )
      expect(performance.now() - startedMs).to.be.at.least(5 * secondMs)
      expect(wallet.calls).to.have.lengthOf(12)
      const events = await database.event.findMany({ where: { casinoId, objectType: 'cashback' } })
      const backwards = events.filter((event) =>
        events.some(
          (other) =>
            other.objectId === event.objectId &&
            other.sequence < event.sequence &&
            // The two processes may differ by a round trip in their estimate of the database's time.
            Number(other.createdAt) > Number(event.createdAt) + secondMs,
        ),
      )
      expect(backwards).to.deep.equal([])
    },
  )
})
