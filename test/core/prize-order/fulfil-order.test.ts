import { expect } from 'chai'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import type { CancelOutcome, SubmitOutcome } from '../../../core/partner/provider-outcome.ts'
import type { Config } from '../../../core/platform/config.ts'
import { createFulfilOrder } from '../../../core/prize-order/fulfil-order.ts'
import type { CasinoFulfilment } from '../../../core/prize-order/casino-fulfilment.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { PartnerNames } from '../../../core/partner/names.ts'
import { unlimitedSlots } from '../../support/unlimited-slots.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestConfig } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createWorkFactory } from '../../support/work.ts'

const start = new Date('2027-05-06T12:00:00Z')
const timeoutMs = 1_000
const pollMs = 3_600_000

describe('fulfilling an order', () => {
  let config: Config
  let worker: ReturnType<typeof createWorkerDeps>
  let now = start
  /** How much time goes by while the address is opened, after the attempt was committed. */
  let openingMs = 0
  let calls: string[] = []
  let submit: () => Promise<SubmitOutcome>
  let cancel: () => Promise<CancelOutcome>

  const atEnd = atEndOfSuite()
  before(async () => {
    config = await createTestConfig('postgres')
    worker = createWorkerDeps(config, { clock: { now: () => now } })
    atEnd(() => worker.close())
  })
  beforeEach(() => {
    now = start
    openingMs = 0
    calls = []
    submit = () => Promise.resolve({ kind: 'accepted', reference: null })
    cancel = () => Promise.resolve({ kind: 'cancelled' })
  })

  const reachable: PartnerNames = { known: () => 'found', lookUp: () => Promise.resolve() }
  const createFulfilment = (names = reachable) => {
    const cipher = createEnvelopeCipher(config.encryptionKeys)
    const note = (call: string) => {
      calls.push(call)
    }
    const fulfilment: CasinoFulfilment = {
      provider: { kind: 'http', id: 'a', isPaused: false, timeoutMs, pollMs },
      reminderAfterHours: [],
      called: { url: 'https://provider.test/', timeoutMs, pollMs, revision: 1 },
      client: {
        submit: () => (note('submit'), submit()),
        cancel: () => (note('cancel'), cancel()),
        askStatus: () => (note('poll'), Promise.resolve({ kind: 'shipment_update', update: null })),
      },
    }
    const fulfilOrder = createFulfilOrder({
      database: worker.deps.database,
      log: worker.deps.log,
      clock: { now: () => now },
      handOver: () => undefined,
      cipher: {
        ...cipher,
        open: (...sealed) => {
          now = new Date(now.getTime() + openingMs)
          return cipher.open(...sealed)
        },
      },
      findFulfilment: (casinoIds) =>
        Promise.resolve(new Map(casinoIds.map((id) => [id, { value: fulfilment }]))),
      slots: unlimitedSlots,
      names,
      random: () => 0,
      onIgnored: () => undefined,
      pauseProvider: () => Promise.resolve(),
      onCall: () => undefined,
    })
    return { run: (work: DueWork) => fulfilOrder(work, newHolder()) }
  }
  const confirmedOrder = async () => {
    const [work] = await createWorkFactory(worker.deps.database, config).orders(1)
    if (work === undefined) throw new Error('no work')
    await worker.deps.database.prizeOrder.update({
      where: { id: work.objectId },
      data: { state: 'confirmed' },
    })
    return work
  }
  const read = ({ objectId }: DueWork) =>
    worker.deps.database.prizeOrder.findUniqueOrThrow({ where: { id: objectId } })
  const outboxOf = ({ outboxId }: DueWork) =>
    worker.deps.database.outbox.findUnique({ where: { id: BigInt(outboxId) } })
  /** As the relay does with work whose rest is over. */
  const wake = async (work: DueWork) => {
    const resting = await outboxOf(work)
    now = new Date(Math.max(now.getTime(), resting?.snoozedUntil?.getTime() ?? 0))
    await worker.deps.database.outbox.update({
      where: { id: BigInt(work.outboxId) },
      data: { snoozedUntil: null },
    })
  }

  /** The lease of the first call ends before its answer, so another one is made. */
  const callTwice = async (work: DueWork, made: readonly unknown[]) => {
    const first = createFulfilment().run(work)
    await eventually('the first call is made', () => made.length === 1)
    const { state } = await read(work)
    await wake(work)
    expect(await createFulfilment().run(work)).to.include({ outcome: state })
    await wake(work)
    const second = createFulfilment().run(work)
    await eventually('the second call is made', () => made.length === 2)
    return { first, second, underWay: await read(work), resting: await outboxOf(work) }
  }

  it('makes no call that might outlast its lease', async () => {
    const work = await confirmedOrder()
    openingMs = 60_000
    expect(await createFulfilment().run(work)).to.include({ result: 'snoozed', outcome: 'not_made' })
    expect(calls).to.deep.equal([])
    // Nobody was asked: the attempt does not count, and the next one comes within seconds.
    expect(await read(work)).to.deep.include({
      state: 'confirmed',
      attempts: 0,
      attemptUntil: null,
      providerAsked: null,
    })
    openingMs = 0
    await wake(work)
    expect(await createFulfilment().run(work)).to.include({ result: 'snoozed', outcome: 'accepted' })
    expect(calls).to.deep.equal(['submit'])
    expect(await read(work)).to.deep.include({ state: 'submitted', attempts: 0 })
  })

  it('looks up the name of a provider before the attempt, and makes none while the name does not resolve', async () => {
    const work = await confirmedOrder()
    const looked: string[] = []
    const leadingTo = (found: 'found' | 'unknown') => ({
      known: () => (looked.length === 0 ? undefined : found),
      lookUp: async (_: string, url: string) => {
        expect((await read(work)).attempts, 'attempts before the look-up').to.equal(0)
        looked.push(url)
      },
    })
    const snoozed = { result: 'snoozed', outcome: 'snoozed: confirmed' }
    expect(await createFulfilment(leadingTo('unknown')).run(work)).to.include(snoozed)
    expect(await read(work)).to.deep.include({
      state: 'confirmed',
      attempts: 0,
      attemptUntil: null,
      providerAsked: null,
    })
    expect([looked, calls]).to.deep.equal([['https://provider.test/'], []])
    await wake(work)
    looked.length = 0
    expect(await createFulfilment(leadingTo('found')).run(work)).to.include({ outcome: 'accepted' })
    expect([looked, calls]).to.deep.equal([['https://provider.test/'], ['submit']])
  })

  it('makes seven calls whose results are lost, at growing intervals, and then leaves the order to operators', async () => {
    const work = await confirmedOrder()
    submit = () => Promise.reject(new Error('the process dies here'))
    const calledAt: number[] = []
    for (let runs = 0; runs < 40; runs++) {
      const before = calls.length
      await createFulfilment()
        .run(work)
        .catch(() => undefined)
      if (calls.length > before) calledAt.push(now.getTime())
      if ((await outboxOf(work)) === null) break
      await wake(work)
    }
    const pausesMs = calledAt.slice(1).map((time, index) => time - (calledAt[index] ?? 0))
    const leaseMs = timeoutMs + 20_000
    expect(pausesMs).to.deep.equal(
      [30, 120, 600, 3_600, 21_600, 86_400].map((seconds) => seconds * 1_000 + leaseMs),
    )
    const held = await worker.deps.database.orderHold.findMany({ where: { orderId: work.objectId } })
    expect(held.map(({ reason, placedBy }) => [reason, placedBy])).to.deep.equal([['other', 'worker']])
  })

  it('keeps the lease of the next attempt when an earlier one ends without an answer, however late', async () => {
    const work = await confirmedOrder()
    const answers: ((outcome: SubmitOutcome) => void)[] = []
    submit = () => new Promise((resolve) => answers.push(resolve))
    const { first, second, underWay, resting } = await callTwice(work, answers)
    expect(underWay.attempts).to.equal(2)

    answers[0]?.({ kind: 'unknown', problem: 'time_out' })
    expect(await first).to.include({ result: 'nothing_to_do' })
    expect(await read(work)).to.deep.equal(underWay)
    expect(await outboxOf(work)).to.deep.equal(resting)

    answers[1]?.({ kind: 'accepted', reference: 'second' })
    expect(await second).to.include({ result: 'snoozed', outcome: 'accepted' })
    expect(await read(work)).to.deep.include({ state: 'submitted', attempts: 0 })
  })

  it('keeps the lease of the next attempt at a cancellation when an earlier one is answered as pending', async () => {
    const work = await confirmedOrder()
    await createFulfilment().run(work)
    await worker.deps.database.prizeOrder.update({
      where: { id: work.objectId },
      data: { state: 'cancel_requested', cancelledFrom: 'submitted', returnsPrize: true },
    })
    const answers: ((outcome: CancelOutcome) => void)[] = []
    cancel = () => new Promise((resolve) => answers.push(resolve))
    await wake(work)
    const { first, second, underWay, resting } = await callTwice(work, answers)
    expect(underWay.attemptUntil).to.not.equal(null)

    answers[0]?.({ kind: 'pending' })
    expect(await first).to.include({ result: 'nothing_to_do' })
    expect(await read(work)).to.deep.equal(underWay)
    expect(await outboxOf(work)).to.deep.equal(resting)

    answers[1]?.({ kind: 'cancelled' })
    expect(await second).to.include({ outcome: 'cancelled' })
    expect(await read(work)).to.deep.include({ state: 'cancelled', attemptUntil: null })
  })

  it('continues to poll after a job that ran again while its work was snoozed', async () => {
    const work = await confirmedOrder()
    await createFulfilment().run(work)
    await wake(work)
    expect(await createFulfilment().run(work)).to.include({ result: 'snoozed', outcome: 'news' })
    expect(calls).to.deep.equal(['submit', 'poll'])
    expect(await createFulfilment().run(work)).to.include({
      result: 'snoozed',
      outcome: 'snoozed: submitted',
    })
    expect(calls).to.deep.equal(['submit', 'poll'])
    await wake(work)
    await createFulfilment().run(work)
    expect(calls).to.deep.equal(['submit', 'poll', 'poll'])
  })
})
