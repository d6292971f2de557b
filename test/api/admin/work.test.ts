import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findRedisServer, startRedis } from '../../../local/redis.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { logIn } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createOperator, textAt } from './operator.ts'

interface Line {
  kind: string
  casino_id: string | null
  setting: string | null
  count: number
  is_capped: boolean
  oldest_at: string | null
}

interface Work {
  lines: Line[]
  is_partial: boolean
  unanswered: string[]
}

type Headers = Record<string, string>
const byAdmin: Headers = { Authorization: `Bearer ${adminApiKey}` }

async function readWork(service: TestService, headers: Headers, query = ''): Promise<Work> {
  const reply = await service.client.send('GET', `/admin/work${query}`, { headers })
  expect(reply.status, reply.text).to.equal(200)
  return (reply.json as { data: Work }).data
}

/** As the casino's platform orders a prize that its player has won. */
async function order(service: TestService, casino: TestCasino): Promise<string> {
  const { playerId, prizeId } = await service.factory.prize(casino.id)
  const body = { player_id: playerId, prize_id: prizeId, ...delivery }
  expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
  return (await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })).id
}

const linesOf = (work: Work, casinoId: string | null) =>
  work.lines.filter(({ casino_id }) => casino_id === casinoId)
const countsOf = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map(({ kind, setting, count }) => [setting ?? kind, count]))

for (const backend of queueBackends) {
  describe(`the work list, queues on ${backend}`, () => {
    let service: TestService
    const atEnd = atEndOfSuite()
    const atTestEnd = atEndOfTest()
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
      service.startWorker()
    })

    async function cashBack(casino: TestCasino): Promise<void> {
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId }
      expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    }

    async function move(casino: TestCasino, orderId: string, name: string, body?: object): Promise<void> {
      const operator = createOperator(service.client, casino.apiKey)
      const reply = await operator.post(`/${casino.id}/orders/${orderId}/${name}`, body)
      expect(reply.status, reply.text).to.equal(200)
    }

    it('counts the orders that wait for an operator, by casino, and says since when they wait', async () => {
      const [casino, other] = [await service.factory.casino(), await service.factory.casino()]
      const ids = await Promise.all([1, 2, 3, 4].map(() => order(service, casino)))
      await order(service, other)
      const [, held = '', lost = '', cancelled = ''] = ids
      await move(casino, held, 'hold', { hold_reason: 'kyc_pending' })
      for (const id of [held, lost]) await move(casino, id, 'confirm')
      await eventually('the order is with the provider', async () => {
        const { state } = await service.database.prizeOrder.findUniqueOrThrow({ where: { id: lost } })
        return state === 'submitted'
      })
      await move(casino, lost, 'exception', { exception_reason: 'lost' })
      await move(casino, cancelled, 'reject', { reason: 'out of stock' })

      const work = await readWork(service, byAdmin)
      expect(countsOf(linesOf(work, casino.id))).to.deep.equal({
        order_unconfirmed: 1,
        order_held: 1,
        order_exception: 1,
      })
      expect(countsOf(linesOf(work, other.id))).to.deep.equal({ order_unconfirmed: 1 })
      const [event] = await service.database.event.findMany({
        where: { objectId: lost, toState: 'exception' },
      })
      const exception = linesOf(work, casino.id).find(({ kind }) => kind === 'order_exception')
      expect(exception).to.include({ is_capped: false, oldest_at: event?.createdAt.toISOString() })
      const [hold] = await service.database.orderHold.findMany({ where: { orderId: held } })
      const heldLine = linesOf(work, casino.id).find(({ kind }) => kind === 'order_held')
      expect(heldLine?.oldest_at).to.equal(hold?.placedAt.toISOString())
      const ages = work.lines.map(({ oldest_at }) => oldest_at ?? '')
      expect(ages).to.deep.equal([...ages].sort())
      expect([work.is_partial, work.unanswered]).to.deep.equal([false, []])
    })

    it('counts cashbacks without an outcome, paused wallets and failing endpoints', async () => {
      const [casino, paused] = [await service.factory.casino(), await service.factory.casino()]
      const [silent, refusing] = [await startFakeWallet(), await startFakeWallet()]
      const receiver = await startFakeReceiver()
      for (const partner of [silent, refusing, receiver]) atTestEnd(() => partner.stop())
      silent.behave({ status: 503, body: '' })
      refusing.behave({ status: 401, body: '' })
      receiver.treat(() => 500)
      await useWallet(service.database, service.deps.config, casino.id, silent)
      await useWallet(service.database, service.deps.config, paused.id, refusing)
      const operator = createOperator(service.client, casino.apiKey)
      const endpoint = `/${casino.id}/webhook-endpoints/crm`
      expect((await operator.put(endpoint, { url: receiver.url })).status).to.equal(201)
      for (const of of [casino, casino, paused]) await cashBack(of)
      const counts = await eventually('all of it waits', async () => {
        const work = await readWork(service, byAdmin)
        const found = [casino, paused].map(({ id }) => countsOf(linesOf(work, id)))
        return found[0]?.['cashback_unknown'] === 2 &&
          'endpoint_failing' in found[0] &&
          found[1]?.['cashback_unknown'] === 1 &&
          'wallet' in found[1]
          ? found
          : false
      })
      expect(counts).to.deep.equal([
        { cashback_unknown: 2, endpoint_failing: 1 },
        { cashback_unknown: 1, wallet: 1 },
      ])

      // An endpoint that an operator has switched off is not work.
      expect((await operator.post(`${endpoint}/disable`)).status).to.equal(200)
      const work = await readWork(service, byAdmin)
      expect(countsOf(linesOf(work, casino.id))).to.deep.equal({ cashback_unknown: 2 })
    })

    it('counts the acts that wait for a second operator', async () => {
      const casino = await service.factory.casino()
      const made = { casinoId: casino.id, action: 'prize.void', params: {}, amounts: [], needsApproval: true }
      const createdAt = new Date('2030-01-31T12:00:00.000Z')
      const act = { ...made, objectCount: 0, madeBy: 'operator:jane', expiresAt: createdAt }
      for (const [id, state] of [
        ['act_1', 'pending_approval'],
        ['act_2', 'pending_approval'],
        ['act_3', 'previewed'],
      ] as const) {
        await service.database.act.create({ data: { ...act, id: `${id}_${casino.id}`, state, createdAt } })
      }
      expect(linesOf(await readWork(service, byAdmin), casino.id)).to.deep.equal([
        {
          kind: 'act_pending_approval',
          casino_id: casino.id,
          setting: null,
          count: 2,
          is_capped: false,
          oldest_at: createdAt.toISOString(),
        },
      ])
    })

    it('counts jobs that have failed permanently, for operators of the service', async () => {
      const invalid = { outboxId: 'none', objectId: 'none' }
      const beforeMs = Date.now() - 60_000
      await service.deps.queues.of('credit-cashback').add('credit-cashback', invalid)
      const line = await eventually('the job has failed', async () => {
        const [found] = linesOf(await readWork(service, byAdmin), null)
        return found ?? false
      })
      expect(line).to.include({ kind: 'job_failed', count: 1, is_capped: false })
      expect(Date.parse(line.oldest_at ?? '')).to.be.greaterThan(beforeMs)
      const casino = await service.factory.casino()
      const ofOne = await logIn(service, { role: 'admin', casinoIds: [casino.id] })
      expect(await readWork(service, ofOne)).to.deep.equal({ lines: [], is_partial: false, unanswered: [] })
      expect((await readWork(service, byAdmin, `?casino_id=${casino.id}`)).lines).to.deep.equal([])
    })
  })
}

