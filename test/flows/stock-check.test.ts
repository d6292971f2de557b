import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { findStockDifferences, lockRepairs, repairStock } from '../../core/box/check-stock.ts'
import { openDatabase } from '../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { createClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { createTestEnv } from '../support/config.ts'
import type { Env } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { createFactory } from '../support/factory.ts'
import type { Factory, TestCasino } from '../support/factory.ts'
import { startProcess } from '../support/processes.ts'
import type { ServiceProcess } from '../support/processes.ts'

const projectDir = join(import.meta.dirname, '../..')

describe('the check of stocks', function () {
  this.timeout(60_000)
  let env: Env
  const apis: ServiceProcess[] = []
  let open: OpenDatabase
  /** A single connection, as a repair needs it. */
  let repairing: OpenDatabase
  let database: Database
  let factory: Factory
  let casino: TestCasino
  let mug: string
  let cap: string
  let nothing: string

  before(async () => {
    env = await createTestEnv('postgres')
    const connect = (poolMax: number, isForScans: boolean) =>
      openDatabase({
        url: env['DATABASE_URL'] ?? '',
        poolMax,
        log: createLogger('test', 'silent'),
        isForScans,
      })
    open = connect(5, false)
    repairing = connect(1, true)
    database = open.database
    factory = createFactory(database, env['HASH_SECRET'] ?? '')
    for (let count = 0; count < 2; count++) apis.push(await startProcess('api', env))
  })
  after(async () => {
    await Promise.all(apis.map((api) => api.terminate()))
    await repairing.close()
    await open.close()
  })
  beforeEach(async () => {
    casino = await factory.casino()
    mug = await factory.item(casino.id)
    cap = await factory.item(casino.id)
    nothing = await factory.item(casino.id, { kind: 'none', cashback: null })
  })
  afterEach(() => repairing.database.$queryRaw`SELECT pg_advisory_unlock_all()::text`)

  const publish = (stocks: [number | undefined, number | undefined]) =>
    factory.box(casino.id, {
      entries: [mug, cap].map((itemId, index) => {
        const stock = stocks[index]
        return { itemId, weight: 1, ...(stock === undefined ? {} : { stock }) }
      }),
      fallbackItemId: nothing,
      limit: { count: 1_000_000, period: 'lifetime' },
    })

  /** Opens the box for so many players, a few at a time, in turns through both APIs. */
  const openFor = async (boxId: string, players: number) => {
    const clients = apis.map((api) => createClient(api.url))
    const names = Array.from({ length: players }, (_, index) => `player-${index}`)
    const refused: unknown[] = []
    const openSome = async (client: Client) => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const reply = await client.post('/box/open', casino.apiKey, { player_id: name, box_id: boxId })
        if (reply.status !== 200) refused.push(reply)
      }
    }
    await Promise.all(clients.flatMap((client) => Array.from({ length: 16 }, () => openSome(client))))
    expect(refused).to.deep.equal([])
  }

  /** As nothing of ours does. */
  const setRemaining = (boxId: string, position: number, remaining: number) =>
    database.boxStock.updateMany({ where: { boxId, position }, data: { remaining } })

  const readRemaining = async (boxId: string) =>
    (await database.boxStock.findMany({ where: { boxId }, orderBy: { position: 'asc' } })).map(
      (stock) => stock.remaining,
    )

  const countWins = (boxId: string, itemId: string) => database.opening.count({ where: { boxId, itemId } })

  /** The program, as npm runs it. */
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'tools/check-stock.ts', ...args], {
      cwd: projectDir,
      env: { PATH: process.env['PATH'], DATABASE_URL: env['DATABASE_URL'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output, errors }
  }

  it('finds nothing where every opening took its one, fallbacks and unlimited entries included', async () => {
    const boxId = await publish([5, undefined])
    await openFor(boxId, 40)
    expect(await database.opening.count({ where: { boxId, substituted: true } })).to.be.greaterThan(0)
    expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
    expect(await run('--casino', casino.id)).to.include({ code: 0, output: '' })
  })

  it('finds what differs, says so with exit code 1, changes nothing, and repairs it when told to', async () => {
    const boxId = await publish([100, 100])
    await openFor(boxId, 30)
    const honest = await readRemaining(boxId)
    await setRemaining(boxId, 1, 99)
    const wins = await countWins(boxId, mug)

    const report = await run('--casino', casino.id)
    expect(report.code).to.equal(1)
    const [head, row, ...more] = report.output
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
    expect(head).to.deep.equal(
      'casino box version position item stock openings remaining expected'.split(' '),
    )
    expect(row).to.deep.equal([
      casino.id,
      boxId,
      ...['1', '1'],
      mug,
      '100',
      ...[wins, 99, 100 - wins].map(String),
    ])
    expect(more).to.deep.equal([])
    expect(await readRemaining(boxId)).to.deep.equal([99, honest[1]])

    const repair = await run('--casino', casino.id, '--repair')
    expect(repair.code).to.equal(0)
    expect(repair.output).to.match(/repaired\n$/)
    expect(await readRemaining(boxId)).to.deep.equal(honest)
    expect(await run()).to.include({ code: 0, output: '' })
  })

  it('puts back a row that is missing and takes away one for an entry without a limit', async () => {
    const boxId = await publish([100, undefined])
    await openFor(boxId, 10)
    const honest = await readRemaining(boxId)
    await database.boxStock.deleteMany({ where: { boxId } })
    await database.boxStock.create({
      data: { casinoId: casino.id, boxId, version: 1, position: 2, remaining: 3 },
    })
    const report = await run('--casino', casino.id, '--repair')
    expect(report.output)
      .to.match(/missing/)
      .and.to.match(/no limit/)
    expect(await readRemaining(boxId)).to.deep.equal(honest)
    expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
  })

  it('reports what was oversold as often as it is asked, and sees to it that no more is', async () => {
    const boxId = await publish([3, undefined])
    await setRemaining(boxId, 1, 1_000)
    await openFor(boxId, 40)
    const wins = await countWins(boxId, mug)
    expect(wins).to.be.greaterThan(3)

    const repair = await run('--casino', casino.id, '--repair')
    expect(repair.code).to.equal(1)
    expect(repair.output).to.contain('oversold, set to 0')
    expect(await readRemaining(boxId)).to.deep.equal([0])
    await openFor(boxId, 20)
    expect(await countWins(boxId, mug)).to.equal(wins)
    const again = await run('--casino', casino.id)
    expect(again.code).to.equal(1)
    expect(again.output).to.match(new RegExp(`${3 - wins} +oversold`))
  })

  it('corrects by the difference, so that an opening which commits while the repair waits still counts', async () => {
    const boxId = await publish([10, undefined])
    await setRemaining(boxId, 1, 7) // ten are left
    expect(await lockRepairs(repairing.database)).to.equal(true)
    const opening = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await opening.connect()
    try {
      // What an opening's statement does, held just before its end.
      await opening.query('BEGIN')
      await opening.query('UPDATE box_stock SET remaining = remaining - 1 WHERE box_id = $1', [boxId])
      await opening.query(
        `INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                              prize_id, request_id, odds_hash, opened_at)
         VALUES ($1, $2, 'slow', 1, $1, 1, 1, $3, false, 'p', 'r', 'h', now())`,
        [boxId, casino.id, mug],
      )
      const repair = repairStock(repairing.database, casino.id)
      await eventually('the repair waits for the opening', async () => {
        const waiting = await database.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%stock_locked%'`
        return waiting.length > 0
      })
      await opening.query('COMMIT')
      const [found] = await repair
      expect(found).to.include({ remaining: 7, expected: 10n, openings: 0n })
    } finally {
      await opening.end()
    }
    expect(await readRemaining(boxId)).to.deep.equal([9])
    expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
  })

  it('repairs exactly while two API processes open boxes', async () => {
    const stock = 600
    const boxId = await publish([stock, stock])
    expect(await lockRepairs(repairing.database)).to.equal(true)
    const opening = openFor(boxId, 1_600)
    let repairs = 0
    let meanwhile = 0
    // Wrong in either direction, by less than what is left, so that nothing is oversold before it is repaired.
    for (const off of Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 7 : -5))) {
      const before = await database.opening.count({ where: { boxId } })
      const { count } = await database.boxStock.updateMany({
        where: { boxId, remaining: { gt: 200 } },
        data: { remaining: { increment: off } },
      })
      if (count === 0) break
      const found = await repairStock(repairing.database, casino.id)
      expect(
        found.map((difference) => Number(difference.remaining) - Number(difference.expected)),
      ).to.deep.equal(Array.from({ length: count }, () => off))
      repairs++
      meanwhile += (await database.opening.count({ where: { boxId } })) - before
      expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
    }
    await opening
    expect(repairs).to.be.greaterThan(1)
    expect(meanwhile).to.be.greaterThan(0)
    expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
    expect([await countWins(boxId, mug), await countWins(boxId, cap)]).to.deep.equal([stock, stock])
    expect(await countWins(boxId, nothing)).to.equal(400)
    expect(await readRemaining(boxId)).to.deep.equal([0, 0])
  })

  it('lets one repair run at a time, for two would correct the same thing twice', async () => {
    const boxId = await publish([10, 10])
    await setRemaining(boxId, 1, 4)
    expect(await lockRepairs(repairing.database)).to.equal(true)
    const refused = await run('--repair')
    expect(refused).to.include({ code: 2, output: '' })
    expect(refused.errors).to.contain('another repair is running')
    expect(await readRemaining(boxId)).to.deep.equal([4, 10])
  })

  it('repairs nothing without the lock', async () => {
    const boxId = await publish([10, 10])
    await setRemaining(boxId, 1, 4)
    await database.boxStock.deleteMany({ where: { boxId, position: 2 } })
    const error: unknown = await repairStock(repairing.database, casino.id).catch((reason: unknown) => reason)
    expect(error).to.be.an.instanceOf(Error).with.property('message').that.contains('lock for repairs')
    expect(await readRemaining(boxId)).to.deep.equal([4])
  })

  it('says what is wrong with its arguments or its database, with exit code 2', async () => {
    const unknown = await run('--casino', 'nobody')
    expect(unknown.code).to.equal(2)
    expect(unknown.errors).to.contain('there is no such casino')
    expect((await run('--repiar')).code).to.equal(2)
    const { DATABASE_URL: url } = env
    try {
      env['DATABASE_URL'] = 'postgres://nobody:secret@127.0.0.1:1/nowhere'
      const away = await run()
      expect(away.code).to.equal(2)
      expect(away.errors).to.contain('cannot be reached').and.not.to.contain('secret')
    } finally {
      env['DATABASE_URL'] = url ?? ''
    }
  })
})
