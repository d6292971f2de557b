import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { eraseOldDeliveries } from '../../../core/privacy/retain-deliveries.ts'
import { at, createOperator, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client, Reply } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { logIn } from '../../support/ops.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** Marks every field of a parcel's address, so that a leaked value shows which field it comes from. */
const mark = 'kanarienvogel'
const marked = (street: string) => ({
  recipient_name: `${mark}-name`,
  street: `${mark}-${street}`,
  city: `${mark}-city`,
  state: `${mark}-state`,
  postal_code: `${mark}-zip`,
  country: `${mark}-land`,
  phone_number: `${mark}-0123`,
  email: `${mark}@example.com`,
  additional_notes: `${mark}-notes`,
})
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

for (const backend of queuesOfProcesses) {
  describe(`personal data, with the queues on ${backend}`, function () {
    this.timeout(60_000)
    let env: Env
    let service: TestService
    let api: ServiceProcess
    let worker: ServiceProcess
    let client: Client
    let provider: FakeProvider
    let receiver: FakeReceiver
    let wallet: FakeWallet
    /** Every answer but those that are meant to show an address or where a parcel is. */
    const answers: Reply[] = []

    const atEnd = atEndOfSuite()
    before(async () => {
      env = await createTestEnv(backend)
      service = await startService({ env })
      atEnd(() => service.stop())
      provider = await startFakeProvider(secret)
      atEnd(() => provider.stop())
      receiver = await startFakeReceiver()
      atEnd(() => receiver.stop())
      wallet = await startFakeWallet()
      atEnd(() => wallet.stop())
      api = await startProcess('api', { ...env, PORT: '0' }, { logLevel: 'trace' })
      atEnd(() => api.terminate())
      client = createClient(api.url)
      await runFlows()
    })

    /**
     * Does everything that can be done with personal data, and causes everything that can go wrong with it. Data that
     * may be kept in the clear for a while (tracking numbers, texts of providers, unused client seeds) is erased later.
     */
    async function runFlows(): Promise<void> {
      const casino = await service.factory.casino()
      const operator = createOperator(client, casino.apiKey)
      const setting = { kind: 'http', url: provider.url, secret, timeout_ms: 1000, poll_minutes: 60 }
      await operator.put(`/${casino.id}/settings/fulfilment`, setting)
      await operator.put(`/${casino.id}/settings/wallet`, {
        kind: 'http',
        url: wallet.url,
        secret: wallet.secret,
        timeout_ms: 1000,
      })
      await operator.put(`/${casino.id}/webhook-endpoints/main`, { url: receiver.url })
      // Only now: a worker may use settings of a casino that it read two seconds ago.
      worker = await startProcess('worker', { ...env, WORKER_PORT: '0' }, { logLevel: 'trace' })
      atEnd(() => worker.terminate())
      const post = async (body: object, headers?: Record<string, string>) => {
        const reply = await client.post('/prize/order', casino.apiKey, body, headers)
        answers.push(reply)
        return reply
      }
      const orderOf = async () => {
        const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
        const body = { player_id: 'ann', prize_id: prizeId, ...marked('street') }
        expect((await post(body, { 'Idempotency-Key': prizeId })).status).to.equal(200)
        answers.push(await client.post('/prize/order', casino.apiKey, body, { 'Idempotency-Key': prizeId }))
        const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
        answers.push(prize)
        return textAt(prize, 'data.orders.0.order_id')
      }
      const move = async (orderId: string, name: string, body?: object) => {
        answers.push(await operator.post(`/${casino.id}/orders/${orderId}/${name}`, body))
      }
      const player = `/${casino.id}/players/ann`
      const erase = async () => {
        const reply = await operator.post(`${player}/erase`, { reason: 'asked by letter' })
        expect(reply.status).to.equal(200)
        answers.push(reply)
      }
      const updatesBeganMs = Date.now()
      let told = 0
      /** As the provider does, signed. */
      const tell = async (update: object) => {
        const [id, sentAt] = [`update-${++told}`, new Date()]
        const occurredAt = new Date(updatesBeganMs + told).toISOString()
        const body = JSON.stringify({ shipment_number: 1, occurred_at: occurredAt, ...update })
        const reply = await client.send('POST', `/partners/fulfilment/${casino.id}`, {
          headers: {
            'Content-Type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
            'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
          },
          body,
        })
        answers.push(reply)
        return reply.status
      }
      const stateOf = async (orderId: string) =>
        at(await operator.get(`/${casino.id}/orders/${orderId}`), 'data.state')

      const refused = { player_id: 'ann', prize_id: 'none', ...marked('street') }
      await post(refused)
      await post({ ...refused, email: `${mark} is no address` })
      await post({ ...refused, street: `${mark}\0`, city: mark.repeat(1_000), country: [mark] })
      await post({ ...refused, [`${mark}-unknown`]: mark })
      answers.push(
        await client.send('POST', `/prize/order?street=${mark}`, {
          headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
          body: `{"street":"${mark}`,
        }),
      )

      const orderId = await orderOf()
      const corrected = await operator.put(`/${casino.id}/orders/${orderId}/delivery`, marked('other-street'))
      answers.push(corrected)
      await move(orderId, 'hold', { hold_reason: 'incorrect_address' })
      await move(orderId, 'confirm')
      await move(orderId, 'release')
      await eventually('it is submitted', async () => (await stateOf(orderId)) === 'submitted')
      expect(JSON.stringify(provider.calls)).to.include(`${mark}-other-street`)

      const parcel = { order_id: orderId, carrier: 'Post', tracking_number: `${mark}-track` }
      const trouble = { order_id: orderId, status: 'exception', reason: `${mark} was not at home` }
      for (const update of [trouble, { ...parcel, status: 'shipped' }, { ...parcel, status: 'delivered' }]) {
        expect(await tell(update)).to.equal(200)
      }
      expect(await tell({ ...parcel, status: `${mark}-status`, reason: [mark] })).to.equal(400)
      await eventually('it is delivered', async () => (await stateOf(orderId)) === 'delivered')

      const forgotten = await orderOf()
      await move(forgotten, 'cancel')
      await operator.put(`/${casino.id}/settings/privacy`, { delivery_retention_days: 1 })
      const clock = { now: () => new Date(Date.now() + 2 * 24 * 3_600_000) }
      // The worker looks for due orders too, but by its clock there are none.
      const { findSettings } = service.deps
      expect(
        await eraseOldDeliveries({ database: service.database, clock, log: service.deps.log, findSettings }),
      ).to.equal(2)

      await playAndCashBack(casino, operator)
      const seed = `/fairness/players/ann/client-seed`
      await client.send('PUT', seed, {
        headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_seed: `${mark}-seed` }),
      })
      const last = await orderOf()
      await move(last, 'cancel')
      const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
      const notes = `/admin/casinos/${casino.id}/prizes/${prizeId}/notes`
      for (const text of [`${mark} called`, mark.repeat(1_000), [mark]]) {
        const headers = { 'Idempotency-Key': `note-${JSON.stringify(text).length}` }
        answers.push(await client.post(notes, casino.apiKey, { text }, headers))
      }
      const timeline = await operator.get(`/${casino.id}/prizes/${prizeId}/timeline`)
      expect(timeline.text).to.include(`${mark} called`)
      expect((await operator.post(`${player}/export`)).text).to.include(mark)
      await erase()
      answers.push(await operator.post(`${player}/export`))
      expect(await tell({ ...trouble, ...parcel })).to.equal(200)
      await eventually(
        'the late update has been processed',
        async () => (await service.database.partnerEvent.count({ where: { outcome: null } })) === 0,
      )

      provider.react(() => ({ status: 422, body: { status: 'rejected', code: mark, message: mark } }))
      const failing = await orderOf()
      await move(failing, 'confirm')
      await eventually('it was tried', () => provider.calls.some((call) => call.order_id === failing))
      answers.push(await operator.get(`/${casino.id}/orders`))
      await eventually('the casino was told', () =>
        receiver.received.some(({ event }) => event.type === 'prize_order.submission_unknown'),
      )
      answers.push(await operator.get(`/${casino.id}/events?limit=1000`))
      answers.push(await operator.get(`/${casino.id}/audit?limit=200`))
      answers.push(await client.send('GET', '/metrics'))
      answers.push(await createClient(worker.url, { isDocumented: false }).send('GET', '/metrics'))
      const cookie = await logIn(service)
      for (const path of ['/ops/queues', '/ops/queues/api/queues?jobsPerPage=100']) {
        answers.push(await client.send('GET', path, { headers: cookie }))
      }
    }

    /** Opens a box, and has a cashback credited by a wallet that says more than it should. */
    async function playAndCashBack(casino: TestCasino, operator: TestOperator): Promise<void> {
      const itemId = await service.factory.item(casino.id, { cashback: 700 })
      const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
      await service.factory.grant(casino.id, 'ann', boxId)
      const key = { 'Idempotency-Key': 'opened' }
      const opened = await client.post('/box/open', casino.apiKey, { player_id: 'ann', box_id: boxId }, key)
      expect(opened.status).to.equal(200)
      const prizeId = textAt(opened, 'prize.id')
      wallet.behave({ status: 500, body: { message: mark } }, 'honest')
      const wanted = { player_id: 'ann', prize_id: prizeId }
      const cashedBack = await client.post('/prize/cashback', casino.apiKey, wanted)
      expect(cashedBack.status).to.equal(200)
      await eventually('the wallet was asked', () => wallet.calls.length > 0)
      answers.push(opened, cashedBack, await operator.get(`/${casino.id}/cashbacks`))
    }

    const expectClean = (text: string, where: string) => {
      const found = text.toLowerCase().indexOf(mark)
      const around = text.slice(Math.max(0, found - 80), found + 80)
      expect(found, `personal data in ${where}: …${around}…`).to.equal(-1)
    }

    it('is in no log, down to the finest level', () => {
      expect(api.lines.length + worker.lines.length).to.be.greaterThan(20)
      expectClean(api.lines.join('\n'), 'the log of the API')
      expectClean(worker.lines.join('\n'), 'the log of the worker')
    })

    it('is in no answer, no list, no metric and no page of the dashboard', () => {
      expect(answers.length).to.be.greaterThan(15)
      for (const { text, headers } of answers) expectClean(text + JSON.stringify([...headers]), 'an answer')
    })

    it('is in no webhook', () => {
      expect(receiver.received.length).to.be.greaterThan(5)
      for (const { body, headers } of receiver.received)
        expectClean(body + JSON.stringify(headers), 'a webhook')
    })

    it('is in no call of the wallet', () => {
      expect(wallet.complaints).to.deep.equal([])
      for (const { body, headers } of wallet.calls) expectClean(JSON.stringify([body, headers]), 'a call')
    })

    it('is in the database only in encrypted form, and gone where it was erased', async () => {
      const database = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await database.connect()
      try {
        const { rows: tables } = await database.query<{ name: string }>(
          `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
            WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
        )
        expect(tables.length).to.be.greaterThan(20)
        const hex = Buffer.from(mark).toString('hex')
        let rowsSeen = 0
        for (const { name } of tables) {
          const { rows } = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
          rowsSeen += rows.length
          for (const { row } of rows) {
            expectClean(row, name)
            expect(row, name).not.to.include(hex)
          }
        }
        expect(rowsSeen).to.be.greaterThan(50)
      } finally {
        await database.end()
      }
    })

    if (backend === 'redis') {
      it('never reaches Redis', async () => {
        const redis = new Redis(env['REDIS_URL'] ?? '')
        try {
          // Otherwise marks could be cut into pieces in its dump.
          await redis.config('SET', 'rdbcompression', 'no')
          const keys = await redis.keys(`{${env['QUEUE_PREFIX'] ?? ''}*`)
          expect(keys.length).to.be.greaterThan(5)
          let seen = 0
          for (const key of keys) {
            const dump = await redis.dumpBuffer(key)
            // Locks of jobs come and go.
            if ((dump as Buffer | null) === null) continue
            expectClean(`${key} ${dump.toString('latin1')}`, 'Redis')
            seen += 1
          }
          expect(seen).to.be.greaterThan(5)
        } finally {
          redis.disconnect()
        }
      })
    }
  })
}
