import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory, withOtherSecret } from '../../support/factory.ts'
import type { Factory, TestCasino } from '../../support/factory.ts'
import { startHaproxy } from '../../support/haproxy.ts'
import type { Haproxy } from '../../support/haproxy.ts'
import { needProgram } from '../../support/need-program.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** An API for players and a process of management, on a database of their own. */
interface Cell {
  apiUrl: string
  manageUrl: string
  /** Requests that do not pass the proxy. */
  direct: { play: Client; manage: Client }
  database: Database
  factory: Factory
  /** The casino that starts here. */
  casino: TestCasino
}

const example = join(import.meta.dirname, '../../../deploy/proxy/cells')
const [backend = 'postgres'] = queuesOfProcesses

describeInLongForm('cells behind deploy/proxy/cells/haproxy.cfg', function () {
  this.timeout(180_000)
  const atEnd = atEndOfSuite()
  let a: Cell
  let b: Cell
  let proxy: Haproxy
  let client: Client

  before(async function () {
    const haproxy = needProgram(this, ['haproxy'], 'haproxy')
    a = await startCell()
    b = await startCell()
    const cells = { 'cell-a': a, 'cell-b': b }
    proxy = await startHaproxy(haproxy, (place) => filesOf(place, cells))
    atEnd(() => proxy.stop())
    client = createClient(proxy.url)
    for (const name of Object.keys(cells).flatMap((cell) => [cell, `${cell}-manage`])) {
      await eventually(`HAProxy uses ${name}`, async () => {
        const rows = (await proxy.command('show stat'))
          .split('\n')
          .filter((row) => row.startsWith(`${name},`))
        return rows.length === 3 && rows.every((row) => row.includes(',UP,'))
      })
    }
  })

  async function startCell(): Promise<Cell> {
    const env = await createTestEnv(backend)
    const { database, close } = openDatabase({
      url: env['DATABASE_URL'] ?? '',
      poolMax: 2,
      log: createLogger('test', 'silent'),
    })
    atEnd(() => close())
    const api = await startProcess('api', { ...env, SURFACES: 'play' })
    atEnd(() => api.kill())
    const manage = await startProcess('manage', { ...env, ADMIN_PORT: '0' })
    atEnd(() => manage.kill())
    const factory = createFactory(database, env['HASH_SECRET'] ?? '')
    const direct = { play: createClient(api.url), manage: createClient(manage.url) }
    const urls = { apiUrl: api.url, manageUrl: manage.url }
    return { ...urls, direct, database, factory, casino: await factory.casino() }
  }

  /** The example with the addresses and casinos of this test. */
  function filesOf({ port, socket }: { port: number; socket: string }, cells: Record<string, Cell>) {
    let config = readFileSync(join(example, 'haproxy.cfg'), 'utf8')
    const replace = (pattern: RegExp, text: string) => {
      expect(config, String(pattern)).to.match(pattern)
      config = config.replace(pattern, text)
    }
    replace(/maxconn 10000/, 'maxconn 100')
    replace(/bind :8080/, `bind 127.0.0.1:${port}`)
    replace(/\/run\/haproxy\/cells\.sock/, socket)
    for (const [index, { apiUrl, manageUrl }] of Object.values(cells).entries()) {
      replace(new RegExp(`10\\.${index + 1}\\.1\\.\\d+:3000`, 'g'), new URL(apiUrl).host)
      replace(new RegExp(`10\\.${index + 1}\\.1\\.\\d+:3002`, 'g'), new URL(manageUrl).host)
    }
    const mapOf = (keyOf: (casino: TestCasino) => string) =>
      Object.entries(cells).map(([name, { casino }]) => `${keyOf(casino)} ${name}\n`)
    return {
      'haproxy.cfg': config,
      'keys.map': mapOf(({ apiKey }) => keyIdOf(apiKey)).join(''),
      'casinos.map': mapOf(({ id }) => id).join(''),
    }
  }

  /** The cells that the proxy has sent a request to meanwhile, by its own counts. */
  async function cellsOf(request: () => Promise<unknown>): Promise<string[]> {
    const counts = async () => {
      const [head = '', ...rows] = (await proxy.command('show stat')).split('\n')
      const columns = head.replace('# ', '').split(',')
      const at = (row: string, column: string) => row.split(',')[columns.indexOf(column)] ?? ''
      const backends = rows.filter((row) => at(row, 'svname') === 'BACKEND')
      return new Map(backends.map((row) => [at(row, 'pxname'), Number(at(row, 'stot'))]))
    }
    const before = await counts()
    await request()
    return [...(await counts())]
      .filter(([cell, count]) => count > (before.get(cell) ?? 0))
      .map(([cell]) => cell)
  }

  const admin = { headers: { Authorization: `Bearer ${adminApiKey}` } }
  const pairs = () => [
    { name: 'cell-a', cell: a, other: b },
    { name: 'cell-b', cell: b, other: a },
  ]

  it('lead each casino to its own cell only, by the id of its key', async () => {
    for (const { name, cell, other } of pairs()) {
      const { casino, factory } = cell
      const { playerId, prizeId } = await factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId }
      const reached = await cellsOf(async () => {
        const reply = await client.post('/prize/cashback', casino.apiKey, body)
        expect(reply.status, reply.text).to.equal(200)
      })
      expect(reached).to.deep.equal([name])
      const where = { casinoId: casino.id }
      expect(await cell.database.cashback.count({ where })).to.equal(1)
      expect(await other.database.cashback.count({ where })).to.equal(0)
    }
  })

  it('do not know the casinos of each other', async () => {
    for (const { cell, other } of pairs()) {
      const body = { player_id: 'player', prize_id: 'prize' }
      const reply = await other.direct.play.post('/prize/cashback', cell.casino.apiKey, body)
      expect(reply.status).to.equal(401)
      const path = `/admin/casinos/${cell.casino.id}`
      expect(await other.direct.manage.send('GET', path, admin)).to.include({ status: 404 })
    }
  })

  it("are found by the casino in the path for operators, partners and a casino's sandbox", async () => {
    for (const { name, cell } of pairs()) {
      const { id } = cell.casino
      const path = `/admin/casinos/${id}`
      expect(await client.send('GET', path, admin)).to.include({ status: 200 })
      for (const [method, to, init] of [
        ['GET', path, admin],
        ['GET', `${path}%3Atest/orders`, admin],
        ['POST', `/partners/fulfilment/${id}`, { body: '{}' }],
      ] as const) {
        expect(await cellsOf(() => client.send(method, to, init)), to).to.deep.equal([`${name}-manage`])
      }
    }
  })

  it("answer casinos' scripts in management by the id of their key, and readers of documents in the first cell", async () => {
    for (const { name, cell } of pairs()) {
      const { id, apiKey } = cell.casino
      const init = { headers: { Authorization: `Bearer ${apiKey}` } }
      const reached = await cellsOf(async () => {
        expect(await client.send('GET', `/admin/casinos/${id}/orders`, init)).to.include({ status: 200 })
      })
      expect(reached).to.deep.equal([`${name}-manage`])
    }
    for (const [path, name] of [
      ['/docs', 'cell-a-manage'],
      ['/openapi.json', 'cell-a-manage'],
      ['/.well-known/security.txt', 'cell-a-manage'],
      ['/fairness/key', 'cell-a'],
    ] as const) {
      const reached = await cellsOf(async () => {
        expect(await client.send('GET', path), path).to.include({ status: 200 })
      })
      expect(reached, path).to.deep.equal([name])
    }
  })

  it('give unknown callers the answers of the API', async () => {
    const body = { player_id: 'player', prize_id: 'prize' }
    const foreign = await b.factory.casino()
    for (const key of [undefined, foreign.apiKey, withOtherSecret(b.casino.apiKey)]) {
      const reply = await client.post('/prize/cashback', key, body)
      expect(reply.status).to.equal(401)
      expect(reply.headers.get('WWW-Authenticate')).to.match(/^Bearer/)
    }
    expect(await client.send('GET', '/admin/casinos/unknown', admin)).to.include({ status: 404 })
  })

  it('take over a casino that moves, without a restart of the proxy', async () => {
    const moved = await a.factory.casino()
    const { playerId, prizeId } = await a.factory.prize(moved.id)
    const keyId = keyIdOf(moved.apiKey)
    const revise = async (line: string) => expect(await proxy.command(line)).to.equal('')
    await revise(`add map keys.map ${keyId} cell-a`)
    // The new cell begins as a copy of the old one (docs/operate/scaling.md), here without the rows that no request reads.
    await b.database.casino.create({
      data: await a.database.casino.findUniqueOrThrow({ where: { id: moved.id } }),
    })
    await b.database.apiKey.create({
      data: await a.database.apiKey.findUniqueOrThrow({ where: { id: keyId } }),
    })
    await b.database.prize.createMany({
      data: await a.database.prize.findMany({ where: { casinoId: moved.id } }),
    })
    await a.database.apiKey.update({ where: { id: keyId }, data: { revokedAt: new Date() } })

    await revise(`set map keys.map ${keyId} cell-b`)
    const body = { player_id: playerId, prize_id: prizeId }
    const reply = await client.post('/prize/cashback', moved.apiKey, body)
    expect(reply.status, reply.text).to.equal(200)
    const where = { casinoId: moved.id }
    expect(await b.database.cashback.count({ where })).to.equal(1)
    expect(await a.database.cashback.count({ where })).to.equal(0)
  })
})

/** Of `rk_<mode>_<id>_<secret>`. */
function keyIdOf(apiKey: string): string {
  return apiKey.split('_')[2] ?? ''
}
