import { expect } from 'chai'
import pg from 'pg'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import type { Config } from '../../../core/platform/config.ts'
import type { Database, Prisma } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { createFulfilOrder } from '../../../core/prize-order/fulfil-order.ts'
import type { FulfilOrderDeps } from '../../../core/prize-order/fulfil-order.ts'
import type { DueWork, JobReport } from '../../../core/queue/jobs.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestConfig } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { expectReadsById, planForAnyValues } from '../../support/plans.ts'
import { plannerOptions } from '../../support/read-plans.ts'
import { unlimitedSlots } from '../../support/unlimited-slots.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import type { Watch } from '../../support/watched-database.ts'
import { createWorkFactory } from '../../support/work.ts'

const now = new Date('2027-05-06T12:00:00Z')
const dayLater = new Date('2027-05-07T12:00:00Z')
const announced: JobReport = { result: 'done', outcome: 'pending_confirmation' }
const isAnnouncement = (statement: string) => /order_announced AS/.test(statement)

describe('new orders', () => {
  let config: Config
  let worker: ReturnType<typeof createWorkerDeps>
  let database: Database
  let warned: string[]

  const atEnd = atEndOfSuite()
  before(async () => {
    config = await createTestConfig('postgres')
    worker = createWorkerDeps(config)
    atEnd(() => worker.close())
    database = worker.deps.database
  })
  beforeEach(() => {
    warned = []
  })

  /** A worker's fulfilment, for which the casinos have these reminders. */
  const createFulfilment = (
    watch: Watch = {},
    remindersOf: (casinoId: string) => readonly number[] = () => [24, 72],
    of = database,
  ) => {
    const fulfilmentOf = (casinoId: string) => ({
      provider: { kind: 'manual' as const },
      reminderAfterHours: remindersOf(casinoId),
      called: undefined,
      client: undefined,
    })
    const deps: FulfilOrderDeps = {
      database: watchDatabase(of, watch),
      log: Object.assign(createLogger('test', 'silent'), {
        warn: (_details: object, message: string) => warned.push(message),
      }),
      clock: { now: () => now },
      handOver: () => undefined,
      cipher: createEnvelopeCipher(config.encryptionKeys),
      findFulfilment: (casinoIds) =>
        Promise.resolve(new Map(casinoIds.map((id) => [id, { value: fulfilmentOf(id) }]))),
      slots: unlimitedSlots,
      names: worker.deps.partnerNames,
      random: () => 0,
      onIgnored: () => undefined,
      pauseProvider: () => Promise.resolve(),
      onCall: () => undefined,
    }
    const fulfilOrder = createFulfilOrder(deps)
    return (work: DueWork) => fulfilOrder(work, newHolder())
  }
  const place = async (count: number): Promise<[DueWork, ...DueWork[]]> => {
    const [first, ...others] = await createWorkFactory(database, config).orders(count)
    if (first === undefined) throw new Error('no work')
    return [first, ...others]
  }
  const unnamed = ({ jobName, outboxId, objectId }: DueWork): DueWork => ({ jobName, outboxId, objectId })
  const read = ({ objectId }: DueWork) => database.prizeOrder.findUniqueOrThrow({ where: { id: objectId } })
  const outboxOf = ({ outboxId }: DueWork) => database.outbox.findUnique({ where: { id: BigInt(outboxId) } })
  const historyOf = ({ objectId }: DueWork) =>
    database.event.findMany({
      where: { objectType: 'prize_order', objectId },
      orderBy: { sequence: 'asc' },
    })
  const typesOf = async (work: DueWork) => (await historyOf(work)).map(({ type }) => type)
  const placedAndAnnounced = ['prize_order.placed', 'prize_order.confirmation_requested']

  it('are announced by one statement, and not loaded', async () => {
    const works = await place(3)
    const statements: string[] = []
    const run = createFulfilment({ before: (statement) => statements.push(statement) })
    expect(await Promise.all(works.map(run))).to.deep.equal([announced, announced, announced])
    expect(statements.map(isAnnouncement)).to.deep.equal([true])
    for (const work of works) expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
  })

  it('are the same afterwards as those that were loaded', async () => {
    const [ours, loaded] = (await place(2)) as [DueWork, DueWork]
    const rowsOf = async (work: DueWork) => {
      const { id, prizeId, playerId, deliveryCiphertext, deliveryKey, ...order } = await read(work)
      const events = (await historyOf(work)).map((event) => ({ ...event, id: 0, objectId: '', txid: 0 }))
      return {
        ids: [id, prizeId, playerId, deliveryCiphertext, deliveryKey].length,
        order,
        events,
        work: { ...(await outboxOf(work)), id: 0, objectId: '' },
      }
    }
    const run = createFulfilment()
    expect(await run(ours)).to.deep.equal(announced)
    expect(await run(unnamed(loaded))).to.deep.equal(announced)
    const rows = await rowsOf(ours)
    expect(rows).to.deep.equal(await rowsOf(loaded))
    expect(rows.order).to.include({ state: 'pending_confirmation', revision: 2 })
    expect(rows.order).to.deep.include({ announcedAt: now, updatedAt: now })
    expect(rows.work).to.deep.include({ dueAt: dayLater, snoozedUntil: dayLater, relayed: 1 })
  })

  it('are announced once, however many jobs and processes do the work', async () => {
    const works = await place(8)
    const processes = [createFulfilment(), createFulfilment(), createFulfilment()]
    const reports = await Promise.all(processes.flatMap((run) => [...works, ...works].map(run)))
    expect(reports.filter(({ result }) => result === 'done')).to.have.length(8)
    expect(new Set(reports.map(({ result }) => result))).to.deep.equal(new Set(['done', 'snoozed']))
    for (const work of works) expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
  })

  it('are loaded where a job names no casino, as those of an earlier release, or another one', async () => {
    const [unnamedOne, foreign] = (await place(2)) as [DueWork, DueWork]
    const [{ casinoId: otherId }] = await place(1)
    if (otherId === undefined) throw new Error('work without a casino')
    const announcing: string[] = []
    const run = createFulfilment(
      { before: (statement) => announcing.push(isAnnouncement(statement) ? 'announcement' : 'other') },
      (casinoId) => (casinoId === otherId ? [1] : [24]),
    )
    expect(await run(unnamed(unnamedOne))).to.deep.equal(announced)
    expect(announcing).to.not.include('announcement')
    expect(await run({ ...foreign, casinoId: otherId })).to.deep.equal(announced)
    expect(announcing).to.include('announcement')
    for (const work of [unnamedOne, foreign]) {
      expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
      expect(await outboxOf(work)).to.deep.include({ dueAt: dayLater })
    }
  })

  it('are loaded for a casino without reminders, and their work ends', async () => {
    const [work] = await place(1)
    expect(await createFulfilment({}, () => [])(work)).to.deep.equal(announced)
    expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
    expect(await outboxOf(work)).to.equal(null)
  })

  it('are left alone when the work has ended or is snoozed', async () => {
    const [ended, snoozed] = (await place(2)) as [DueWork, DueWork]
    await database.outbox.delete({ where: { id: BigInt(ended.outboxId) } })
    await database.outbox.update({
      where: { id: BigInt(snoozed.outboxId) },
      data: { snoozedUntil: dayLater, dueAt: dayLater },
    })
    const reports = await Promise.all([ended, snoozed].map(createFulfilment()))
    expect(reports.map(({ result }) => result)).to.deep.equal(['nothing_to_do', 'snoozed'])
    for (const work of [ended, snoozed]) expect(await typesOf(work)).to.deep.equal(['prize_order.placed'])
  })

  it('are not those to which something has happened, or which a person has changed by hand', async () => {
    const works = await place(4)
    const [confirmed, corrected, byHand, told] = works as [DueWork, DueWork, DueWork, DueWork]
    const change = (work: DueWork, data: Prisma.PrizeOrderUpdateInput) =>
      database.prizeOrder.update({ where: { id: work.objectId }, data })
    await change(confirmed, { state: 'confirmed', revision: 2 })
    await change(corrected, { revision: 3 })
    await change(byHand, { state: 'cancelled', endedAt: now })
    await change(told, { announcedAt: now })
    const reports = await Promise.all(works.map(createFulfilment()))
    expect(reports.map(({ outcome }) => outcome)).to.deep.equal([
      'submitted',
      'pending_confirmation',
      'nothing_to_do: cancelled',
      'snoozed: pending_confirmation',
    ])
    expect(await Promise.all(works.map(typesOf))).to.deep.equal([
      ['prize_order.placed', 'prize_order.submitted'],
      placedAndAnnounced,
      ['prize_order.placed'],
      ['prize_order.placed'],
    ])
    expect(await read(corrected)).to.include({ revision: 4 })
    expect(warned).to.deep.equal([])
  })

  it('are announced beside one that the database refuses, and its job fails', async () => {
    const works = await place(3)
    const [refused, ...others] = works
    await database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
      SELECT casino_id, 'prize_order', id, 2, 'by hand', state, 'test', now()
        FROM prize_order WHERE id = ${refused.objectId}::text`
    const results = await Promise.allSettled(works.map(createFulfilment()))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
    expect(await read(refused)).to.include({ revision: 1, announcedAt: null })
    for (const work of others) expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
  })

  it('are not announced by a statement of unknown effect and its repetition both', async () => {
    const works = await place(2)
    let isLost = false
    const run = createFulfilment({
      after: (statement) => {
        if (isLost || !isAnnouncement(statement)) return
        isLost = true
        throw new Error('the connection was lost')
      },
    })
    const results = await Promise.allSettled(works.map(run))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect((await Promise.all(works.map(run))).map(({ result }) => result)).to.deep.equal([
      'snoozed',
      'snoozed',
    ])
    for (const work of works) expect(await typesOf(work)).to.deep.equal(placedAndAnnounced)
  })

  it('are announced without waiting for a locked one, which is decided by its new state', async () => {
    const [moved, other] = (await place(2)) as [DueWork, DueWork]
    let announcedAtOnce = 0
    const run = createFulfilment({
      after: (statement, rows) => {
        if (isAnnouncement(statement)) announcedAtOnce += rows.length
      },
    })
    let reports: Promise<PromiseSettledResult<JobReport>[]> = Promise.resolve([])
    await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`
        UPDATE prize_order SET state = 'cancelled', revision = 2, ended_at = now() WHERE id = ${moved.objectId}::text`
      reports = Promise.allSettled([run(other), run(moved)])
      await eventually('the other is announced', async () => (await read(other)).announcedAt !== null)
    })
    expect((await reports)[0]).to.deep.equal({ status: 'fulfilled', value: announced })
    expect([announcedAtOnce, warned.includes('works could not be done unloaded')]).to.deep.equal([1, false])
    expect(await run(moved)).to.include({ result: 'nothing_to_do' })
    expect(await typesOf(moved)).to.deep.equal(['prize_order.placed'])
    expect(await typesOf(other)).to.deep.equal(placedAndAnnounced)
  })

  it('are found by key, also by a plan that was made while there were none, two or a few', async () => {
    const own = await createTestConfig('postgres')
    const fresh = createWorkerDeps(own)
    const client = new pg.Client({ connectionString: own.databaseUrl, options: plannerOptions })
    await client.connect()
    try {
      const factory = createWorkFactory(fresh.deps.database, own)
      let text = ''
      const run = createFulfilment(
        {
          before: (statement, query) => {
            if (isAnnouncement(statement)) text = query.text
          },
        },
        undefined,
        fresh.deps.database,
      )
      const expectKeys = async (when: string) => {
        const steps = await planForAnyValues(client, text)
        expectReadsById(steps, { tables: ['prize_order'], reads: 2, when })
      }
      for (const work of await factory.orders(2)) expect(await run(work)).to.deep.equal(announced)
      await expectKeys('never analysed')
      await client.query('ANALYZE')
      await expectKeys('two that are announced')
      await factory.orders(3)
      await client.query('ANALYZE')
      await expectKeys('five, of which three wait')
      await factory.orders(60)
      await client.query('ANALYZE')
      await expectKeys('many that wait')
    } finally {
      await client.end()
      await fresh.close()
    }
  })
})
