import { expect } from 'chai'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'
import { casesOf } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('operators’ requests about cashbacks', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let cashbacks: string
  let wallet: FakeWallet

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    cashbacks = `/${casino.id}/cashbacks`
    await useWallet(service.database, service.deps.config, casino.id, wallet)
    wallet.behave('honest')
    atTestEnd(async () => {
      const total = Object.values(await balancesOf(service.database, casino.id))
      expect(total.reduce((sum, amount) => sum + amount, 0)).to.equal(0)
      expect(Math.max(0, ...wallet.bookings.values())).to.be.at.most(1)
    })
  })

  const work = async () => {
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
  }
  /** A cashback of 5 EUR that a worker has tried to credit once. */
  const cashBack = async (): Promise<{ id: string; prizeId: string }> => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann', cashback: 500 })
    const body = { player_id: 'ann', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    await work()
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    return { id: textAt(prize, 'data.cashbacks.0.cashback_id'), prizeId }
  }
  const cashBackUnknown = async () => {
    wallet.behave({ status: 503, body: '' })
    return cashBack()
  }
  /** Under review since the casino uses another wallet than the one that was asked. */
  const cashBackForeign = async () => {
    const { id, prizeId } = await cashBackUnknown()
    await useWallet(service.database, service.deps.config, casino.id, {
      ...wallet,
      url: `${wallet.url}?next`,
    })
    await move(id, 'retry')
    await work()
    expect(at(await operator.get(`${cashbacks}/${id}`), 'data')).to.include({
      state: 'manual_review',
      problem: 'wallet_changed',
      attempts: 1,
    })
    return { id, prizeId }
  }
  const cashBackForReview = async () => {
    wallet.behave({ status: 200, body: { status: 'already_processed', amount_minor: 1, currency: 'EUR' } })
    return cashBack()
  }
  const move = (id: string, name: string, body?: unknown) => operator.post(`${cashbacks}/${id}/${name}`, body)
  const stateOf = async (id: string) => at(await operator.get(`${cashbacks}/${id}`), 'data.state')
  const prizeStateOf = async (prizeId: string) =>
    at(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.state')

  it('show which cashbacks wait for a wallet or an operator, and why', async () => {
    const { id } = await cashBackUnknown()
    expect(listAt(await operator.get(`${cashbacks}?state=unknown`))[0]).to.include({
      cashback_id: id,
      wallet: 'http',
      attempts: 1,
      problem: 'status_503',
      wallet_reference: null,
    })
    expect(listAt(await operator.get(`${cashbacks}?state=manual_review`))).to.deep.equal([])
  })

  const cashBackReleased = async () => {
    const { id, prizeId } = await cashBackForeign()
    const released = await move(id, 'release-wallet', { reason: 'the old one has not paid' })
    expect(at(released, 'data')).to.include({ state: 'manual_review', problem: null })
    const history = listAt(await operator.get(`${cashbacks}/${id}`), 'data.history')
    expect(history.at(-1)).to.include({
      type: 'cashback.wallet_released',
      reason: 'the old one has not paid',
      to: 'manual_review',
    })
    return { id, prizeId }
  }

  it('cannot ask a wallet again that has credited another amount, and show its answer', async () => {
    const { id } = await cashBackForReview()
    wallet.behave('honest')
    for (const name of ['retry', 'release-wallet']) {
      const reply = await move(id, name, { reason: 'try once more' })
      expect(reply.status).to.equal(409)
      expect(reply.headers.get('X-Error-Code')).to.equal('cashback_needs_resolution')
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'A wallet has reported a payment for this cashback: resolve it instead',
      })
    }
    const [answer, ...others] = listAt(await operator.get(`${cashbacks}/${id}`), 'data.wallet_answers')
    expect(others).to.deep.equal([])
    expect(answer).to.include({
      operation: 'credit',
      transaction_id: id,
      attempt: 1,
      outcome: 'already_processed',
      decline_code: null,
      amount_minor: 1,
      currency: 'EUR',
      wallet_reference: null,
      contradicts: false,
    })
    expect(
      at(await move(id, 'resolve', { outcome: 'declined', reason: 'taken back' }), 'data.state'),
    ).to.equal('declined')
  })

  it('can settle cashbacks that wait under a pause, which are counted', async () => {
    wallet.behave({ status: 401, body: '' })
    const [asked, credited] = [await cashBack(), await cashBack()]
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann', cashback: 500 })
    const body = { player_id: 'ann', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    await work()
    const fresh = textAt(
      await operator.get(`/${casino.id}/prizes/${prizeId}`),
      'data.cashbacks.0.cashback_id',
    )
    await move(asked.id, 'retry')
    await work()
    expect(await stateOf(asked.id)).to.equal('processing')
    expect(await stateOf(fresh)).to.equal('requested')
    const metrics = await service.client.send('GET', '/metrics')
    const paused = /^rewards_cashbacks_open\{state="paused"\} (\d+)$/m.exec(metrics.text)?.[1]
    expect(Number(paused)).to.equal(3)

    const declined = await move(asked.id, 'resolve', { outcome: 'declined', reason: 'not paid' })
    expect(at(declined, 'data.state')).to.equal('declined')
    await move(credited.id, 'resolve', { outcome: 'credited', reason: 'paid by hand' })
    expect(await stateOf(credited.id)).to.equal('credited')
    const refused = await move(fresh, 'resolve', { outcome: 'declined', reason: 'the wallet stays away' })
    expect(at(refused, 'data.state')).to.equal('declined')
    expect(await prizeStateOf(prizeId)).to.equal('won')
    for (const id of [asked.id, fresh]) {
      expect(await postingsOf(service.database, id)).to.deep.equal(['reserve', 'void'])
    }
    await work()
    const waiting = [asked.id, credited.id, fresh]
    const calls = wallet.calls.filter(({ transactionId }) => waiting.includes(transactionId))
    expect(calls.map(({ transactionId }) => transactionId)).to.deep.equal([asked.id])
    expect(await service.database.outbox.count({ where: { objectId: { in: [asked.id, fresh] } } })).to.equal(
      0,
    )
  })

  const settled = casesOf<[what: string, prepare: () => ReturnType<typeof cashBackUnknown>]>(
    [['unknown', cashBackUnknown]],
    [['under review', cashBackReleased]],
  )
  for (const [what, prepare] of settled) {
    it(`ask the wallet again immediately about a cashback that is ${what}`, async () => {
      const { id } = await prepare()
      wallet.behave('honest')
      const retried = await move(id, 'retry', { reason: 'the wallet is back' })
      expect(retried.status).to.equal(200)
      expect(at(retried, 'data')).to.include({ cashback_id: id, state: 'processing', attempts: 1 })
      await work()
      const read = await operator.get(`${cashbacks}/${id}`)
      expect(at(read, 'data')).to.include({ state: 'credited', attempts: 2, problem: null })
      const history = listAt(read, 'data.history')
      expect(fieldOf(history, 'to').slice(-3)).to.deep.equal(['processing', 'processing', 'credited'])
      expect(history.at(-3)).to.include({
        actor: `key:${casino.apiKey.split('_')[2] ?? ''}`,
        reason: 'the wallet is back',
        request_id: retried.headers.get('X-Request-Id'),
      })
      expect(await service.database.outbox.count({ where: { objectId: id } })).to.equal(0)
    })

    it(`credit a cashback that is ${what} when the operator knows that the wallet has credited it`, async () => {
      const { id, prizeId } = await prepare()
      const resolved = await move(id, 'resolve', { outcome: 'credited', reason: 'seen in the wallet' })
      expect(at(resolved, 'data')).to.include({ state: 'credited', problem: null })
      expect(await prizeStateOf(prizeId)).to.equal('cashed_back')
      expect(await postingsOf(service.database, id)).to.deep.equal(['credit', 'reserve'])
      const balance = await operator.get(`/${casino.id}/players/ann/balance`)
      expect(at(balance, 'data.balances')).to.deep.equal([{ currency: 'EUR', amount_minor: 500 }])
      expect(await service.database.outbox.count({ where: { objectId: id } })).to.equal(0)
    })

    it(`give the prize of a cashback that is ${what} back when the wallet has not credited`, async () => {
      const { id, prizeId } = await prepare()
      const resolved = await move(id, 'resolve', { outcome: 'declined', reason: 'not in the wallet' })
      expect(at(resolved, 'data.state')).to.equal('declined')
      expect(await prizeStateOf(prizeId)).to.equal('won')
      expect(await postingsOf(service.database, id)).to.deep.equal(['reserve', 'void'])
      expect(await balancesOf(service.database, casino.id)).to.deep.equal({})
      const history = listAt(await operator.get(`${cashbacks}/${id}`), 'data.history')
      expect(fieldOf(history, 'to').slice(-2)).to.deep.equal(['manual_review', 'declined'])
      // The player has it again, and may try once more.
      wallet.behave('honest')
      const body = { player_id: 'ann', prize_id: prizeId }
      expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
      await work()
      expect(await prizeStateOf(prizeId)).to.equal('cashed_back')
    })
  }

  for (const [prize, state] of [
    ['return', 'won'],
    ['void', 'voided'],
  ] as const) {
    it(`reverse a credit when its wallet has taken it back, and make the prize ${state}`, async () => {
      const { id, prizeId } = await cashBack()
      const asked = await move(id, 'reverse', { prize, reason: 'paid by mistake' })
      expect(at(asked, 'data')).to.include({
        state: 'reversing',
        reversal_prize: prize,
        attempts: 1,
        debit_attempts: 0,
      })
      expect(await prizeStateOf(prizeId)).to.equal('cashed_back')
      expect(await postingsOf(service.database, id)).to.deep.equal(['credit', 'reserve'])
      await work()
      const read = await operator.get(`${cashbacks}/${id}`)
      expect(at(read, 'data')).to.include({ state: 'reversed', problem: null, debit_attempts: 1 })
      expect(await prizeStateOf(prizeId)).to.equal(state)
      expect(await postingsOf(service.database, id)).to.deep.equal(['credit', 'reserve', 'reversal'])
      expect(await balancesOf(service.database, casino.id)).to.deep.equal({})
      const history = listAt(read, 'data.history')
      expect(fieldOf(history, 'type').slice(-3)).to.deep.equal([
        'cashback.reversing',
        'cashback.reversing',
        'cashback.reversed',
      ])
      expect(history.at(-3)).to.include({ reason: 'paid by mistake' })
      expect(listAt(read, 'data.wallet_answers').at(-1)).to.include({
        operation: 'debit',
        transaction_id: `debit_1_${id}`,
        outcome: 'debited',
        contradicts: false,
      })
      const again = await move(id, 'reverse', { prize, reason: 'again' })
      expect(again.json).to.deep.equal({ status: 'error', message: 'The cashback is already reversed' })
      const body = { player_id: 'ann', prize_id: prizeId }
      const wished = await service.client.post('/prize/cashback', casino.apiKey, body)
      expect(wished.status).to.equal(prize === 'return' ? 200 : 404)
      if (prize === 'return') await work()
    })
  }

  it('list the reversals that operators must settle, and settle them', async () => {
    const { id, prizeId } = await cashBack()
    wallet.behave('wrong-amount')
    await move(id, 'reverse', { prize: 'return', reason: 'paid by mistake' })
    await work()
    expect(listAt(await operator.get(`${cashbacks}?state=reversal_review`))[0]).to.include({
      cashback_id: id,
      state: 'reversal_review',
      problem: 'amount_mismatch',
      reversal_prize: 'return',
    })
    const metrics = await service.client.send('GET', '/metrics')
    expect(metrics.text).to.match(/^rewards_cashbacks_open\{state="reversal_review"\} [1-9]/m)
    expect(metrics.text).to.match(/^rewards_cashbacks_open\{state="reversal_unknown"\} \d/m)
    const again = await move(id, 'reverse', { prize: 'return', reason: 'once more' })
    expect(again.json).to.deep.equal({ status: 'error', message: 'The cashback is already being reversed' })
    const refused = await move(id, 'retry')
    expect(refused.headers.get('X-Error-Code')).to.equal('cashback_needs_resolution')
    const resolved = await move(id, 'resolve', { outcome: 'reversed', reason: 'one cent given back' })
    expect(at(resolved, 'data')).to.include({ state: 'reversed', problem: null })
    expect(await prizeStateOf(prizeId)).to.equal('won')
  })

  it('reverse immediately, without a call, when the casino has already taken the money back', async () => {
    const { id, prizeId } = await cashBack()
    const body = { prize: 'return', money_back: true, reason: 'taken out by hand' }
    expect(at(await move(id, 'reverse', body), 'data')).to.include({ state: 'reversed', debit_attempts: 0 })
    expect(await prizeStateOf(prizeId)).to.equal('won')
    expect(await postingsOf(service.database, id)).to.deep.equal(['credit', 'reserve', 'reversal'])
    await work()
    expect(wallet.calls.filter(({ cashbackId }) => cashbackId === id)).to.have.length(1)
  })

  it('are refused when the state does not allow them, and the answer names the state', async () => {
    const { id } = await cashBack()
    const why = { reason: 'because' }
    for (const [name, body, message] of [
      ['retry', why, 'Cannot retry a cashback that is credited'],
      ['resolve', { ...why, outcome: 'credited' }, 'The cashback is already credited'],
      ['resolve', { ...why, outcome: 'declined' }, 'Cannot resolve a cashback that is credited'],
    ] as const) {
      const reply = await move(id, name, body)
      expect(reply.status).to.equal(409)
      expect(reply.headers.get('X-Error-Code')).to.equal('transition_illegal')
      expect(reply.json).to.deep.equal({ status: 'error', message })
    }
    expect(await stateOf(id)).to.equal('credited')
  })

  it('are carried out once when many come at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, prizeId } = await cashBackForReview()
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          move(id, 'resolve', { outcome: n % 2 === 0 ? 'credited' : 'declined', reason: 'race' }),
        ),
      )
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
      expect(replies.filter(({ status }) => status === 409)).to.have.length(11)
      const isCredited = (await stateOf(id)) === 'credited'
      expect(await prizeStateOf(prizeId)).to.equal(isCredited ? 'cashed_back' : 'won')
      expect(await postingsOf(service.database, id)).to.deep.equal(
        isCredited ? ['credit', 'reserve'] : ['reserve', 'void'],
      )
    }
  })

  it('are refused with every invalid field named', async () => {
    const { id } = await cashBackUnknown()
    const long = 'x'.repeat(501)
    for (const [name, body, complaints] of [
      ['retry', { reason: long }, ['reason']],
      ['retry', { reason: 5 }, ['reason']],
      ['resolve', {}, ['outcome', 'reason']],
      ['resolve', { outcome: 'reversing', reason: ' ' }, ['outcome', 'reason']],
      ['resolve', { outcome: null, reason: 'a\0' }, ['outcome', 'reason']],
      ['resolve', [], ['outcome', 'reason']],
      ['reverse', { prize: 'won', reason: '\ud800' }, ['prize', 'reason']],
      ['reverse', { prize: ['return'] }, ['prize', 'reason']],
      ['reverse', { prize: 'void', money_back: 'true', reason: 'r' }, ['money_back']],
    ] as const) {
      expect(complaintsOf(await move(id, name, body)), `${name} ${JSON.stringify(body)}`).to.deep.equal(
        complaints,
      )
    }
    expect((await move('unknown', 'retry')).headers.get('X-Error-Code')).to.equal('cashback_unknown')
    expect(complaintsOf(await move('%00', 'retry'))).to.deep.equal(['cashback_id'])
    expect((await move(id, 'explode')).status).to.equal(404)
    expect(await stateOf(id)).to.equal('unknown')
  })

  it('do not find another casino’s cashbacks', async () => {
    const { id } = await cashBack()
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    const body = { prize: 'return', reason: 'theft' }
    for (const path of [`/${other.id}/cashbacks/${id}/reverse`, `/${casino.id}/cashbacks/${id}/reverse`]) {
      expect([403, 404]).to.include((await stranger.post(path, body)).status)
    }
    const playOnly = await service.factory.apiKey(casino.id, ['play'])
    const reply = await createOperator(service.client, playOnly).post(`${cashbacks}/${id}/reverse`, body)
    expect(reply.status).to.equal(403)
    expect(await stateOf(id)).to.equal('credited')
  })
})
