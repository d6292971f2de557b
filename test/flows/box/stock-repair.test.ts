import { expect } from 'chai'
import pg from 'pg'
import { findStockDifferences, lockRepairs, repairStock } from '../../../core/box/check-stock.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory } from '../../support/factory.ts'
import type { Factory } from '../../support/factory.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { isLongForm, itInLongForm } from '../../support/runs.ts'
import { createStockCasino } from '../../support/stocks.ts'
import type { StockCasino } from '../../support/stocks.ts'

describe('the repair of stocks', function () {
  this.timeout(60_000)
  let env: Env
  const apis: ServiceProcess[] = []
  let open: OpenDatabase
  /** A single connection, as a repair needs it. */
  let repairing: OpenDatabase
  let database: Database
  let factory: Factory
  let stocks: StockCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    env = await createTestEnv('postgres')
    const connect = (poolMax: number, isForScans: boolean) => {
      const opened = openDatabase({
        url: env['DATABASE_URL'] ?? '',
        poolMax,
        log: createLogger('test', 'silent'),
        isForScans,
      })
      atEnd(() => opened.close())
      return opened
    }
    open = connect(5, false)
    repairing = connect(1, true)
    database = open.database
    factory = createFactory(database, env['HASH_SECRET'] ?? '')
    for (let count = 0; count < 2; count++) {
      const api = await startProcess('api', env)
      apis.push(api)
      atEnd(() => api.terminate())
    }
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    atTestEnd(() => repairing.database.$queryRaw`SELECT pg_advisory_unlock_all()::text`)
    stocks = await createStockCasino(database, factory)
  })

  it('corrects by the difference, so that an opening which commits while the repair waits still counts', async () => {
    const boxId = await stocks.publish([10, undefined])
    await stocks.setRemaining(boxId, 1, 7) // ten are left
    expect(await lockRepairs(repairing.database)).to.equal(true)
    const opening = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await opening.connect()
    try {
      // The statement of an opening, stopped just before its commit.
      await opening.query('BEGIN')
      await opening.query('UPDATE box_stock SET remaining = remaining - 1 WHERE box_id = $1', [boxId])
      await opening.query("SET LOCAL session_replication_role = 'replica'") // it has no seed
      await opening.query(
        `INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                              prize_id, request_id, odds_hash, opened_at)
         VALUES ($1, $2, 'slow', 1, $1, 1, 1, $3, false, 'p', 'r', 'h', now())`,
        [boxId, stocks.id, stocks.mug],
      )
      const repair = repairStock(repairing.database, stocks.id)
      await eventually(
        'the repair waits for the opening',
        async () => (await countLockWaits(database, 'given_back')) > 0,
      )
      await opening.query('COMMIT')
      const [found] = await repair
      expect(found).to.include({ remaining: 7, expected: 10n, openings: 0n })
    } finally {
      await opening.end()
    }
    expect(await stocks.readRemaining(boxId)).to.deep.equal([9])
    expect(await findStockDifferences(database, stocks.id)).to.deep.equal([])
  })

  itInLongForm('repairs exactly while two API processes open boxes', async () => {
    const stock = isLongForm ? 600 : 180
    const openings = (stock * 8) / 3
    const boxId = await stocks.publish([stock, stock])
    expect(await lockRepairs(repairing.database)).to.equal(true)
    const opening = stocks.openFor(
      apis.map((api) => createClient(api.url)),
      boxId,
      openings,
    )
    let repairs = 0
    let meanwhile = 0
    // Wrong in either direction, by less than the remaining stock, so that it is not oversold before the repair.
    for (const off of Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 7 : -5))) {
      const before = await database.opening.count({ where: { boxId } })
      const { count } = await database.boxStock.updateMany({
        where: { boxId, remaining: { gt: stock / 3 } },
        data: { remaining: { increment: off } },
      })
      if (count === 0) break
      const found = await repairStock(repairing.database, stocks.id)
      expect(
        found.map((difference) => Number(difference.remaining) - Number(difference.expected)),
      ).to.deep.equal(Array.from({ length: count }, () => off))
      repairs++
      meanwhile += (await database.opening.count({ where: { boxId } })) - before
      expect(await findStockDifferences(database, stocks.id)).to.deep.equal([])
    }
    await opening
    expect(repairs).to.be.greaterThan(1)
    expect(meanwhile).to.be.greaterThan(0)
    expect(await findStockDifferences(database, stocks.id)).to.deep.equal([])
    expect([
      await stocks.countWins(boxId, stocks.mug),
      await stocks.countWins(boxId, stocks.cap),
    ]).to.deep.equal([stock, stock])
    expect(await stocks.countWins(boxId, stocks.nothing)).to.equal(openings - 2 * stock)
    expect(await stocks.readRemaining(boxId)).to.deep.equal([0, 0])
  })

  it('repairs nothing without the lock', async () => {
    const boxId = await stocks.publish([10, 10])
    await stocks.setRemaining(boxId, 1, 4)
    await database.boxStock.deleteMany({ where: { boxId, position: 2 } })
    const error: unknown = await repairStock(repairing.database, stocks.id).catch((reason: unknown) => reason)
    expect(error).to.be.an.instanceOf(Error).with.property('message').that.contains('lock for repairs')
    expect(await stocks.readRemaining(boxId)).to.deep.equal([4])
  })
})
