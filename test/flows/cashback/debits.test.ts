import { expect } from 'chai'
import { pino } from 'pino'
import { resumeSetting } from '../../../core/casino/change-settings.ts'
import type { CreditCashbackDeps } from '../../../core/cashback/credit-cashback.ts'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { countContradicted } from '../../../core/cashback/read-answers.ts'
import { countOpenCashbacks } from '../../../core/cashback/read-cashbacks.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet, WalletBehaviour } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]
const pauses = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs]
const give: CashbackMove = { kind: 'reverse', prize: 'return', isMoneyBack: false }

describe('a credit that a wallet is asked to take back', function () {
  this.timeout(30_000)
  let crediting: Crediting
  let nextWallet: FakeWallet

  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })
  beforeEach(async () => {
    await crediting.begin()
    atTestEnd(() => crediting.end())
    nextWallet = await startFakeWallet()
    atTestEnd(() => nextWallet.stop())
  })

  const creditOne = async (timeoutMs?: number): Promise<DueWork> => {
    const work = await crediting.requestOne(timeoutMs)
    expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'credited' })
    return work
  }
  const reverse = async (work: DueWork, move: CashbackMove = give): Promise<DueWork> => {
    const { said, caused } = await crediting.move(work, move)
    expect(said).to.equal('reversing')
    const [debit, ...others] = caused
    if (debit === undefined) throw new Error('no work')
    expect(others).to.deep.equal([])
    const { casinoId } = await crediting.read(work)
    expect(debit).to.include({ jobName: 'debit-cashback', objectId: work.objectId, casinoId })
    return debit
  }
  const debitsOf = (work: DueWork) =>
    crediting
      .wallet()
      .calls.filter(({ type, cashbackId }) => type === 'cashback.debit' && cashbackId === work.objectId)
      .map(({ transactionId, attempt }) => [transactionId, attempt])
  const debitId = (work: DueWork, n = 1) => `debit_${n}_${work.objectId}`
  const answersOf = async (work: DueWork) =>
    (
      await crediting.database.walletAnswer.findMany({
        where: { cashbackId: work.objectId, operation: 'debit' },
        orderBy: { id: 'asc' },
      })
    ).map(({ transactionId, outcome, contradicts }) => [transactionId, outcome, contradicts])
  const passTime = (byMs: number) => {
    crediting.setTime(new Date(crediting.clock.now().getTime() + byMs))
  }
  /** Expects that the player has the money and not the prize, and that the ledger has one credit. */
  const expectCreditStands = async (work: DueWork, state: string, problem: string | null) => {
    expect(await crediting.read(work)).to.include({ state, problem })
    expect((await crediting.prizeOf(work)).state).to.equal('cashed_back')
    expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal(['credit', 'reserve'])
    const { casinoId } = await crediting.read(work)
    expect(await balancesOf(crediting.database, casinoId)).to.deep.equal({
      casino_cashback: -500,
      player_wallet: 500,
    })
  }
  /** The casino has the money again, and the prize is where it should be. */
  const expectReversed = async (work: DueWork, prize = 'won') => {
    expect(await crediting.read(work)).to.include({ state: 'reversed', problem: null, attemptUntil: null })
    expect((await crediting.prizeOf(work)).state).to.equal(prize)
    expect(await postingsOf(crediting.database, work.objectId)).to.deep.equal([
      'credit',
      'reserve',
      'reversal',
    ])
    const { casinoId } = await crediting.read(work)
    expect(await balancesOf(crediting.database, casinoId)).to.deep.equal({})
    expect(await crediting.database.outbox.count({ where: { objectId: work.objectId } })).to.equal(0)
  }

  for (const [prize, state] of [
    ['return', 'won'],
    ['void', 'voided'],
  ] as const) {
    it(`makes the prize ${state} when the wallet has taken the money back, and not before`, async () => {
      const work = await creditOne()
      const { casinoId, prizeId, playerId } = await crediting.read(work)
      const debit = await reverse(work, { ...give, prize })
      await expectCreditStands(work, 'reversing', null)
      expect(await crediting.run(debit)).to.equal('done')
      await expectReversed(work, state)
      expect(crediting.wallet().calls.at(-1)?.body).to.deep.equal({
        type: 'cashback.debit',
        transaction_id: debitId(work),
        cashback_id: work.objectId,
        prize_id: prizeId,
        player_id: playerId,
        amount_minor: 500,
        currency: 'EUR',
        credit_transaction_id: work.objectId,
        attempt: 1,
      })
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'debited', false]])
      expect((await crediting.typesOf(work)).slice(2)).to.deep.equal([
        'credited',
        'reversing',
        'reversing',
        'reversed',
      ])
      const [, , , asked, , reversed] = await crediting.historyOf(work)
      expect(asked).to.include({ actor: 'test', reason: 'seen' })
      expect(reversed).to.include({ actor: 'worker', casinoId })
      expect(reversed?.data).to.deep.equal({ attempt: 1 })
      expect((await crediting.typesOf(work, 'prize')).at(-1)).to.equal(
        prize === 'return' ? 'returned' : 'voided',
      )
      expect(await crediting.run(debit)).to.equal('nothing_to_do')
      expect((await crediting.move(work, give)).said).to.equal('transition_illegal')
    })
  }

  const unclear: [string, WalletBehaviour, string][] = [
    ['is down', { status: 503, body: '' }, 'status_503'],
    ['hangs', 'hang', 'timeout'],
    ['takes it and hangs', 'act-then-hang', 'timeout'],
    ['takes it and breaks the connection', 'act-then-die', 'connection_lost'],
    ['refuses with a code that is none of a debit', declined('limit_exceeded'), 'refusal_unlisted'],
    ['says that it has credited', { status: 200, body: { status: 'credited' } }, 'answer_invalid'],
    ['does not know us', { status: 401, body: '' }, 'status_401'],
  ]
  for (const [what, behaviour, problem] of unclear) {
    it(`stands while the wallet ${what}, which is asked again under the same id`, async () => {
      const work = await creditOne(500)
      const debit = await reverse(work)
      crediting.wallet().behave(behaviour)
      expect(await crediting.run(debit)).to.equal('snoozed')
      await expectCreditStands(work, 'reversal_unknown', problem)
      expect(await answersOf(work)).to.deep.equal([])
      expect((await crediting.historyOf(work)).at(-1)).to.deep.include({
        type: 'cashback.reversal_unknown',
        data: { attempt: 1, problem },
      })
      expect(await crediting.restsMs(debit)).to.be.at.least(5_000)

      crediting.wallet().behave('honest')
      const { casinoId } = await crediting.read(work)
      const by = { actor: 'test', requestId: 'test' }
      const settings = { database: crediting.database, clock: crediting.clock }
      if (problem === 'status_401') await resumeSetting(settings, { casinoId, name: 'wallet', ...by })
      await crediting.restart()
      expect(await crediting.run(debit)).to.equal('done')
      await expectReversed(work)
      expect(debitsOf(work)).to.deep.equal([
        [debitId(work), 1],
        [debitId(work), 2],
      ])
      expect(crediting.wallet().bookings.get(debitId(work))).to.equal(1)
    })
  }

  for (const code of [
    'insufficient_funds',
    'player_unknown',
    'player_blocked',
    'account_closed',
    'credit_unknown',
  ]) {
    it(`stays when the wallet declines with ${code}, and is asked for under another id afterwards`, async () => {
      const work = await creditOne()
      const debit = await reverse(work)
      crediting.wallet().behave(declined(code))
      expect(await crediting.run(debit)).to.equal('done')
      await expectCreditStands(work, 'credited', code)
      expect((await crediting.historyOf(work)).at(-1)).to.deep.include({
        type: 'cashback.reversal_declined',
        fromState: 'reversing',
        toState: 'credited',
        data: { attempt: 1, problem: code },
      })
      expect((await crediting.typesOf(work, 'prize')).at(-1)).to.equal('cashed_back')
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'declined', false]])
      expect(await crediting.outboxOf(debit)).to.equal(null)

      crediting.wallet().behave('honest')
      expect(await crediting.run(await reverse(work))).to.equal('done')
      await expectReversed(work)
      expect(debitsOf(work)).to.deep.equal([
        [debitId(work), 1],
        [debitId(work, 2), 1],
      ])
    })
  }

  for (const [what, behaviour] of [
    ['took another amount before', 'wrong-amount'],
    ['takes another amount', 'wrong-echo'],
  ] as const) {
    it(`waits for an operator when the wallet ${what}`, async () => {
      const work = await creditOne()
      crediting.wallet().behave(behaviour)
      const lines: unknown[] = []
      const write = (line: string) => void lines.push(JSON.parse(line))
      const log = pino({ level: 'error', base: null, timestamp: false }, { write })
      const reviews: string[] = []
      const other = crediting.startOther({ log, onReview: (problem) => void reviews.push(problem) })
      expect(await other.run(await reverse(work))).to.equal('done')
      await expectCreditStands(work, 'reversal_review', 'amount_mismatch')
      expect(reviews).to.deep.equal(['amount_mismatch'])
      expect(lines).to.deep.include({
        level: 50,
        casinoId: (await crediting.read(work)).casinoId,
        cashbackId: work.objectId,
        operation: 'debit',
        attempts: 1,
        problem: 'amount_mismatch',
        msg: 'wallet debited another amount than requested',
      })
      for (const kind of ['retry', 'release'] as const) {
        expect((await crediting.move(work, { kind })).said).to.be.oneOf([
          'cashback_needs_resolution',
          'transition_illegal',
        ])
      }
      expect(debitsOf(work)).to.have.length(1)
      expect((await crediting.move(work, { kind: 'resolve', outcome: 'reversed' })).said).to.equal('reversed')
      await expectReversed(work)
    })
  }

  it('waits for an operator after the last attempt, who can have the wallet asked once more', async () => {
    const work = await creditOne()
    let debit = await reverse(work)
    crediting.wallet().behave({ status: 503, body: '' })
    for (const pauseMs of pauses) {
      expect(await crediting.run(debit)).to.equal('snoozed')
      const restsMs = await crediting.restsMs(debit)
      expect(restsMs).to.be.within(pauseMs, pauseMs * 1.2 + 1)
      passTime(restsMs)
    }
    const before = (await countOpenCashbacks(crediting.database)).get('reversal_review') ?? 0
    for (let round = 0; round < 2; round++) {
      expect(await crediting.run(debit)).to.equal('done')
      await expectCreditStands(work, 'reversal_review', 'status_503')
      expect(await crediting.outboxOf(debit)).to.equal(null)
      expect((await countOpenCashbacks(crediting.database)).get('reversal_review')).to.equal(before + 1)
      const retried = await crediting.move(work, { kind: 'retry' })
      expect(retried.said).to.equal('reversing')
      debit = retried.caused[0] ?? debit
    }
    crediting.wallet().behave('honest')
    expect(await crediting.run(debit)).to.equal('done')
    await expectReversed(work)
    expect(debitsOf(work)).to.deep.equal(Array.from({ length: 10 }, (_, n) => [debitId(work), n + 1]))
  })

  it('is requested again immediately when an operator asks for it', async () => {
    const work = await creditOne()
    const debit = await reverse(work)
    expect((await crediting.move(work, { kind: 'retry' })).said).to.equal('transition_illegal')
    crediting.wallet().behave({ status: 503, body: '' })
    await crediting.run(debit)
    expect(await crediting.move(work, { kind: 'retry' })).to.deep.equal({ said: 'reversing', caused: [] })
    expect(await crediting.outboxOf(debit)).to.include({ snoozedUntil: null })
    crediting.wallet().behave('honest')
    expect(await crediting.run(debit)).to.equal('done')
    await expectReversed(work)
  })

  it('is taken back once when the worker dies during the call', async () => {
    const work = await creditOne(2_000)
    const debit = await reverse(work)
    const gone: Partial<CreditCashbackDeps> = {
      onCall: () => {
        throw new Error('gone')
      },
    }
    const failed = await crediting
      .startOther(gone)
      .run(debit)
      .catch((error: unknown) => error)
    expect(failed).to.have.property('message', 'gone')
    const left = await crediting.read(work)
    await expectCreditStands(work, 'reversing', null)
    expect(await crediting.run(debit)).to.equal('snoozed')
    expect(await crediting.read(work)).to.deep.equal(left)
    const refused = await crediting.move(work, { kind: 'resolve', outcome: 'credited' })
    expect(refused.said).to.equal('transition_illegal')
    passTime(await crediting.restsMs(debit))
    expect(crediting.clock.now()).to.deep.equal(left.attemptUntil)
    expect(await crediting.run(debit)).to.equal('snoozed')
    await expectCreditStands(work, 'reversal_unknown', 'result_lost')
    passTime(await crediting.restsMs(debit))
    expect(await crediting.run(debit)).to.equal('done')
    await expectReversed(work)
    expect(debitsOf(work)).to.deep.equal([
      [debitId(work), 1],
      [debitId(work), 2],
    ])
    expect(crediting.wallet().bookings.get(debitId(work))).to.equal(1)
  })

  it('is never requested from another wallet than the one that has credited', async () => {
    const work = await creditOne()
    const { casinoId } = await crediting.read(work)
    const use = async (wallet: FakeWallet) => {
      await useWallet(crediting.database, crediting.config, casinoId, wallet)
      await crediting.restart()
    }
    await use(nextWallet)
    expect(await crediting.run(await reverse(work))).to.equal('done')
    await expectCreditStands(work, 'reversal_review', 'wallet_changed')
    const [again] = (await crediting.move(work, { kind: 'retry' })).caused
    if (again === undefined) throw new Error('no work')
    expect(await crediting.run(again)).to.equal('done')
    await expectCreditStands(work, 'reversal_review', 'wallet_changed')
    expect((await crediting.move(work, { kind: 'release' })).said).to.equal('transition_illegal')
    expect(nextWallet.calls).to.deep.equal([])
    expect(debitsOf(work)).to.deep.equal([])

    await use(crediting.wallet())
    const [last] = (await crediting.move(work, { kind: 'retry' })).caused
    if (last === undefined) throw new Error('no work')
    expect(await crediting.run(last)).to.equal('done')
    await expectReversed(work)
  })

  it('is requested from no wallet when it is not on record which one has credited', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({ status: 503, body: '' })
    await crediting.run(work)
    await crediting.move(work, { kind: 'release' })
    await crediting.move(work, { kind: 'resolve', outcome: 'credited' })
    crediting.wallet().behave('honest')
    expect(await crediting.run(await reverse(work))).to.equal('done')
    await expectCreditStands(work, 'reversal_review', 'wallet_changed')
    expect(debitsOf(work)).to.deep.equal([])
    expect((await crediting.move(work, { kind: 'resolve', outcome: 'reversed' })).said).to.equal('reversed')
    await expectReversed(work)
  })

  it('is reversed immediately, without a call, when the casino has already taken the money back', async () => {
    const work = await creditOne()
    const { said, caused } = await crediting.move(work, { ...give, isMoneyBack: true })
    expect([said, caused]).to.deep.equal(['reversed', []])
    await expectReversed(work)
    expect(debitsOf(work)).to.deep.equal([])
  })

  for (const outcome of ['reversed', 'credited'] as const) {
    it(`is ${outcome} when an operator records that the wallet has ${outcome === 'reversed' ? '' : 'not '}taken it`, async () => {
      const work = await creditOne()
      const debit = await reverse(work)
      crediting.wallet().behave({ status: 503, body: '' })
      await crediting.run(debit)
      expect((await crediting.move(work, { kind: 'resolve', outcome: 'declined' })).said).to.equal(
        'transition_illegal',
      )
      expect(await crediting.move(work, { kind: 'resolve', outcome })).to.deep.equal({
        said: outcome,
        caused: [],
      })
      expect(await crediting.outboxOf(debit)).to.equal(null)
      expect((await crediting.typesOf(work)).at(-1)).to.equal(
        outcome === 'reversed' ? 'reversed' : 'reversal_declined',
      )
      if (outcome === 'reversed') {
        await expectReversed(work)
        return
      }
      await expectCreditStands(work, 'credited', null)
      // The wallet has not declined it, so it may know it: nothing else is asked for.
      crediting.wallet().behave('honest')
      await crediting.run(await reverse(work))
      await expectReversed(work)
      expect(debitsOf(work)).to.deep.equal([
        [debitId(work), 1],
        [debitId(work), 2],
      ])
    })
  }

  it('is reversed by one of many simultaneous requests', async () => {
    const work = await creditOne()
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => crediting.move(work, { ...give, isMoneyBack: n % 3 === 2 })),
    )
    const won = results.filter(({ said }) => said !== 'transition_illegal')
    expect(won).to.have.length(1)
    for (const debit of won.flatMap(({ caused }) => caused)) await crediting.run(debit)
    await expectReversed(work)
    expect(debitsOf(work).length).to.equal(won[0]?.said === 'reversing' ? 1 : 0)
  })

  it('waits while the wallet is paused, is counted, and continues when the wallet is resumed', async () => {
    const { casinoId, works } = await crediting.request(2)
    const [work, other] = works
    if (work === undefined || other === undefined) throw new Error('no work')
    for (const one of works) await crediting.run(one)
    crediting.wallet().behave({ status: 401, body: '' })
    await crediting.run(await reverse(other))
    const debit = await reverse(work)
    await crediting.restart()
    const before = (await countOpenCashbacks(crediting.database)).get('paused')
    expect(before).to.be.at.least(1)
    expect(await crediting.run(debit)).to.equal('snoozed')
    await expectReversing(work)
    expect(await crediting.restsMs(debit)).to.be.above(minuteMs - 1)
    crediting.wallet().behave('honest')
    const settings = { database: crediting.database, clock: crediting.clock }
    await resumeSetting(settings, { casinoId, name: 'wallet', actor: 'test', requestId: 'test' })
    expect(await crediting.restsMs(debit)).to.be.below(10 * secondMs)
    await crediting.restart()
    expect(await crediting.run(debit)).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'reversed' })
  })
  const expectReversing = async (work: DueWork) => {
    expect(await crediting.read(work)).to.include({ state: 'reversing', debitAttempts: 0 })
    expect(debitsOf(work)).to.deep.equal([])
  }

  describe('whose wallet answers after its attempt was given up', () => {
    /** Freezes a worker after its call until its lease has run out; returns a function that lets it continue. */
    const askAndFreeze = async (answer: WalletBehaviour = 'late') => {
      const work = await creditOne(2_000)
      const debit = await reverse(work)
      crediting.wallet().behave(answer)
      const before = crediting.wallet().calls.length
      const frozen = crediting.startOther({ log: createLogger('test', 'silent') }).run(debit)
      await crediting.callsReach(before + 1)
      passTime(minuteMs)
      expect(await crediting.run(debit)).to.equal('snoozed')
      expect(await crediting.read(work)).to.include({ state: 'reversal_unknown', problem: 'result_lost' })
      const goOn = async () => {
        crediting.wallet().answerLate()
        expect(await frozen).to.equal('nothing_to_do')
      }
      return { work, debit, goOn }
    }

    it('shows an alarm when the wallet has taken the money and an operator has recorded that it has not', async () => {
      const { work, goOn } = await askAndFreeze()
      await crediting.move(work, { kind: 'resolve', outcome: 'credited' })
      const before = await countContradicted(crediting.database)
      await goOn()
      expect((await countContradicted(crediting.database)) - before).to.equal(1)
      await expectCreditStands(work, 'credited', null)
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'debited', true]])
      expect((await crediting.historyOf(work)).at(-1)).to.deep.include({
        type: 'cashback.wallet_contradicted',
        toState: 'credited',
        data: { attempt: 1, outcome: 'debited' },
      })
    })

    it('shows an alarm when the wallet has taken money that the casino has taken itself', async () => {
      const { work, goOn } = await askAndFreeze()
      await crediting.move(work, { kind: 'resolve', outcome: 'credited' })
      await crediting.move(work, { ...give, isMoneyBack: true })
      await goOn()
      await expectReversed(work)
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'debited', true]])
    })

    it('keeps the answer without an alarm when it agrees with the operator’s record', async () => {
      const { work, goOn } = await askAndFreeze()
      await crediting.move(work, { kind: 'resolve', outcome: 'reversed' })
      await goOn()
      await expectReversed(work)
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'debited', false]])
      expect((await crediting.typesOf(work)).at(-1)).to.equal('reversed')
    })

    it('shows an alarm when the wallet declines a debit that an operator has recorded as taken', async () => {
      const { work, goOn } = await askAndFreeze('late-decline')
      await crediting.move(work, { kind: 'resolve', outcome: 'reversed' })
      await goOn()
      await expectReversed(work)
      expect(await answersOf(work)).to.deep.equal([[debitId(work), 'declined', true]])
    })

    it('requests no second debit when the first, which the wallet has declined, was carried out after all', async () => {
      const { work, debit, goOn } = await askAndFreeze()
      crediting.wallet().behave(declined('insufficient_funds'))
      expect(await crediting.run(debit)).to.equal('done')
      await expectCreditStands(work, 'credited', 'insufficient_funds')
      const second = await reverse(work)
      await goOn()
      await expectCreditStands(work, 'reversal_review', 'wallet_contradicted')
      expect(await crediting.run(second)).to.equal('nothing_to_do')
      expect((await crediting.move(work, { kind: 'retry' })).said).to.equal('cashback_needs_resolution')
      expect(debitsOf(work).map(([id]) => id)).not.to.include(debitId(work, 2))
      expect((await crediting.move(work, { kind: 'resolve', outcome: 'reversed' })).said).to.equal('reversed')
      await expectReversed(work)
    })
  })
})

function declined(code: string): WalletBehaviour {
  return { status: 422, body: { status: 'declined', code } }
}
