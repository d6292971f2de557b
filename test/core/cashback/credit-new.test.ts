import { expect } from 'chai'
import pg from 'pg'
import { putSetting } from '../../../core/casino/change-settings.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { sql } from '../../../core/platform/sql.ts'
import type { DueWork, WorkResult } from '../../../core/queue/jobs.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { eventually } from '../../support/eventually.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'
import { expectReadsById, planForAnyValues, stepsOf } from '../../support/plans.ts'
import type { PlannedStep } from '../../support/plans.ts'
import { plannerOptions } from '../../support/read-plans.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { createWorkFactory } from '../../support/work.ts'

const isCredit = (statement: string) => /cashback_credited AS/.test(statement)
const isUpdateOfPrizes = (step: PlannedStep) =>
  step['Node Type'] === 'ModifyTable' && step['Relation Name'] === 'prize'

describe('new cashbacks of the service’s own ledger', () => {
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

  const request = async (count: number): Promise<[DueWork, ...DueWork[]]> => {
    const [first, ...others] = await createWorkFactory(crediting.database, crediting.config).cashbacks(count)
    if (first === undefined) throw new Error('no work')
    return [first, ...others]
  }
  const statesOf = (works: readonly DueWork[]) =>
    Promise.all(works.map(async (work) => (await crediting.read(work)).state))
  /** A worker's crediting: the statements that it sends, the cashbacks that it credits without a load, and its warnings. */
  const watched = (before?: (statement: string) => unknown) => {
    const statements: string[] = []
    const unloaded: unknown[] = []
    const warned: string[] = []
    const database = watchDatabase(crediting.database, {
      before: (statement) => {
        statements.push(isCredit(statement) ? 'credit' : 'other')
        return before?.(statement)
      },
      after: (statement, rows) => {
        if (isCredit(statement)) unloaded.push(...rows)
      },
    })
    const log = Object.assign(createLogger('test', 'silent'), {
      warn: (_details: object, message: string) => warned.push(message),
    })
    return { statements, unloaded, warned, run: crediting.startOther({ database, log }).run }
  }

  it('are credited by one statement, and not loaded', async () => {
    const works = await request(3)
    const { statements, run } = watched()
    expect(await Promise.all(works.map(run))).to.deep.equal(['done', 'done', 'done'])
    expect(statements).to.deep.equal(['credit'])
    for (const work of works) {
      expect(await crediting.read(work)).to.include({
        state: 'credited',
        revision: 2,
        wallet: 'ledger',
        attempts: 0,
      })
      expect(await crediting.prizeOf(work)).to.include({ state: 'cashed_back', revision: 3 })
      expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
      expect(await crediting.typesOf(work)).to.deep.equal(['requested', 'credited'])
      expect(await crediting.typesOf(work, 'prize')).to.deep.equal(['won', 'cashback_pending', 'cashed_back'])
      expect(await crediting.outboxOf(work)).to.equal(null)
    }
    const { casinoId } = await crediting.read(works[0])
    expect(await balancesOf(crediting.database, casinoId)).to.deep.equal({
      casino_cashback: -1_500,
      player_wallet: 1_500,
    })
  })

  it('are credited once, however many jobs and processes do the work', async () => {
    const works = await request(8)
    const processes = [watched(), watched(), watched()]
    const results = await Promise.all(processes.flatMap(({ run }) => [...works, ...works].map(run)))
    expect(results.filter((result) => result === 'done')).to.have.length(8)
    expect(new Set(results)).to.deep.equal(new Set(['done', 'nothing_to_do']))
    for (const work of works) {
      expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
      expect(await crediting.typesOf(work)).to.deep.equal(['requested', 'credited'])
    }
  })

  it('are loaded where a job does not name its casino, as those of an earlier release', async () => {
    const [{ jobName, outboxId, objectId }] = await request(1)
    const work = { jobName, outboxId, objectId }
    const { statements, run } = watched()
    expect(await run(work)).to.equal('done')
    expect(statements).to.not.include('credit')
    expect(await statesOf([work])).to.deep.equal(['credited'])
  })

  it('are left alone when the work has ended, also if a job says otherwise', async () => {
    const [work] = await request(1)
    await crediting.database.outbox.delete({ where: { id: BigInt(work.outboxId) } })
    expect(await crediting.run(work)).to.equal('nothing_to_do')
    expect(await statesOf([work])).to.deep.equal(['requested'])
  })

  it('are credited only for casinos with the service’s ledger, also if a job names another casino', async () => {
    const ours = await request(1)
    const theirs = await crediting.requestOne()
    const { casinoId } = ours[0]
    if (casinoId === undefined) throw new Error('work without a casino')
    crediting.wallet().behave({ status: 500, body: '' })
    expect(await crediting.run({ ...theirs, casinoId })).to.equal('snoozed')
    expect(await crediting.read(theirs)).to.include({ state: 'unknown', attempts: 1 })
    expect(await postingsOf(crediting.database, theirs.objectId)).to.deep.equal(['reserve'])
  })

  it('are not those that a person has changed by hand', async () => {
    const [stopped, changed, returned] = (await request(3)) as [DueWork, DueWork, DueWork]
    const { database } = crediting
    await database.$executeRaw`
      UPDATE cashback SET state = 'manual_review' WHERE id = ${stopped.objectId}::text`
    await database.$executeRaw`UPDATE cashback SET revision = 2 WHERE id = ${changed.objectId}::text`
    const { prizeId } = await crediting.read(returned)
    await database.$executeRaw`UPDATE prize SET state = 'won' WHERE id = ${prizeId}::text`
    const { run, statements, unloaded } = watched()
    const [ofStopped, ofChanged, ofReturned] = await Promise.allSettled([stopped, changed, returned].map(run))
    expect(ofStopped).to.deep.equal({ status: 'fulfilled', value: 'nothing_to_do' })
    expect(ofChanged).to.deep.equal({ status: 'fulfilled', value: 'done' })
    expect(ofReturned).to.have.nested.property('reason.code', 'transition_illegal')
    expect(statements).to.include('credit')
    expect(unloaded).to.deep.equal([])
    for (const work of [stopped, returned]) {
      expect(await postingsOf(database, work.objectId)).to.deep.equal(['reserve'])
    }
  })

  it('are not those to which something has happened', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({ status: 500, body: '' })
    expect(await crediting.run(work)).to.equal('snoozed')
    const { casinoId } = await crediting.read(work)
    const { database, clock, config } = crediting
    const toLedger = {
      casinoId,
      name: 'wallet',
      value: { kind: 'ledger' },
      secret: 'none',
      actor: 'test',
      requestId: 'test',
    } as const
    await putSetting({ database, clock, cipher: createEnvelopeCipher(config.encryptionKeys) }, toLedger)
    await crediting.restart()
    expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'wallet_changed' })
  })

  it('are credited beside one that the database refuses, and its job fails', async () => {
    const works = await request(3)
    const [refused, ...others] = works
    await crediting.database.$executeRaw`
      INSERT INTO ledger_transaction (id, casino_id, kind, cashback_id, created_at)
      SELECT 'by hand ' || id, casino_id, 'cashback_void', id, now() FROM cashback WHERE id = ${refused.objectId}::text`
    const results = await Promise.allSettled(works.map((work) => crediting.run(work)))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
    expect(await statesOf(works)).to.deep.equal(['requested', 'credited', 'credited'])
    expect(await crediting.outboxOf(refused)).not.to.equal(null)
    for (const work of others) expect(await crediting.outboxOf(work)).to.equal(null)
  })

  it('are not credited by a statement of unknown effect and its repetition both', async () => {
    const works = await request(2)
    let isLost = false
    const database = watchDatabase(crediting.database, {
      after: (statement) => {
        if (isLost || !isCredit(statement)) return
        isLost = true
        throw new Error('the connection was lost')
      },
    })
    const { run } = crediting.startOther({ database })
    const results = await Promise.allSettled(works.map(run))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(await Promise.all(works.map(run))).to.deep.equal(['nothing_to_do', 'nothing_to_do'])
    for (const work of works) {
      expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
    }
  })

  const locks = {
    prize: (casinoId: string, { prizeId }: { prizeId: string }) =>
      sql`UPDATE prize SET updated_at = now() WHERE casino_id = ${casinoId}::text AND id = ${prizeId}::text`,
    cashback: (_casinoId: string, { id }: { id: string }) =>
      sql`UPDATE cashback SET state = 'manual_review', revision = 2 WHERE id = ${id}::text`,
  }
  for (const [locked, lock] of Object.entries(locks)) {
    it(`are credited without waiting for one whose ${locked} is locked, which is decided by its new state`, async () => {
      const [moved, other] = (await request(2)) as [DueWork, DueWork]
      const cashback = await crediting.read(moved)
      const { run, unloaded, warned } = watched()
      let credits: Promise<PromiseSettledResult<WorkResult>[]> = Promise.resolve([])
      await crediting.database.$transaction(async (transaction) => {
        await transaction.$executeRaw(lock(cashback.casinoId, cashback))
        credits = Promise.allSettled([run(other), run(moved)])
        await eventually('the other is credited', () => unloaded.length === 1)
        expect(await statesOf([other])).to.deep.equal(['credited'])
        expect(warned).to.deep.equal([])
      })
      expect((await credits)[0]).to.deep.equal({ status: 'fulfilled', value: 'done' })
      await crediting.run(moved)
      const [state, postings] =
        locked === 'prize' ? ['credited', ['credit', 'reserve']] : ['manual_review', ['reserve']]
      expect(await statesOf([moved, other])).to.deep.equal([state, 'credited'])
      expect(await postingsOf(crediting.database, moved.objectId)).to.deep.equal(postings)
    })
  }

  it('are credited in one batch with cashbacks of a wallet', async () => {
    const [ours, other] = (await request(2)) as [DueWork, DueWork]
    const theirs = await crediting.requestOne()
    const results = await Promise.all([ours, theirs, other].map((work) => crediting.run(work)))
    expect(results).to.deep.equal(['done', 'done', 'done'])
    const wallets = await Promise.all(
      [ours, theirs, other].map(async (work) => (await crediting.read(work)).wallet),
    )
    expect(wallets).to.deep.equal(['ledger', 'http', 'ledger'])
    expect(crediting.wallet().calls).to.have.length(1)
  })

  it('are found by key, also by a plan that was made while there were none, two or a few', async () => {
    const own = await createCrediting()
    const client = new pg.Client({ connectionString: own.config.databaseUrl, options: plannerOptions })
    try {
      await client.connect()
      await own.begin()
      const factory = createWorkFactory(own.database, own.config)
      let text = ''
      const { run } = own.startOther({
        database: watchDatabase(own.database, {
          before: (statement, query) => {
            if (isCredit(statement)) text = query.text
          },
        }),
      })
      const expectKeys = async (when: string) => {
        const steps = await planForAnyValues(client, text)
        // All operations share the step that moves prizes: pool.ts bounds how long its plan is kept.
        const moving = steps.find(isUpdateOfPrizes)?.Plans?.flatMap(stepsOf) ?? []
        expectReadsById(
          steps.filter((step) => !moving.includes(step)),
          { tables: ['cashback', 'prize', 'outbox'], reads: 7, when },
        )
      }
      for (const work of await factory.cashbacks(2)) expect(await run(work)).to.equal('done')
      await expectKeys('never analysed')
      await client.query('ANALYZE')
      await expectKeys('two that are credited')
      await factory.cashbacks(3)
      await client.query('ANALYZE')
      await expectKeys('five, of which three wait')
      await factory.cashbacks(60)
      await client.query('ANALYZE')
      await expectKeys('many that wait')
    } finally {
      await client.end()
      await own.end()
      await own.close()
    }
  })
})
