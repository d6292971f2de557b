import { expect } from 'chai'
import { resumeSetting } from '../../../core/casino/change-settings.ts'
import type { CreditCashbackDeps } from '../../../core/cashback/credit-cashback.ts'
import type { Database } from '../../../core/platform/database.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { eventually } from '../../support/eventually.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]
const pauses = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs]

describe('attempts whose process fails', function () {
  this.timeout(30_000)
  let crediting: Crediting

  const atEnd = atEndOfSuite()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    await crediting.begin()
    atTestEnd(() => crediting.end())
  })

  /** A database that does `after` once it has carried out its n-th statement of this process. */
  const databaseThat = (after: (statement: number) => void | Promise<void>): Database => {
    let statements = 0
    const queryRaw = async (...query: Parameters<Database['$queryRaw']>) => {
      const rows = await crediting.database.$queryRaw(...query)
      await after(++statements)
      return rows
    }
    return new Proxy(crediting.database, {
      get: (target, key) => (key === '$queryRaw' ? queryRaw : (Reflect.get(target, key) as unknown)),
    })
  }
  const moveTime = (byMs: number) => {
    crediting.setTime(new Date(crediting.clock.now().getTime() + byMs))
  }

  const accidents: [string, () => Partial<CreditCashbackDeps>][] = [
    // The function that is told how the call ended never returns.
    [
      'is killed',
      () => ({
        onCall: () => {
          throw new Error('gone')
        },
      }),
    ],
    [
      'cannot store its result',
      () => ({
        database: databaseThat((statement) => {
          if (statement > 2) throw new Error('gone')
        }),
      }),
    ],
  ]
  for (const [what, befalling] of accidents) {
    it(`end with an operator after the schedule when the process ${what} after each call`, async () => {
      const work = await crediting.requestOne()
      for (const [index, pauseMs] of [...pauses, null].entries()) {
        const attempts = index + 1
        const failed = await crediting
          .startOther(befalling())
          .run(work)
          .catch((error: unknown) => error)
        expect(failed).to.have.property('message', 'gone')
        expect(crediting.wallet().calls).to.have.length(attempts)
        const left = await crediting.read(work)
        expect(left).to.include({ state: 'processing', attempts })
        expect(await crediting.run(work)).to.equal('snoozed')
        expect(await crediting.read(work)).to.deep.equal(left)
        moveTime(await crediting.restsMs(work))
        expect(crediting.clock.now()).to.deep.equal(left.attemptUntil)
        if (pauseMs === null) break

        expect(await crediting.run(work)).to.equal('snoozed')
        expect(await crediting.read(work)).to.include({ state: 'unknown', problem: 'result_lost', attempts })
        const restsMs = await crediting.restsMs(work)
        expect(restsMs).to.be.within(pauseMs, pauseMs * 1.2 + 1)
        moveTime(restsMs)
      }
      expect(await crediting.run(work)).to.equal('done')
      expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'result_lost' })
      expect(await crediting.outboxOf(work)).to.equal(null)
      expect(await crediting.run(work)).to.equal('nothing_to_do')
      expect(
        crediting.wallet().calls.map(({ transactionId, attempt }) => [transactionId, attempt]),
      ).to.deep.equal(Array.from({ length: 8 }, (_, index) => [work.objectId, index + 1]))
      expect(crediting.wallet().bookings.get(work.objectId)).to.equal(1)
      expect(await crediting.deps().metrics.registry.metrics()).to.match(
        /rewards_cashbacks_reviewed_total\{problem="result_lost"\} \d/,
      )
    })
  }

  it('are not made when they could last longer than their lease, and are not counted', async () => {
    const work = await crediting.requestOne(2_000)
    const stopFor = (byMs: number) =>
      databaseThat((statement) => {
        if (statement === 2) moveTime(byMs)
      })
    expect(await crediting.startOther({ database: stopFor(10_001) }).run(work)).to.equal('snoozed')
    expect(crediting.wallet().calls).to.have.length(0)
    expect(await crediting.read(work)).to.include({
      state: 'unknown',
      problem: 'not_called',
      attempts: 0,
      attemptUntil: null,
      walletAsked: null,
    })
    expect(await crediting.restsMs(work)).to.be.within(5_000, 6_001)
    expect(await crediting.startOther({ database: stopFor(10_000) }).run(work)).to.equal('done')
    expect(crediting.wallet().calls.map(({ attempt }) => attempt)).to.deep.equal([1])
    expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 1 })
  })

  it('are not made when another process has taken them over', async () => {
    const work = await crediting.requestOne(2_000)
    const database = databaseThat(async (statement) => {
      if (statement !== 2) return
      moveTime(12_001)
      expect(await crediting.run(work)).to.equal('snoozed')
      expect(await crediting.run(work)).to.equal('done')
    })
    expect(await crediting.startOther({ database }).run(work)).to.equal('nothing_to_do')
    expect(crediting.wallet().calls.map(({ attempt }) => attempt)).to.deep.equal([2])
    expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 2 })
  })

  it('are stopped immediately by the process that was refused, until an operator has looked', async () => {
    const { casinoId, works } = await crediting.request(60)
    crediting.wallet().behave({ status: 401, body: '' })
    const [first, ...others] = works
    if (first === undefined) throw new Error('no work')
    await crediting.run(first)
    expect(new Set(await Promise.all(others.map((work) => crediting.run(work))))).to.deep.equal(
      new Set(['snoozed']),
    )
    expect(crediting.wallet().calls).to.have.length(1)
    const rows = await crediting.database.cashback.findMany({ where: { casinoId, state: 'requested' } })
    expect(rows.map(({ attempts }) => attempts)).to.deep.equal(others.map(() => 0))
    for (const work of works.slice(0, 5)) {
      expect(await crediting.restsMs(work)).to.be.within(minuteMs, 5 * minuteMs)
    }

    crediting.wallet().behave('honest')
    const by = { actor: 'test', requestId: 'test' }
    await resumeSetting(
      { database: crediting.database, clock: crediting.clock },
      { casinoId, name: 'wallet', ...by },
    )
    await eventually('the process has heard of it', async () => (await crediting.run(first)) === 'done')
    const ended = await Promise.all(others.map((work) => crediting.run(work)))
    expect(ended.filter((result) => result === 'done')).to.have.length.above(20)
    expect(crediting.wallet().calls).to.have.length(
      1 + 1 + ended.filter((result) => result === 'done').length,
    )
  })
})
