import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import {
  findNewestRelease,
  needPreviousRelease,
  readPreviousRevision,
  unpackPreviousRelease,
} from '../../support/previous-release.ts'
import { startProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** Sends a request to the API of one release. */
type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Changes that no migration may make in one step, each with the statement that undoes it. */
const forbidden = [
  {
    what: 'renames a column',
    sql: 'ALTER TABLE prize RENAME COLUMN state TO status',
    undo: 'ALTER TABLE prize RENAME COLUMN status TO state',
  },
  {
    what: 'adds a column that must be given',
    sql: 'ALTER TABLE outbox ADD COLUMN priority int; ALTER TABLE outbox ADD CHECK (priority IS NOT NULL) NOT VALID',
    undo: 'ALTER TABLE outbox DROP COLUMN priority',
  },
  {
    what: 'drops a table',
    sql: 'DROP TABLE ledger_entry CASCADE',
    undo: null, // the last one
  },
]

describeInLongForm('the previous release on the newest schema', function () {
  this.timeout(180_000)
  const backend = queueBackends[0] ?? 'postgres'
  const casino = '/admin/casinos/old-and-new'
  let service: TestService
  let receiver: FakeReceiver
  let previous: Call
  let current: Call
  let apiKey: string
  const atEnd = atEndOfSuite()

  before(async function () {
    await needPreviousRelease(this)
    const release = await unpackPreviousRelease()
    atEnd(release.remove)
    receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())
    service = await startService({ backend })
    atEnd(() => service.stop())
    const env = { ...service.env, WORKER_PORT: '0' }
    const api = await startProcess('api', env, { release })
    atEnd(() => api.kill())
    const worker = await startProcess('worker', env, { release })
    atEnd(() => worker.kill())
    const caller =
      (url: string): Call =>
      async (method, path, body) => {
        const reply = await createClient(url, { isDocumented: false }).send(method, path, {
          headers: {
            Authorization: `Bearer ${path.startsWith('/admin') ? adminApiKey : apiKey}`,
            'Content-Type': 'application/json',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
        return reply.json
      }
    previous = caller(api.url)
    current = caller(service.url)
  })

  /** Opens two boxes with one release; orders the one prize and takes the other as cashback with another. */
  const play = async (opens: Call, uses: Call, playerId: string) => {
    const open = async () => {
      const opened = await opens('POST', '/box/open', { player_id: playerId, box_id: 'box' })
      return textIn(opened, 'prize', 'id')
    }
    const ordered = await open()
    const taken = await open()
    await uses('POST', '/prize/order', { player_id: playerId, prize_id: ordered, ...delivery })
    await uses('POST', '/prize/cashback', { player_id: playerId, prize_id: taken })
  }
  const countEvents = (type: string) => service.database.event.count({ where: { type } })
  // by one count of deliveries: a second count would see those that the fan-out has made since the first
  const isDelivered = async () =>
    (await service.database.webhookDelivery.count({ where: { state: 'delivered' } })) ===
    (await service.database.event.count())
  const finish = async () => {
    await service.drain()
    await untilTransactionsEnd(service.database)
    await eventually('all webhooks are delivered', isDelivered)
  }

  it('is the newest tag, once one exists', async () => {
    const newest = await findNewestRelease()
    if (newest !== undefined) expect(await readPreviousRevision()).to.equal(newest)
  })

  it('sets up a casino, does the three operations and all their work, and shows them', async () => {
    await previous('PUT', casino, { name: 'Old and new' })
    const cashback = { amount_minor: 500, currency: 'EUR' }
    await previous('PUT', `${casino}/items/mug`, { name: 'Mug', kind: 'physical', cashback })
    await previous('PUT', `${casino}/boxes/box`, {
      name: 'Box',
      access: 'limited',
      limit: { count: 50, period: 'lifetime' },
      entries: [{ item_id: 'mug', weight: 1, stock: 1_000 }],
    })
    const key = await previous('POST', `${casino}/api-keys`, { scopes: ['play', 'manage'] })
    apiKey = textIn(key, 'data', 'api_key')
    await previous('PUT', `${casino}/webhook-endpoints/main`, { url: receiver.url })
    await play(previous, previous, 'ann')
    await finish()
    expect(textIn(await previous('GET', `${casino}/cashbacks`), 'data', '0', 'state')).to.equal('credited')
    const orders = await previous('GET', `${casino}/orders`)
    const orderPath = `${casino}/orders/${textIn(orders, 'data', '0', 'order_id')}`
    for (const step of ['confirm', 'ship', 'deliver']) {
      await previous('POST', `${orderPath}/${step}`, {})
      await finish()
    }
    expect(textIn(await previous('GET', orderPath), 'data', 'state')).to.equal('delivered')
  })

  it('works beside this release: each finishes the other’s work, both show the same, and nothing is lost', async () => {
    service.startWorker()
    const [before, ...players] = ['ann', 'bea', 'cat', 'dan', 'eve']
    await Promise.all(
      players.map((player, index) =>
        index % 2 === 0 ? play(previous, current, player) : play(current, previous, player),
      ),
    )
    await finish()
    expect(await countEvents('prize.won')).to.equal(10)
    expect(await countEvents('prize_order.confirmation_requested')).to.equal(5)
    expect(await countEvents('cashback.credited')).to.equal(5)
    const orders = await current('GET', `${casino}/orders?state=pending_confirmation`)
    const orderPath = `${casino}/orders/${textIn(orders, 'data', '0', 'order_id')}`
    const lists = ['items', 'boxes', 'api-keys', 'orders', 'cashbacks', 'events', 'webhook-endpoints']
    const paths = [
      ...lists.map((name) => `${casino}/${name}`),
      ...[before, ...players].flatMap((player) => [
        `${casino}/players/${player}/balance`,
        `${casino}/players/${player}/prizes`,
      ]),
      `${casino}/boxes/box`,
      `${casino}/webhook-endpoints/main/deliveries`,
      orderPath,
    ]
    for (const path of paths) {
      expectWithin(await previous('GET', path), await current('GET', path), path)
    }
    const settings = `${casino}/settings`
    expectWithin(byName(await previous('GET', settings)), byName(await current('GET', settings)), settings)
    for (const player of [before, ...players]) {
      const balance = await previous('GET', `${casino}/players/${player}/balance`)
      expect(JSON.stringify(balance)).to.include('500')
    }
  })

  for (const { what, sql, undo } of forbidden) {
    it(`fails if a migration ${what}`, async () => {
      const owner = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
      await owner.connect()
      try {
        await owner.query(sql)
        const failure = await play(previous, previous, 'fay').then(
          () => 'nothing failed',
          (error: unknown) => String(error),
        )
        expect(failure).to.match(/POST \/\S+: 5\d\d /)
        if (undo === null) return
        await owner.query(undo)
        await play(previous, previous, `after a migration that ${what}`)
      } finally {
        await owner.end()
      }
    })
  }
})

function textIn(value: unknown, ...path: string[]): string {
  const found = path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )
  if (typeof found !== 'string') throw new Error(`no text at ${path.join('.')}: ${JSON.stringify(value)}`)
  return found
}

/** Settings by name, because a newer release may have more of them. Other lists keep their length. */
function byName(reply: unknown): unknown {
  const { data } = reply as { data: { name: string }[] }
  return Object.fromEntries(data.map((setting) => [setting.name, setting]))
}

/** Expects everything that the old release shows in the answer of the new one, which may show more. */
function expectWithin(old: unknown, now: unknown, at: string): void {
  if (typeof old !== 'object' || old === null) {
    expect(now, at).to.equal(old)
    return
  }
  if (Array.isArray(old)) expect(now, at).to.be.an('array').with.lengthOf(old.length)
  for (const [name, value] of Object.entries(old) as [string, unknown][]) {
    const inner: unknown = typeof now === 'object' && now !== null ? Reflect.get(now, name) : undefined
    expectWithin(value, inner, `${at} ${name}`)
  }
}
