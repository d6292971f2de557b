import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import type { ReplicaState } from '../../../core/platform/replica.ts'
import { adminApiKey } from '../../support/config.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startReplicatedPostgres } from '../../support/replica.ts'
import type { ReplicatedPostgres } from '../../support/replica.ts'
import { describeInLongForm, itInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

interface World {
  service: TestService
  casino: TestCasino
  lines: string[]
  /** Orders a new prize; the order's id. */
  order: () => Promise<string>
  move: (orderId: string, move: string) => Promise<number>
  /** The ids of the first list of orders. */
  listOrders: () => Promise<string[]>
  compare: (turns: number) => Promise<ReplicaState>
}

/** Comparisons until a replica that is usable is used. */
const turnsUntilUsed = 3

async function openWorld(postgres: ReplicatedPostgres): Promise<World> {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const service = await startService({
    log,
    env: {
      DATABASE_URL: postgres.primaryUrl,
      DATABASE_REPLICA_URL: postgres.replicaUrl,
      // A busy machine applies changes, and answers, late.
      DATABASE_REPLICA_WAIT_MS: '3000',
    },
  })
  const casino = await service.factory.casino()
  const headers = { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' }
  const orders = `/admin/casinos/${casino.id}/orders`
  const { replica } = service.deps
  if (replica === undefined) throw new Error('the service has no replica')
  return {
    service,
    casino,
    lines,
    order: async () => {
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      const reply = await service.client.post('/prize/order', casino.apiKey, body)
      expect(reply.status, reply.text).to.equal(200)
      const rows = await service.database.prizeOrder.findMany({ where: { casinoId: casino.id, prizeId } })
      return String(rows[0]?.id)
    },
    move: async (orderId, move) => {
      const reply = await service.client.send('POST', `${orders}/${orderId}/${move}`, {
        headers,
        body: JSON.stringify({ reason: 'checked' }),
      })
      return reply.status
    },
    listOrders: async () => {
      const reply = await service.client.send('GET', `${orders}?limit=100&order=desc`, { headers })
      expect(reply.status, reply.text).to.equal(200)
      const { data } = reply.json as { data: { order_id: string }[] }
      return data.map((order) => order.order_id)
    },
    compare: async (turns) => {
      for (let turn = 0; turn < turns; turn++) await replica.runOnce()
      return replica.state()
    },
  }
}

const listing = /prize_order/
const told = (lines: readonly string[], text: string) => lines.filter((line) => line.includes(text)).length

describe('lists with a replica', function () {
  this.timeout(120_000)
  let postgres: ReplicatedPostgres
  let world: World
  const atEnd = atEndOfSuite()
  before(async () => {
    postgres = await startReplicatedPostgres()
    atEnd(() => postgres.stop())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    world = await openWorld(postgres)
    atTestEnd(() => world.service.stop())
    expect(await world.compare(turnsUntilUsed)).to.deep.equal({ problem: undefined, lagSeconds: 0 })
    await postgres.takeStatements()
  })

  const metric = async (name: string) => {
    const text = await world.service.deps.metrics.registry.metrics()
    return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.+)$`, 'm').exec(text)?.[1])
  }

  it('come from the replica, and have every change that was answered before', async () => {
    for (let round = 0; round < 10; round++) {
      const orderId = await world.order()
      expect(await world.listOrders()).to.include(orderId)
      expect(await world.move(orderId, 'confirm')).to.equal(200)
    }
    expect((await postgres.takeStatements()).filter((line) => listing.test(line))).to.have.length(10)
    expect(await metric('rewards_replica_reads_total{server="replica"}')).to.equal(10)
    expect(await metric('rewards_replica_up')).to.equal(1)
  })

  it('are the only reads there: no decision and no single object is read from a replica', async () => {
    const { service, casino } = world
    const itemId = await service.factory.item(casino.id)
    const boxId = await service.factory.box(casino.id, {
      entries: [{ itemId, weight: 1 }],
      limit: { count: 5, period: 'day' },
    })
    const opened = await service.client.post('/box/open', casino.apiKey, { player_id: 'ann', box_id: boxId })
    expect(opened.status, opened.text).to.equal(200)
    const { playerId, prizeId } = await service.factory.prize(casino.id, { cashback: 500 })
    const cashback = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, cashback)).status).to.equal(200)
    const orderId = await world.order()
    expect(await world.move(orderId, 'hold')).to.equal(400)
    expect(await world.move(orderId, 'confirm')).to.equal(200)
    const headers = { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' }
    const casinoPath = `/admin/casinos/${casino.id}`
    for (const path of [`/orders/${orderId}`, `/prizes/${prizeId}`, '/events', '/settings']) {
      expect((await service.client.send('GET', `${casinoPath}${path}`, { headers })).status).to.equal(200)
    }
    const selection = { action: 'order.cancel', object_ids: [orderId], params: {} }
    const act = await service.client.send('POST', `${casinoPath}/acts`, {
      headers,
      body: JSON.stringify(selection),
    })
    expect(act.status, act.text).to.equal(201)
    expect(await postgres.takeStatements()).to.deep.equal([])
  })

  it('come from the primary while the replica is behind, and from the replica again when it has caught up', async () => {
    await postgres.onReplica('SELECT pg_wal_replay_pause()')
    atTestEnd(() => postgres.onReplica('SELECT pg_wal_replay_resume()'))
    const orderId = await world.order()
    expect(await world.listOrders()).to.deep.equal([orderId])
    expect(await world.listOrders()).to.deep.equal([orderId])
    const { problem, lagSeconds } = await world.compare(1)
    expect(problem).to.equal('behind')
    expect(lagSeconds).to.be.greaterThan(0)
    expect(await metric('rewards_replica_up')).to.equal(0)
    expect(await metric('rewards_replica_lag_seconds')).to.be.greaterThan(0)
    expect(await metric('rewards_replica_reads_total{server="primary"}')).to.equal(2)
    expect(told(world.lines, 'the replica does not catch up'), 'logged once').to.equal(1)
    const state = await world.service.client.send('GET', '/admin/state', {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
    expect((state.json as { data: { replica: object } }).data.replica).to.include({
      is_used: false,
      problem: 'behind',
    })

    await postgres.onReplica('SELECT pg_wal_replay_resume()')
    expect((await world.compare(turnsUntilUsed)).problem).to.equal(undefined)
    await postgres.takeStatements()
    expect(await world.listOrders()).to.deep.equal([orderId])
    expect((await postgres.takeStatements()).some((line) => listing.test(line))).to.equal(true)
  })

  itInLongForm(
    'come from the primary, and the log says so, if the replica is behind when the process starts',
    async () => {
      await postgres.onReplica('SELECT pg_wal_replay_pause()')
      atTestEnd(() => postgres.onReplica('SELECT pg_wal_replay_resume()'))
      const starting = await openWorld(postgres)
      atTestEnd(() => starting.service.stop())
      const orderId = await starting.order()
      expect((await starting.compare(turnsUntilUsed)).problem).to.equal('behind')
      expect(await starting.listOrders()).to.deep.equal([orderId])
      expect(told(starting.lines, 'the replica does not catch up'), 'logged once').to.equal(1)
    },
  )

  it('come from the primary while the replica is down', async () => {
    const orderId = await world.order()
    await postgres.stopReplica()
    try {
      expect(await world.listOrders()).to.deep.equal([orderId])
      expect((await world.compare(1)).problem).to.equal('away')
      expect(told(world.lines, 'the replica cannot be reached'), 'logged once').to.equal(1)
    } finally {
      await postgres.startReplica()
    }
    await eventually('the replica is used again', async () => (await world.compare(1)).problem === undefined)
    await postgres.takeStatements()
    expect(await world.listOrders()).to.deep.equal([orderId])
    expect((await postgres.takeStatements()).some((line) => listing.test(line))).to.equal(true)
  })

  itInLongForm(
    'are read again from the primary when the replica cancels a query to apply a change',
    async () => {
      const { replica } = world.service.deps
      if (replica === undefined) throw new Error('the service has no replica')
      const reading = replica.read(
        () =>
          replica.database.$queryRaw`SELECT pg_sleep(4) FROM (SELECT FROM set_aside UNION ALL SELECT) AS one`,
        () => Promise.resolve('from the primary'),
      )
      await eventually(
        'the query runs',
        async () =>
          (await postgres.onReplica(
            `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%pg_sleep(4)%' AND pid <> pg_backend_pid()`,
          )) === 1,
      )
      await postgres.onPrimary('DO $$ BEGIN LOCK TABLE set_aside IN ACCESS EXCLUSIVE MODE; END $$')
      expect(await reading).to.equal('from the primary')
      expect(replica.state().problem).to.equal('cancelled')
      expect(told(world.lines, 'the replica cancelled a query')).to.equal(1)
    },
  )
})

describe('the routes that read a replica', () => {
  it('are all a GET', () => {
    const routes = readFileSync(join(import.meta.dirname, '../../../api/admin/routes.ts'), 'utf8')
    const reading = [...routes.matchAll(/(\w+)\('(\w+)', '[^']*', fromReplica\(/g)]
    expect(reading.length)
      .to.equal(routes.match(/fromReplica\(/g)?.length)
      .and.to.be.greaterThan(15)
    expect(new Set(reading.map(([, , method]) => method))).to.deep.equal(new Set(['GET']))
  })
})

describeInLongForm('lists with a replica that was promoted', function () {
  this.timeout(120_000)
  const atTestEnd = atEndOfTest()

  it('come from the primary', async () => {
    const postgres = await startReplicatedPostgres()
    atTestEnd(() => postgres.stop())
    const world = await openWorld(postgres)
    atTestEnd(() => world.service.stop())
    await world.compare(turnsUntilUsed)
    await postgres.onReplica('SELECT pg_promote()')
    const orderId = await world.order()
    expect(await world.listOrders()).to.deep.equal([orderId])
    expect((await world.compare(1)).problem).to.equal('promoted')
    expect(told(world.lines, 'it may have been promoted')).to.equal(1)
  })
})
