import { expect } from 'chai'
import { countContradicted } from '../../../core/cashback/read-answers.ts'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { balancesOf } from '../../support/ledger.ts'

describe('the recorded answer of a wallet', () => {
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
    const wallet = await startFakeWallet()
    atTestEnd(() => {
      expect(wallet.complaints).to.deep.equal([])
    })
    atTestEnd(() => wallet.stop())
    nextWallet = wallet
  })

  /** Does an action of an operator, and then the work that it causes, as a worker does. */
  const move = async (work: DueWork, wanted: CashbackMove): Promise<string> => {
    const { said, caused } = await crediting.move(work, wanted)
    for (const next of caused) await crediting.run(next)
    return said
  }
  const changeWallet = async (work: DueWork) => {
    const { casinoId } = await crediting.read(work)
    await useWallet(crediting.database, crediting.config, casinoId, nextWallet)
    await crediting.restart()
  }
  const answersOf = (work: DueWork) =>
    crediting.database.walletAnswer.findMany({ where: { cashbackId: work.objectId }, orderBy: { id: 'asc' } })
  const passTime = (byMs: number) => {
    crediting.setTime(new Date(crediting.clock.now().getTime() + byMs))
  }
  /** Freezes a worker after its call until its lease has run out; returns a function that lets it continue. */
  const answerLate = async (work: DueWork) => {
    crediting.wallet().behave('late')
    const frozen = crediting.startOther({ log: createLogger('test', 'silent') }).run(work)
    await crediting.callsReach(1)
    passTime(60_000)
    expect(await crediting.run(work)).to.equal('snoozed')
    expect(await crediting.read(work)).to.include({ state: 'unknown', problem: 'result_lost' })
    return async () => {
      crediting.wallet().answerLate()
      expect(await frozen).to.equal('nothing_to_do')
    }
  }
  const sumOf = async (work: DueWork) => {
    const { casinoId } = await crediting.read(work)
    return Object.values(await balancesOf(crediting.database, casinoId)).reduce((sum, one) => sum + one, 0)
  }

  it('prevents a second payment by the casino’s next wallet after another amount was credited', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave('wrong-amount')
    expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'amount_mismatch' })
    await changeWallet(work)
    for (let round = 0; round < 3; round++) {
      expect(await move(work, { kind: 'retry' })).to.equal('cashback_needs_resolution')
      expect(await move(work, { kind: 'release' })).to.equal('cashback_needs_resolution')
    }
    expect(nextWallet.calls).to.deep.equal([])
    expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'amount_mismatch' })
    expect(await move(work, { kind: 'resolve', outcome: 'credited' })).to.equal('credited')
  })

  it('includes wallet, outcome, amount, reference and time, and cannot be changed', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({
      status: 200,
      body: { status: 'credited', amount_minor: 501, currency: 'EUR', reference: 'B-7' },
    })
    await crediting.run(work)
    const { walletAsked, casinoId } = await crediting.read(work)
    const [answer, ...others] = await answersOf(work)
    expect(others).to.deep.equal([])
    expect(answer).to.include({
      casinoId,
      cashbackId: work.objectId,
      wallet: walletAsked,
      operation: 'credit',
      attempt: 1,
      transactionId: work.objectId,
      outcome: 'credited',
      amountMinor: 501n,
      currency: 'EUR',
      reference: 'B-7',
      code: null,
      contradicts: false,
    })
    expect(answer?.receivedAt).to.deep.equal(crediting.clock.now())
    for (const change of [
      () => crediting.database.walletAnswer.updateMany({ data: { outcome: 'declined' } }),
      () => crediting.database.walletAnswer.deleteMany({ where: { cashbackId: work.objectId } }),
    ]) {
      const refused = await change().catch((error: unknown) => error)
      expect(refused).to.be.an.instanceOf(Error)
    }
    expect(await answersOf(work)).to.deep.equal([answer])
  })

  it('lets another wallet be asked only after an operator has released the previous one', async () => {
    const work = await crediting.requestOne()
    crediting.wallet().behave({ status: 503, body: '' })
    await crediting.run(work)
    await changeWallet(work)
    expect(await crediting.run(work)).to.equal('done')
    for (let round = 0; round < 2; round++) {
      expect(await move(work, { kind: 'retry' })).to.equal('processing')
      expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'wallet_changed' })
    }
    expect(nextWallet.calls).to.deep.equal([])
    expect(await move(work, { kind: 'release' })).to.equal('manual_review')
    expect(await move(work, { kind: 'release' })).to.equal('transition_illegal')
    expect(await move(work, { kind: 'retry' })).to.equal('processing')
    expect(await crediting.read(work)).to.include({ state: 'credited', problem: null })
    expect(nextWallet.bookings.get(work.objectId)).to.equal(1)
    const released = (await crediting.historyOf(work)).find(({ type }) => type === 'cashback.wallet_released')
    expect(released).to.include({ actor: 'test', reason: 'seen', toState: 'manual_review' })
  })

  it('shows an alarm when the wallet credits a cashback that an operator has declined meanwhile', async () => {
    const work = await crediting.requestOne(2_000)
    const goOn = await answerLate(work)
    expect(await move(work, { kind: 'resolve', outcome: 'declined' })).to.equal('declined')
    const before = await countContradicted(crediting.database)
    await goOn()
    expect((await countContradicted(crediting.database)) - before).to.equal(1)
    expect(await crediting.read(work)).to.include({ state: 'declined' })
    expect((await answersOf(work)).map(({ outcome, contradicts }) => [outcome, contradicts])).to.deep.equal([
      ['credited', true],
    ])
    const last = (await crediting.historyOf(work)).at(-1)
    expect(last).to.include({ type: 'cashback.wallet_contradicted', toState: 'declined', actor: 'worker' })
    expect(last?.data).to.include({ attempt: 1, outcome: 'credited' })
    expect(await sumOf(work)).to.equal(0)
  })

  it('shows an alarm when the wallet credits a cashback that was credited and reversed meanwhile', async () => {
    const work = await crediting.requestOne(2_000)
    const goOn = await answerLate(work)
    expect(await move(work, { kind: 'resolve', outcome: 'credited' })).to.equal('credited')
    expect(await move(work, { kind: 'reverse', prize: 'return', isMoneyBack: true })).to.equal('reversed')
    await goOn()
    expect((await answersOf(work)).map(({ contradicts }) => contradicts)).to.deep.equal([true])
    expect((await crediting.typesOf(work)).at(-1)).to.equal('wallet_contradicted')
    expect(await sumOf(work)).to.equal(0)
  })

  it('stops the next wallet from paying when the previous one reports its payment late', async () => {
    const work = await crediting.requestOne(2_000)
    const goOn = await answerLate(work)
    expect(await move(work, { kind: 'release' })).to.equal('unknown')
    await useWallet(crediting.database, crediting.config, (await crediting.read(work)).casinoId, nextWallet)
    await goOn()
    expect(await crediting.read(work)).to.include({ state: 'manual_review', problem: 'wallet_contradicted' })
    expect(await move(work, { kind: 'retry' })).to.equal('cashback_needs_resolution')
    expect(nextWallet.calls).to.deep.equal([])
    expect(await crediting.outboxOf(work)).to.equal(null)
    expect(await move(work, { kind: 'resolve', outcome: 'credited' })).to.equal('credited')
  })

  it('causes no alarm when it comes late and agrees', async () => {
    const work = await crediting.requestOne(2_000)
    const goOn = await answerLate(work)
    expect(await move(work, { kind: 'resolve', outcome: 'credited' })).to.equal('credited')
    await goOn()
    expect((await answersOf(work)).map(({ contradicts }) => contradicts)).to.deep.equal([false])
    expect((await crediting.typesOf(work)).at(-1)).to.equal('credited')
  })
})
