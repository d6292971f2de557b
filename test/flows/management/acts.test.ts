import { expect } from 'chai'
import { createCarryOutAct } from '../../../core/act/carry-out-act.ts'
import { createCarryOut } from '../../../core/act/carry-out-objects.ts'
import { expireActs } from '../../../core/act/expire-acts.ts'
import { getAct } from '../../../core/act/read-acts.ts'
import { takeObjects } from '../../../core/act/take-objects.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import type { JobPayload } from '../../../core/queue/jobs.ts'
import { asAdmin, placeOrders, preview, resultsOf, signIn, stateOf } from '../../support/acts.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { itInLongForm } from '../../support/runs.ts'

describe('acts', function () {
  this.timeout(90_000)
  let service: TestService
  let casino: TestCasino
  let key: TestOperator

  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    // Work of earlier tests would be taken up by the workers of this one.
    await service.database.outbox.deleteMany()
    casino = await service.factory.casino()
    key = createOperator(service.client, casino.apiKey)
  })

  const start = async (actId: string, operator = key) => {
    const reply = await operator.post(`/${casino.id}/acts/${actId}/start`, { reason: 'a test' })
    expect(stateOf(reply), reply.text).to.equal('running')
  }
  const stop = (actId: string) => key.post(`/${casino.id}/acts/${actId}/stop`, { reason: 'a mistake' })
  const show = (actId: string) => key.get(`/${casino.id}/acts/${actId}`)
  const jobOf = async (actId: string): Promise<JobPayload> => {
    const row = await service.database.outbox.findFirstOrThrow({
      where: { jobName: 'carry-out-act', objectId: actId },
    })
    return { outboxId: String(row.id), objectId: actId }
  }
  const run = (job: JobPayload) => createCarryOutAct(service.deps)(job, newHolder())
  const statesOf = async (orderIds: readonly string[]) => {
    const orders = await service.database.prizeOrder.findMany({ where: { id: { in: [...orderIds] } } })
    return new Set(orders.map(({ state }) => state))
  }
  /** The confirmations in the history of the casino's orders, by the request that caused them. */
  const confirmations = () =>
    service.database.event.findMany({ where: { casinoId: casino.id, type: 'prize_order.confirmed' } })

  for (const backend of queuesOfProcesses) {
    itInLongForm(
      `are finished by another worker when one is killed during them, each object once (${backend})`,
      async () => {
        const own = await startService({ backend })
        atTestEnd(() => own.stop())
        casino = await own.factory.casino()
        key = createOperator(own.client, casino.apiKey)
        const orderIds = await placeOrders(own, casino, 160)
        await own.database.outbox.deleteMany()
        const actId = await preview(key, casino, 'order.confirm', orderIds)
        // Their worker dies between carrying the action out and saying so.
        await own.database.$executeRawUnsafe(`
        CREATE FUNCTION refuse_results() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the worker dies here'; END $$`)
        await own.database.$executeRawUnsafe(`
        CREATE TRIGGER no_results BEFORE UPDATE OF done_count ON act
        FOR EACH ROW WHEN (NEW.done_count > 50) EXECUTE FUNCTION refuse_results()`)
        const first = await startProcess('worker', own.env)
        atTestEnd(() => first.kill())
        await start(actId)
        await eventually('a second batch was carried out and not recorded', async () => {
          const confirmed = await own.database.prizeOrder.count({
            where: { casinoId: casino.id, state: { not: 'pending_confirmation' } },
          })
          return confirmed >= 100
        })
        await first.kill()
        expect((await resultsOf(own, actId))['done']).to.equal(50)
        await own.database.$executeRawUnsafe('DROP TRIGGER no_results ON act')
        const second = await startProcess('worker', { ...own.env, RESCUE_AFTER_SECONDS: '1' })
        atTestEnd(() => second.kill())
        await eventually('the act is done', async () => stateOf(await show(actId)) === 'done')
        expect(await resultsOf(own, actId)).to.deep.equal({ done: 160 })
        const { requestId } = await getAct(own.database, casino.id, actId)
        const events = await own.database.event.findMany({
          where: { casinoId: casino.id, type: 'prize_order.confirmed' },
        })
        expect(new Set(events.map(({ objectId }) => objectId)).size).to.equal(160)
        expect(events.length).to.equal(160)
        expect(new Set(events.map((event) => event.requestId))).to.deep.equal(new Set([requestId]))
        expect(await own.database.idempotencyRecord.count({ where: { operation: 'act' } })).to.equal(0)
      },
    )
  }

  it('change each object once when several workers run the same act', async () => {
    const orderIds = await placeOrders(service, casino, 120)
    const actId = await preview(key, casino, 'order.confirm', orderIds)
    await start(actId)
    const job = await jobOf(actId)
    await Promise.allSettled([run(job), run(job), run(job)])
    await run(job)
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 120 })
    expect(at(await show(actId), 'data.progress')).to.deep.equal({
      objects: 120,
      waiting: 0,
      done: 120,
      refused: 0,
      skipped: 0,
    })
    expect((await confirmations()).length).to.equal(120)
  })

  it('do nothing when the job runs again after the end', async () => {
    const orderIds = await placeOrders(service, casino, 3)
    const actId = await preview(key, casino, 'order.confirm', orderIds)
    await start(actId)
    const job = await jobOf(actId)
    expect((await run(job)).result).to.equal('done')
    expect(stateOf(await show(actId))).to.equal('done')
    const ended = await getAct(service.database, casino.id, actId)
    expect((await run(job)).result).to.equal('nothing_to_do')
    expect(await getAct(service.database, casino.id, actId)).to.deep.equal(ended)
    expect((await confirmations()).length).to.equal(3)
  })

  it('change no more objects after a stop was answered, however late a worker continues', async () => {
    const orderIds = await placeOrders(service, casino, 4)
    const actId = await preview(key, casino, 'order.confirm', orderIds)
    await start(actId)
    const job = await jobOf(actId)
    const act = await getAct(service.database, casino.id, actId)
    const taken = await takeObjects(service.database, { casinoId: casino.id, actId })
    expect(taken.length).to.equal(4)
    // A worker has carried out one of its objects, and hangs.
    const [first, ...others] = taken
    if (first === undefined) throw new Error('nothing was taken')
    const carryOut = createCarryOut(service.deps)
    expect('value' in ((await carryOut(act, [first]))[0] ?? {})).to.equal(true)
    expect(stateOf(await stop(actId))).to.equal('stopped')
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 1, skipped: 3 })
    for (const late of await carryOut(act, others)) expect('error' in late).to.equal(true)
    expect(await statesOf(others.map(({ objectId }) => objectId))).to.deep.equal(
      new Set(['pending_confirmation']),
    )
    expect((await run(job)).result).to.equal('done')
    expect(await service.database.outbox.count({ where: { objectId: actId } })).to.equal(0)
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 1, skipped: 3 })
  })

  it('are stopped completely by a worker when the API dies during a stop', async () => {
    const orderIds = await placeOrders(service, casino, 2)
    const actId = await preview(key, casino, 'order.confirm', orderIds)
    await start(actId)
    const job = await jobOf(actId)
    await service.database.act.update({ where: { id: actId }, data: { state: 'stopping' } })
    await run(job)
    expect(stateOf(await show(actId))).to.equal('stopped')
    expect(await resultsOf(service, actId)).to.deep.equal({ skipped: 2 })
    expect(await service.database.outbox.count({ where: { objectId: actId } })).to.equal(0)
  })

  it('skip an object that has changed since the preview', async () => {
    const orderIds = await placeOrders(service, casino, 3)
    const actId = await preview(key, casino, 'order.hold', orderIds, { hold_reason: 'kyc_pending' })
    const changed = orderIds[1] ?? ''
    expect((await key.post(`/${casino.id}/orders/${changed}/confirm`)).status).to.equal(200)
    await start(actId)
    await run(await jobOf(actId))
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 2, revision_changed: 1 })
    const refused = await key.get(`/${casino.id}/acts/${actId}/objects?state=refused`)
    expect(at(refused, 'data.0.object_id')).to.equal(changed)
    expect(at(refused, 'data.0.message')).to.match(/it is now confirmed/)
    const order = await key.get(`/${casino.id}/orders/${changed}`)
    expect(at(order, 'data.open_holds') ?? []).to.deep.equal([])
  })

  it('stop when the operator who made them is disabled while they run', async () => {
    const person = await signIn(service, 'support', [casino.id])
    const orderIds = await placeOrders(service, casino, 3)
    const actId = await preview(person, casino, 'order.confirm', orderIds)
    await start(actId, person)
    await service.database.operator.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
    await run(await jobOf(actId))
    expect(at(await show(actId), 'data.stopped_by')).to.equal('worker')
    expect(await resultsOf(service, actId)).to.deep.equal({ skipped: 3 })
    expect(await statesOf(orderIds)).to.deep.equal(new Set(['pending_confirmation']))
  })

  it('send an event again once, although the worker dies before it can record that', async () => {
    await key.put(`/${casino.id}/webhook-endpoints/crm`, {
      url: 'https://203.0.113.1/hook',
      event_types: ['prize.*'],
    })
    const { prizeId } = await service.factory.prize(casino.id)
    const event = await service.database.event.findFirstOrThrow({ where: { objectId: prizeId } })
    await service.database.webhookEndpoint.updateMany({
      where: { casinoId: casino.id },
      data: { cursorTxid: event.txid, cursorEventId: event.id },
    })
    const actId = await preview(asAdmin(service), casino, 'event.replay', [`evt_${String(event.id)}`])
    await start(actId, asAdmin(service))
    const job = await jobOf(actId)
    const act = await getAct(service.database, casino.id, actId)
    await createCarryOut(service.deps)(
      act,
      await takeObjects(service.database, { casinoId: casino.id, actId }),
    )
    await service.database.webhookDelivery.updateMany({
      where: { casinoId: casino.id },
      data: { state: 'delivered' },
    })
    await run(job)
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 1 })
    expect(await service.database.webhookDelivery.count({ where: { casinoId: casino.id } })).to.equal(1)
  })

  it('expire when no operator starts or approves them in time, and leave all objects unchanged', async () => {
    const orderIds = await placeOrders(service, casino, 3)
    const late = await preview(key, casino, 'order.confirm', orderIds)
    const early = await preview(key, casino, 'order.confirm', orderIds)
    await service.database.act.update({ where: { id: late }, data: { expiresAt: new Date(Date.now() - 1) } })
    const { database, deps } = service
    while ((await expireActs({ database, clock: deps.clock, log: deps.log })) > 0);
    expect(stateOf(await show(late))).to.equal('expired')
    expect(at(await show(late), 'data.progress')).to.include({ objects: 3, waiting: 0, skipped: 3 })
    expect(at(await show(late), 'data.ended_at')).to.be.a('string')
    expect(stateOf(await show(early))).to.equal('previewed')
    expect(await resultsOf(service, late)).to.deep.equal({ skipped: 3 })
    expect(await statesOf(orderIds)).to.deep.equal(new Set(['pending_confirmation']))
    expect(stateOf(await key.post(`/${casino.id}/acts/${late}/start`, { reason: 'too late' }))).to.equal(
      'act_expired',
    )
  })
})