describe('the work list', () => {
  let service: TestService
  let casino: TestCasino
  let other: TestCasino
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    other = await service.factory.casino()
    const id = await service.factory.sandbox(casino.id)
    const sandbox = { id, apiKey: await service.factory.apiKey(id, ['play'], { mode: 'test' }) }
    for (const of of [casino, other, sandbox]) await order(service, of)
  })

  it('shows operators their live casinos, and a sandbox when it is named', async () => {
    const casinosOf = async (headers: Headers, query = '') =>
      (await readWork(service, headers, query)).lines.map(({ casino_id }) => casino_id)
    const ofOne = await logIn(service, { role: 'viewer', casinoIds: [casino.id] })
    const ofAll = await logIn(service, { role: 'viewer' })
    expect(await casinosOf(ofOne)).to.deep.equal([casino.id])
    expect(await casinosOf(ofAll)).to.have.members([casino.id, other.id])
    for (const headers of [ofOne, ofAll, byAdmin]) {
      expect(await casinosOf(headers, `?casino_id=${casino.id}:test`)).to.deep.equal([`${casino.id}:test`])
    }
  })

  it('does not find casinos of others, or casinos that do not exist', async () => {
    const ofOne = await logIn(service, { role: 'admin', casinoIds: [casino.id] })
    const none = ['none', '%25', '%F0%9F%8E%B2', '..%2F', "'%20OR%20true--"]
    for (const [headers, id] of [
      [ofOne, other.id],
      ...none.flatMap((id) => [[ofOne, id] as const, [byAdmin, id] as const]),
    ] as const) {
      const reply = await service.client.send('GET', `/admin/work?casino_id=${id}`, { headers })
      expect([reply.status, reply.headers.get('X-Error-Code')], id).to.deep.equal([404, 'casino_unknown'])
    }
    for (const id of ['', '%00', 'x'.repeat(129)]) {
      const reply = await service.client.send('GET', `/admin/work?casino_id=${id}`, { headers: byAdmin })
      expect(reply.status, id).to.equal(400)
      expect(textAt(reply, 'errors.casino_id.0.message')).to.contain('casino_id')
    }
  })

  it('is refused to keys of casinos, and to callers without a key or session', async () => {
    const { apiKey } = casino
    const withKey = await service.client.send('GET', '/admin/work', {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    expect([withKey.status, withKey.headers.get('X-Error-Code')]).to.deep.equal([
      403,
      'api_key_scope_missing',
    ])
    expect((await service.client.send('GET', '/admin/work', {})).status).to.equal(401)
  })
})

if (queueBackends.includes('redis')) {
  describe('the work list without Redis', () => {
    const atEnd = atEndOfSuite()

    it('still lists waiting orders, and reports failed jobs as unknown', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rewards-work-'))
      atEnd(() => rm(folder, { recursive: true }))
      const redis = await startRedis({ binary: findRedisServer() ?? '', dataDir: folder })
      atEnd(() => redis.stop())
      const service = await startService({ backend: 'redis', env: { REDIS_URL: redis.url } })
      atEnd(() => service.stop())
      const casino = await service.factory.casino()
      await order(service, casino)
      expect((await readWork(service, byAdmin)).unanswered).to.deep.equal([])
      await redis.stop()
      const work = await readWork(service, byAdmin)
      expect(work.unanswered).to.deep.equal(['job_failed'])
      expect(countsOf(linesOf(work, casino.id))).to.deep.equal({ order_unconfirmed: 1 })
    })
  })
}
