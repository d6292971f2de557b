import { expect } from 'chai'
import pg from 'pg'
import { orderRecorded } from '../../../api/success-body.ts'
import { createApp } from '../../../api/app.ts'
import { startServer } from '../../../api/server.ts'
import { createBatcher } from '../../../core/batch/batcher.ts'
import type { Answer } from '../../../core/idempotency/idempotency.ts'
import type { PlaceOrderRequest } from '../../../core/prize-order/place-orders.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Reply } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import type { TcpProxy } from '../../support/tcp-proxy.ts'

/** `direct` reaches the database always; `service` only through a network that the tests cut. */
describe('a database that fails', function () {
  this.timeout(60_000)
  let direct: TestService
  let service: TestService
  let proxy: TcpProxy
  let casino: TestCasino

  const atTestEnd = atEndOfTest()
  const atEnd = atEndOfSuite()
  before(async () => {
    const env: Env = await createTestEnv('postgres')
    direct = await startService({ env })
    atEnd(() => direct.stop())
    casino = await direct.factory.casino()
    const url = new URL(env['DATABASE_URL'] ?? '')
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    atEnd(() => proxy.stop())
    atEnd(() => {
      proxy.thaw()
    })
    url.port = String(proxy.port)
    service = await startService({ env: { ...env, DATABASE_URL: url.href } })
    atEnd(() => service.stop())
  })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.client.post(path, casino.apiKey, body, headers)

  it('gives each operation’s documented 500 with Retry-After, and nothing about the cause [error-500]', async () => {
    const { prizeId, playerId } = await direct.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, box_id: 'b', ...delivery }
    const messages = {
      '/box/open': 'An error occurred while opening the box.',
      '/prize/order': 'An error occurred while recording the prize order.',
      '/prize/cashback': 'An error occurred while recording the cashback decision.',
    }
    await proxy.cut()
    try {
      for (const [path, message] of Object.entries(messages)) {
        const reply = await post(path, body)
        expect(reply.status).to.equal(500)
        expect(reply.json).to.deep.equal({ status: 'error', message })
        expect(reply.headers.get('retry-after')).to.equal('1')
      }
      expect((await service.client.send('GET', '/readyz')).status).to.equal(503)
      expect((await service.client.send('GET', '/healthz')).status).to.equal(200)
    } finally {
      await proxy.restore()
    }
    expect((await post('/prize/order', body)).status).to.equal(200)
  })

  it('lets a caller whose answer was lost repeat the request with the same key, which settles whether it took effect [key-settles]', async () => {
    const { prizeId, playerId } = await direct.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId }
    const headers = { 'Idempotency-Key': 'settle' }
    // The prize is locked, so the store statement reaches the database and waits there while the network breaks.
    const blocker = new pg.Client({ connectionString: direct.env['DATABASE_URL'] })
    await blocker.connect()
    atTestEnd(() => blocker.end())
    await blocker.query('BEGIN')
    await blocker.query('SELECT FROM prize WHERE id = $1 FOR UPDATE', [prizeId])
    const lost = post('/prize/cashback', body, headers)
    await eventually(
      'the statement waits for the prize',
      async () => (await countLockWaits(direct.database)) > 0,
    )
    await proxy.cut()
    await proxy.restore()
    expect((await lost).status).to.equal(500)
    await blocker.query('ROLLBACK')
    const settled = await eventually('the same key gets an answer', async () => {
      const reply = await post('/prize/cashback', body, headers)
      return reply.status === 200 && reply
    })
    expect(settled.text).to.equal('{"status":"success","message":"Cashback decision recorded"}')
    expect(await direct.database.cashback.count({ where: { prizeId } })).to.equal(1)
    expect(await direct.database.outbox.count({ where: { jobName: 'credit-cashback' } })).to.equal(1)
  })

  it('does not stop the orders of others while one prize is locked for long', async () => {
    const locked = await direct.factory.prize(casino.id)
    const free = await Promise.all(Array.from({ length: 6 }, () => direct.factory.prize(casino.id)))
    const blocker = new pg.Client({ connectionString: direct.env['DATABASE_URL'] })
    await blocker.connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query('SELECT FROM prize WHERE id = $1 FOR UPDATE', [locked.prizeId])
      const replies = await Promise.all(
        [locked, ...free].map(({ prizeId, playerId }) =>
          post('/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery }),
        ),
      )
      expect(replies.map((reply) => reply.status)).to.deep.equal([500, 200, 200, 200, 200, 200, 200])
      expect(replies[0]?.headers.get('x-error-code')).to.equal('storage_contended')
    } finally {
      await blocker.end()
    }
  })

  describe('while rows of one casino are locked for long', () => {
    /** Locks what the query selects, sends the requests at the same time, and returns their answers in this order. */
    const sendWhileLocked = async (
      query: [sql: string, value: string | readonly string[]],
      requests: readonly { name: string; send: () => Promise<Reply> }[],
    ) => {
      const blocker = new pg.Client({ connectionString: direct.env['DATABASE_URL'] })
      await blocker.connect()
      const answers: string[] = []
      try {
        await blocker.query('BEGIN')
        await blocker.query(query[0], [query[1]])
        await Promise.all(
          requests.map(async ({ name, send }) => {
            const reply = await send()
            answers.push(`${name} ${reply.status}`)
          }),
        )
      } finally {
        await blocker.end()
      }
      return answers
    }

    it('stores the free rows of all casinos', async () => {
      const other = await direct.factory.casino()
      const prizes = async (casinoId: string, playerId: string) =>
        Promise.all(Array.from({ length: 6 }, () => direct.factory.prize(casinoId, { playerId })))
      const order = (name: string, apiKey: string, prize: { prizeId: string; playerId: string }) => ({
        name,
        send: () =>
          direct.client.post('/prize/order', apiKey, {
            player_id: prize.playerId,
            prize_id: prize.prizeId,
            ...delivery,
          }),
      })
      const locked = await prizes(casino.id, 'locked')
      const free = [...(await prizes(casino.id, 'free')), ...(await prizes(other.id, 'free'))]
      const answers = await sendWhileLocked(
        ["SELECT FROM prize WHERE casino_id = $1 AND player_id = 'locked' FOR UPDATE", casino.id],
        [
          ...locked.map((prize) => order('locked', casino.apiKey, prize)),
          ...free.map((prize, index) => order('free', index < 6 ? casino.apiKey : other.apiKey, prize)),
        ],
      )
      expect(answers.sort()).to.deep.equal([
        ...Array.from({ length: 12 }, () => 'free 200'),
        ...Array.from({ length: 6 }, () => 'locked 500'),
      ])
    })

    it('opens boxes of others, and its own again afterwards, when a stock is locked', async () => {
      const other = await direct.factory.casino()
      const openingsOf = async ({ id, apiKey }: TestCasino, name: string) => {
        const itemId = await direct.factory.item(id)
        const boxId = await direct.factory.box(id, {
          entries: [{ itemId, weight: 1, stock: 1_000 }],
          limit: { count: 1_000, period: 'lifetime' },
        })
        const open = (player: number) => ({
          name,
          send: () => direct.client.post('/box/open', apiKey, { player_id: player, box_id: boxId }),
        })
        await open(0).send() // from here on its odds are known
        return { boxId, open, openings: Array.from({ length: 6 }, (_, player) => open(player)) }
      }
      const stuck = await openingsOf(casino, 'stuck')
      const free = await openingsOf(other, 'free')
      const answers = await sendWhileLocked(
        ['SELECT FROM box_stock WHERE box_id = $1 FOR UPDATE', stuck.boxId],
        [...stuck.openings, ...free.openings],
      )
      expect(answers.sort()).to.deep.equal([
        ...Array.from({ length: 6 }, () => 'free 200'),
        ...Array.from({ length: 6 }, () => 'stuck 500'),
      ])
      expect((await stuck.open(1).send()).status).to.equal(200)
    })

    it('opens a box of others for the first time while stocks of several casinos are locked', async () => {
      const makeBox = async ({ id, apiKey }: TestCasino, itemId: string, name: string) => {
        const boxId = await direct.factory.box(id, {
          entries: [{ itemId, weight: 1, stock: 1_000 }],
          limit: { count: 1_000, period: 'lifetime' },
        })
        return (player: number) => ({
          name,
          send: () => direct.client.post('/box/open', apiKey, { player_id: player, box_id: boxId }),
        })
      }
      const stuckItems: string[] = []
      const requests = []
      for (let n = 0; n < 6; n++) {
        const stuck = await direct.factory.casino()
        const itemId = await direct.factory.item(stuck.id)
        stuckItems.push(itemId)
        const open = await makeBox(stuck, itemId, 'stuck')
        await open(0).send() // from here on its odds are known
        requests.push(open(1), open(2))
      }
      const other = await direct.factory.casino()
      const open = await makeBox(other, await direct.factory.item(other.id), 'first')
      requests.push(open(1))
      const answers = await sendWhileLocked(
        [
          `SELECT FROM box_stock
             WHERE (casino_id, box_id) IN (SELECT casino_id, box_id FROM box_entry WHERE item_id = ANY($1)) FOR UPDATE`,
          stuckItems,
        ],
        requests,
      )
      // They time out two casinos after the other, and it waits for none of them.
      expect(answers.slice(0, 9)).to.include('first 200')
      expect(answers.filter((answer) => answer === 'stuck 500')).to.have.length(12)
    })
  })

  it('refuses requests beyond the backlog immediately with 503 and Retry-After [overload-503]', async () => {
    const release: (() => void)[] = []
    const placeOrder = createBatcher<PlaceOrderRequest, Answer>({
      process: (inputs) =>
        new Promise((resolve) => {
          release.push(() => {
            resolve(inputs.map(() => ({ value: { response: orderRecorded.body, replayed: false } })))
          })
        }),
      exclusiveKeyOf: (request) => request.prizeId,
      batchSizeMax: 1,
      inFlightMax: 1,
      backlogMax: 3,
    })
    const server = await startServer(createApp({ ...direct.deps, placeOrder }), direct.deps.config)
    try {
      const client = createClient(server.url)
      const order = (n: number) =>
        client.post('/prize/order', casino.apiKey, { player_id: 'p', prize_id: `overload-${n}`, ...delivery })
      const replies = Array.from({ length: 10 }, (_, n) => order(n))
      const refused: Reply[] = []
      for (const reply of replies) {
        void reply.then((settled) => settled.status === 503 && refused.push(settled))
      }
      // One is being worked on (or is about to be) and three wait; a request that comes before that one was taken makes it seven.
      await eventually('the others are refused', () => refused.length >= 6)
      for (const reply of refused) {
        expect(reply.headers.get('retry-after')).to.equal('1')
        expect(reply.json).to.have.all.keys('status', 'message')
      }
      await eventually('the rest is answered', () => {
        release.splice(0).forEach((go) => {
          go()
        })
        return placeOrder.depth() === 0
      })
      const statuses = (await Promise.all(replies)).map((reply) => reply.status)
      expect(statuses.filter((status) => status === 200)).to.have.length(10 - refused.length)
    } finally {
      await server.stop()
    }
  })
})
