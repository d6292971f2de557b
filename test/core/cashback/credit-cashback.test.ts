import { expect } from 'chai'
import { lineOf } from '../../../core/outbound/call-line.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { createCallSlots } from '../../../core/outbound/slots.ts'
import { startLines } from '../../../worker/workers.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { eventually } from '../../support/eventually.ts'
import { useWallet } from '../../support/fake-wallet.ts'
import type { WalletBehaviour } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { createWorkFactory } from '../../support/work.ts'

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]
const answer = (status: number, body: unknown): WalletBehaviour => ({ status, body })

describe('attempts to credit in a casino’s own wallet', () => {
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

  it('send the request of docs/integrate/wallets.md, with the same transaction on every attempt', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({ status: 500, body: '' }, 'honest')
    expect(await crediting.run(work)).to.equal('snoozed')
    expect(await crediting.run(work)).to.equal('done')
    const { prizeId, playerId } = await crediting.read(work)
    const body = {
      type: 'cashback.credit',
      transaction_id: work.objectId,
      cashback_id: work.objectId,
      prize_id: prizeId,
      player_id: playerId,
      amount_minor: 500,
      currency: 'EUR',
    }
    expect(crediting.wallet().calls.map((call) => call.body)).to.deep.equal([
      { ...body, attempt: 1 },
      { ...body, attempt: 2 },
    ])
    expect(crediting.wallet().calls[0]?.path).to.equal('/credit')
    expect(await crediting.read(work)).to.include({
      state: 'credited',
      walletReference: `booking of ${work.objectId}`,
    })
  })

  it('keep every digit of an amount beyond the precision of JSON numbers', async () => {
    const work = await crediting.requestOne()
    await crediting.database
      .$executeRaw`UPDATE cashback SET amount_minor = 9007199254740993 WHERE id = ${work.objectId}::text`
    crediting.wallet().behave('act-then-die', 'honest')
    await crediting.run(work)
    expect(await crediting.run(work)).to.equal('done')
    expect(crediting.wallet().calls[1]?.body['amount_minor']).to.equal('9007199254740993')
  })

  for (const accident of ['act-then-die', 'act-then-hang', 'twice'] as const) {
    it(`credit once when the wallet has acted and its answer was lost (${accident})`, async () => {
      const work = await crediting.requestOne(500)
      crediting.wallet().behave(accident, 'honest')
      expect(await crediting.run(work)).to.equal('snoozed')
      expect(await crediting.run(work)).to.equal('done')
      expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 2, problem: null })
      expect(crediting.wallet().bookings.get(work.objectId)).to.equal(1)
      expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
      expect(await crediting.typesOf(work)).to.deep.equal([
        'requested',
        'processing',
        'unknown',
        'processing',
        'credited',
      ])
    })
  }

  it('are repeated after longer and longer pauses, and then left to operators', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({ status: 503, body: '' })
    const pauses = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs]
    for (const pauseMs of pauses) {
      expect(await crediting.run(work)).to.equal('snoozed')
      const restsMs = await crediting.restsMs(work)
      expect(restsMs).to.be.within(pauseMs, pauseMs * 1.2 + 1)
      crediting.setTime(new Date(crediting.clock.now().getTime() + restsMs))
    }
    expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(work)).to.include({
      state: 'manual_review',
      problem: 'status_503',
      attempts: 8,
    })
    expect(await crediting.outboxOf(work)).to.equal(null)
    expect(crediting.wallet().calls.map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await crediting.typesOf(work)).slice(-3)).to.deep.equal([
      'processing',
      'unknown',
      'manual_review',
    ])
    expect(await crediting.deps().metrics.registry.metrics()).to.contain(
      'rewards_cashbacks_reviewed_total{problem="status_5xx"} 1',
    )
  })

  it('give a declined prize back with time left to claim it', async () => {
    const work = await crediting.requestOne()
    const { casinoId, prizeId } = await crediting.read(work)
    const expiresAt = new Date(crediting.clock.now().getTime() + dayMs)
    await crediting.database.prize.update({
      where: { casinoId_id: { casinoId, id: prizeId } },
      data: { expiresAt },
    })
    crediting.wallet().behave(answer(200, { status: 'declined', code: 'player_blocked' }))
    await crediting.run(work)
    expect(await crediting.prizeOf(work)).to.deep.include({
      state: 'won',
      expiresAt: new Date(crediting.clock.now().getTime() + 7 * dayMs),
    })
    expect((await crediting.typesOf(work, 'prize')).slice(-2)).to.deep.equal(['cashback_pending', 'returned'])
    expect(await balancesOf(crediting.database, casinoId)).to.deep.equal({})
  })

  for (const [status, problem] of [
    [401, 'status_401'],
    [403, 'status_403'],
    [404, 'status_404'],
  ] as const) {
    it(`stop for a casino whose wallet answers ${status}, until an operator has looked`, async () => {
      const { casinoId, works } = await crediting.request(3)
      const [first, second, third] = works
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('too little work')
      crediting.wallet().behave(answer(status, { status: 'declined', code: 'player_unknown' }))
      expect(await crediting.run(first)).to.equal('snoozed')
      expect(await crediting.read(first)).to.include({ state: 'unknown', problem, attempts: 1 })
      expect(await crediting.restsMs(first)).to.be.within(minuteMs, 5 * minuteMs)
      const where = { casinoId_name: { casinoId, name: 'wallet' } }
      const setting = await crediting.database.casinoSetting.findUniqueOrThrow({ where })
      expect(setting).to.deep.include({ pausedAt: crediting.clock.now(), pausedReason: problem })

      // After a restart this process knows of the pause too.
      await crediting.restart()
      for (const work of [first, second]) {
        expect(await crediting.run(work)).to.equal('snoozed')
        expect(await crediting.restsMs(work)).to.be.within(minuteMs, 5 * minuteMs)
      }
      expect(await crediting.read(second)).to.include({ state: 'requested', attempts: 0, revision: 1 })
      expect(crediting.wallet().calls).to.have.length(1)

      await useWallet(crediting.database, crediting.config, casinoId, crediting.wallet()) // saving it resumes it
      await crediting.restart()
      crediting.wallet().behave('honest')
      for (const work of works) expect(await crediting.run(work)).to.equal('done')
      expect([...crediting.wallet().bookings.keys()]).to.have.members(works.map((work) => work.objectId))
    })
  }

  it('pause a wallet whose address must not be called', async () => {
    const { casinoId, works } = await crediting.request()
    await useWallet(crediting.database, crediting.config, casinoId, {
      ...crediting.wallet(),
      url: 'ftp://127.0.0.1/',
    })
    await Promise.all(works.map((work) => crediting.run(work)))
    expect(await crediting.read(works[0])).to.include({ state: 'unknown', problem: 'url_invalid' })
    const where = { casinoId_name: { casinoId, name: 'wallet' } }
    expect((await crediting.database.casinoSetting.findUniqueOrThrow({ where })).pausedReason).to.equal(
      'url_invalid',
    )
  })

  it('send nothing to a wallet whose name does not resolve, and ask once it does', async () => {
    const { casinoId, works } = await crediting.request()
    const [work] = works
    if (work === undefined) throw new Error('no work')
    const { url, secret } = crediting.wallet()
    const wallet = { url: 'http://wallet.invalid/credit', secret }
    await useWallet(crediting.database, crediting.config, casinoId, wallet)
    expect(await crediting.run(work)).to.equal('snoozed')
    expect(await crediting.restsMs(work)).to.be.within(5 * secondMs, 10 * secondMs)
    expect(await crediting.read(work)).to.include({
      state: 'requested',
      attempts: 0,
      walletAsked: null,
      attemptUntil: null,
      problem: null,
    })
    expect(await crediting.typesOf(work)).to.deep.equal(['requested'])
    await useWallet(crediting.database, crediting.config, casinoId, { url, secret })
    await crediting.restart()
    expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 1 })
  })

  it('treat a name that does not resolve like a wallet that does not answer: its line is not served for a while', async () => {
    const work = await crediting.requestOne()
    const line = lineOf('wallet', (await crediting.read(work)).casinoId)
    const slots = createCallSlots({ totalMax: 64, nowMs: () => 0 })
    const names = { known: () => 'unknown' as const, lookUp: () => Promise.resolve() }
    const inTheLine = () => {
      slots.noteWaiting(line)
      return slots.reserve().flatMap(({ holders }) => holders).length
    }
    expect(await crediting.startOther({ slots, names }).run(work)).to.equal('snoozed')
    expect(inTheLine()).to.equal(0)
    slots.observe(line, { hasSucceeded: true, hasAnswered: true, startedMs: 0 })
    expect(inTheLine()).to.equal(16)
  })

  it('leave another attempt that may be under way alone until its lease has run out', async () => {
    const work = await crediting.requestOne(1_000)
    crediting.wallet().behave('late', 'honest')
    const running = crediting.run(work)
    await crediting.callsReach(1)
    const before = await crediting.read(work)
    expect(before).to.include({ state: 'processing', attempts: 1 })
    expect(await crediting.run(work)).to.equal('snoozed') // as another worker would
    expect(await crediting.restsMs(work)).to.equal(
      (before.attemptUntil?.getTime() ?? 0) - crediting.clock.now().getTime(),
    )
    expect(await crediting.read(work)).to.deep.equal(before)
    expect(crediting.wallet().calls).to.have.length(1)
    crediting.wallet().answerLate()
    expect(await running).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 1 })
  })

  it('keep the slot of a call that is under way when its work is run a second time', async () => {
    const work = await crediting.requestOne()
    const { casinoId } = await crediting.read(work)
    const slots = createCallSlots({ totalMax: 1, nowMs: () => 0 })
    const { run } = crediting.startOther({ slots })
    const isTaken = () => !slots.take(lineOf('wallet', casinoId), newHolder())
    crediting.wallet().behave('late')
    const first = run(work)
    await eventually('a call is under way', () => crediting.wallet().calls.length === 1)
    expect(await run(work)).to.equal('snoozed')
    expect(isTaken()).to.equal(true)
    crediting.wallet().answerLate()
    expect(await first).to.equal('done')
    expect(isTaken()).to.equal(false)
  })

  it('hold a slot no longer than the call: another one may begin while the result is recorded', async () => {
    const work = await crediting.requestOne()
    const line = lineOf('wallet', (await crediting.read(work)).casinoId)
    const slots = createCallSlots({ totalMax: 1, nowMs: () => 0 })
    let isFreeAfterCall = false
    const database = watchDatabase(crediting.database, {
      before: () => {
        if (crediting.wallet().calls.length === 0) return
        const holder = newHolder()
        isFreeAfterCall = slots.take(line, holder)
        slots.release(holder)
      },
    })
    expect(await crediting.startOther({ slots, database }).run(work)).to.equal('done')
    expect(isFreeAfterCall).to.equal(true)
  })

  it('ask again after a lease has run out, and accept the later answer', async () => {
    const work = await crediting.requestOne(5_000)
    crediting.wallet().behave('late', 'honest')
    const running = crediting.run(work)
    await crediting.callsReach(1)
    const { attemptUntil } = await crediting.read(work)
    crediting.setTime(new Date((attemptUntil?.getTime() ?? 0) + 1))
    expect(await crediting.run(work)).to.equal('snoozed')
    expect(await crediting.run(work)).to.equal('done')
    crediting.wallet().answerLate()
    expect(await running).to.equal('nothing_to_do')
    expect(await crediting.read(work)).to.include({ state: 'credited', attempts: 2 })
    expect(await crediting.typesOf(work)).to.deep.equal([
      'requested',
      'processing',
      'unknown',
      'processing',
      'credited',
    ])
    expect(crediting.wallet().bookings.get(work.objectId)).to.equal(1)
    expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
  })

  it('credit in the service’s ledger and in wallets in the same batch', async () => {
    const factory = createWorkFactory(crediting.database, crediting.config)
    const outside = await crediting.request(12)
    const ours = await factory.cashbacks(12)
    const mixed = outside.works.flatMap((work, index) => [work, ours[index] ?? work])
    expect(new Set(await Promise.all(mixed.map((work) => crediting.run(work))))).to.deep.equal(
      new Set(['done']),
    )
    const states = await crediting.database.cashback.groupBy({
      by: ['wallet', 'state'],
      where: { id: { in: mixed.map((work) => work.objectId) } },
      _count: true,
      orderBy: { wallet: 'asc' },
    })
    expect(states.map(({ wallet: kind, state, _count }) => [kind, state, _count])).to.deep.equal([
      ['http', 'credited', 12],
      ['ledger', 'credited', 12],
    ])
    expect(await balancesOf(crediting.database, outside.casinoId)).to.deep.equal({
      casino_cashback: -6_000,
      player_wallet: 6_000,
    })
  })

  it('use no more than one casino’s share of calls at the same time', async () => {
    const { works } = await crediting.request(50)
    crediting.wallet().behave('late')
    const results = works.map((work) => crediting.run(work))
    const ended: string[] = []
    for (const result of results) void result.then((value) => ended.push(value))
    await crediting.callsReach(32)
    await eventually('all others have been sent away', () => ended.length >= 18)
    expect(ended).to.deep.equal(Array.from({ length: 18 }, () => 'snoozed'))
    expect(crediting.wallet().calls).to.have.length(32)
    crediting.wallet().answerLate()
    expect((await Promise.all(results)).filter((result) => result === 'done')).to.have.length(32)
    // The others do not count as attempts, and are tried again.
    const left = await crediting.database.cashback.findMany({
      where: { id: { in: works.map((work) => work.objectId) }, state: 'requested' },
    })
    expect(left.map(({ attempts, revision }) => [attempts, revision])).to.deep.equal(left.map(() => [0, 1]))
    expect(left).to.have.length(18)
    crediting.wallet().behave('honest')
    const lines = startLines(crediting.deps())
    await lines.lookOnce()
    await eventually('those in the line had their turn', async () => {
      const ids = works.map((work) => work.objectId)
      return (
        (await crediting.database.cashback.count({ where: { id: { in: ids }, state: 'credited' } })) === 50
      )
    })
    await lines.stop()
    expect(crediting.wallet().bookings.size).to.equal(50)
  })

  it('fail only for the casino whose setting cannot be read', async () => {
    const broken = await crediting.request()
    await crediting.database.$executeRaw`
      UPDATE casino_setting SET sealed_secret = '\\x00' WHERE casino_id = ${broken.casinoId}::text`
    const fine = await crediting.request()
    const results = await Promise.allSettled(
      [...broken.works, ...fine.works].map((work) => crediting.run(work)),
    )
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled'])
    expect(await crediting.read(broken.works[0])).to.include({ state: 'requested', attempts: 0 })
    expect(await crediting.read(fine.works[0])).to.include({ state: 'credited' })
  })
})
