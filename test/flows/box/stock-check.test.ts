import { expect } from 'chai'
import { findStockDifferences, lockRepairs } from '../../../core/box/check-stock.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createStockCasino } from '../../support/stocks.ts'
import type { StockCasino } from '../../support/stocks.ts'
import { runTool } from '../../tools/run-tool.ts'
import { itInLongForm } from '../../support/runs.ts'

describe('npm run stock:check', function () {
  this.timeout(60_000)
  let service: TestService
  let database: Database
  let stocks: StockCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    database = service.database
  })
  beforeEach(async () => {
    stocks = await createStockCasino(database, service.factory)
  })

  const runsIn = async (casinoId: string) => {
    const entries = await database.auditEntry.findMany({
      where: { casinoId, actor: 'cli' },
      orderBy: { id: 'asc' },
    })
    return entries.map(({ actor, action, params, outcome }) => `${actor} ${action} ${params} → ${outcome}`)
  }
  const databaseUrl = () => service.env['DATABASE_URL'] ?? ''

  /** The program, as npm runs it. */
  const run = (...args: string[]) => runOn(databaseUrl(), args)
  const runOn = async (url: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await runTool('tools/check-stock.ts', args, {
      DATABASE_URL: url,
      HASH_SECRET: service.env['HASH_SECRET'],
    })
    return { code, output: stdout, errors: stderr }
  }

  itInLongForm(
    'finds no difference where every opening took one unit, including fallbacks and unlimited entries',
    async () => {
      const boxId = await stocks.publish([5, undefined])
      await stocks.openFor([service.client], boxId, 40)
      expect(await database.opening.count({ where: { boxId, substituted: true } })).to.be.greaterThan(0)
      expect(await findStockDifferences(database, stocks.id)).to.deep.equal([])
      expect(await run('--casino', stocks.id)).to.include({ code: 0, output: '' })
    },
  )

  it('names each difference, ends with exit code 1, changes nothing, and repairs on request', async () => {
    const boxId = await stocks.publish([100, 100])
    await stocks.openFor([service.client], boxId, 30)
    const honest = await stocks.readRemaining(boxId)
    await stocks.setRemaining(boxId, 1, 99)
    const wins = await stocks.countWins(boxId, stocks.mug)

    const report = await run('--casino', stocks.id)
    expect(report.code).to.equal(1)
    const [head, row, ...more] = report.output
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
    expect(head).to.deep.equal(
      'casino box version position item stock openings returned remaining expected'.split(' '),
    )
    expect(row).to.deep.equal([
      stocks.id,
      boxId,
      '1',
      '1',
      stocks.mug,
      '100',
      ...[wins, 0, 99, 100 - wins].map(String),
    ])
    expect(more).to.deep.equal([])
    expect(await stocks.readRemaining(boxId)).to.deep.equal([99, honest[1]])

    const repair = await run('--casino', stocks.id, '--repair')
    expect(repair.code).to.equal(0)
    expect(repair.output).to.match(/repaired\n$/)
    expect(await stocks.readRemaining(boxId)).to.deep.equal(honest)
    expect(await run()).to.include({ code: 0, output: '' })
    expect(await runsIn(stocks.id), 'of runs that only look there is nothing').to.deep.equal([
      `cli stock:check --repair {"casino_id":"${stocks.id}"} → requested`,
      `cli stock:check --repair {"casino_id":"${stocks.id}"} → 1 repaired`,
    ])
  })

  it('records each repair in the trail of its casino, and the run in the service’s trail', async () => {
    const boxId = await stocks.publish([10, 10])
    await stocks.setRemaining(boxId, 1, 4)
    const before = (await runsIn('')).length
    await run('--repair')
    expect(await runsIn(stocks.id)).to.deep.equal(['cli stock:check --repair {} → 1 repaired'])
    const runs = (await runsIn('')).slice(before)
    expect(runs[0]).to.equal('cli stock:check --repair {} → requested')
    expect(runs[1]).to.match(/^cli stock:check --repair \{\} → [1-9]\d* repaired$/)
  })

  itInLongForm('repairs nothing when it cannot write down that it does', async () => {
    const boxId = await stocks.publish([10, 10])
    await stocks.setRemaining(boxId, 1, 4)
    try {
      await database.$executeRaw`ALTER TABLE audit_entry ADD CONSTRAINT full_disk CHECK (false) NOT VALID`
      expect(await run('--repair', '--casino', stocks.id)).to.include({ code: 3, output: '' })
      expect(await stocks.readRemaining(boxId)).to.deep.equal([4, 10])
    } finally {
      await database.$executeRaw`ALTER TABLE audit_entry DROP CONSTRAINT IF EXISTS full_disk`
    }
  })

  itInLongForm(
    'puts back a row that is missing and takes away one for an entry without a limit',
    async () => {
      const boxId = await stocks.publish([100, undefined])
      await stocks.openFor([service.client], boxId, 10)
      const honest = await stocks.readRemaining(boxId)
      await database.boxStock.deleteMany({ where: { boxId } })
      await database.boxStock.create({
        data: { casinoId: stocks.id, boxId, version: 1, position: 2, remaining: 3 },
      })
      const report = await run('--casino', stocks.id, '--repair')
      expect(report.output)
        .to.match(/missing/)
        .and.to.match(/no limit/)
      expect(await stocks.readRemaining(boxId)).to.deep.equal(honest)
      expect(await findStockDifferences(database, stocks.id)).to.deep.equal([])
    },
  )

  itInLongForm(
    'reports oversold units in every run, and its repair prevents further overselling',
    async () => {
      const boxId = await stocks.publish([3, undefined])
      await stocks.setRemaining(boxId, 1, 1_000)
      await stocks.openFor([service.client], boxId, 40)
      const wins = await stocks.countWins(boxId, stocks.mug)
      expect(wins).to.be.greaterThan(3)

      const repair = await run('--casino', stocks.id, '--repair')
      expect(repair.code).to.equal(1)
      expect(repair.output).to.contain('oversold, set to 0')
      expect(await stocks.readRemaining(boxId)).to.deep.equal([0])
      await stocks.openFor([service.client], boxId, 20)
      expect(await stocks.countWins(boxId, stocks.mug)).to.equal(wins)
      const again = await run('--casino', stocks.id)
      expect(again.code).to.equal(1)
      expect(again.output).to.match(new RegExp(`${3 - wins} +oversold`))
    },
  )

  itInLongForm(
    'allows one repair at a time, because two would correct the same difference twice',
    async () => {
      const boxId = await stocks.publish([10, 10])
      await stocks.setRemaining(boxId, 1, 4)
      const { database: repairing, close } = openDatabase({
        url: databaseUrl(),
        poolMax: 1,
        log: service.deps.log,
        isForScans: true,
      })
      try {
        expect(await lockRepairs(repairing)).to.equal(true)
        const refused = await run('--repair')
        expect(refused).to.include({ code: 3, output: '' })
        expect(refused.errors).to.contain('another repair is running')
        expect(await stocks.readRemaining(boxId)).to.deep.equal([4, 10])
        expect((await runsIn('')).at(-1)).to.equal('cli stock:check --repair {} → stopped')
      } finally {
        await close()
      }
      expect(await run('--repair', '--casino', stocks.id)).to.include({ code: 0 })
      expect(await stocks.readRemaining(boxId)).to.deep.equal([10, 10])
    },
  )

  itInLongForm(
    'names each problem with its arguments with exit code 2, and with its database with 3',
    async () => {
      const unknown = await run('--casino', 'nobody')
      expect(unknown.code).to.equal(2)
      expect(unknown.errors).to.contain('there is no such casino')
      expect((await run('--repiar')).code).to.equal(2)
      const away = await runOn('postgres://nobody:secret@127.0.0.1:1/nowhere', [])
      expect(away.code).to.equal(3)
      expect(away.errors).to.contain('cannot be reached').and.not.to.contain('secret')
    },
  )
})
