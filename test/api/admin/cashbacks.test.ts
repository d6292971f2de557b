import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('cashbacks and balances', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const cashBack = async (playerId: string, cashback: number) => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId, cashback })
    const body = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    return prizeId
  }

  it('shows a cashback on its way to the player’s wallet', async () => {
    const prizeId = await cashBack('ann', 700)
    const list = await operator.get(`/${casino.id}/cashbacks?player_id=ann`)
    expect(at(list, 'data.0')).to.include({
      prize_id: prizeId,
      amount_minor: 700,
      currency: 'EUR',
      state: 'requested',
      wallet: null,
      attempts: 0,
    })
    expect((await operator.get(`/${casino.id}/players/ann/balance`)).json).to.deep.equal({
      status: 'success',
      data: { player_id: 'ann', balances: [] },
    })

    const worker = service.startWorker()
    await service.drain()
    await worker.stop()

    const read = await operator.get(`/${casino.id}/cashbacks/${textAt(list, 'data.0.cashback_id')}`)
    expect(at(read, 'data')).to.include({ state: 'credited', wallet: 'ledger', attempts: 0, problem: null })
    expect(fieldOf(listAt(read, 'data.history'), 'type')).to.deep.equal([
      'cashback.requested',
      'cashback.credited',
    ])
    const balance = await operator.get(`/${casino.id}/players/ann/balance`)
    expect(at(balance, 'data.balances')).to.deep.equal([{ currency: 'EUR', amount_minor: 700 }])
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    expect(at(prize, 'data.state')).to.equal('cashed_back')
    expect(at(prize, 'data.cashbacks.0.state')).to.equal('credited')
    expect(fieldOf(listAt(prize, 'data.history'), 'type')).to.have.members([
      'prize.won',
      'prize.cashback_pending',
      'cashback.requested',
      'prize.cashed_back',
      'cashback.credited',
    ])
  })

  it('keeps every digit of a balance beyond the precision of JSON numbers', async () => {
    for (const amount of [Number.MAX_SAFE_INTEGER, 2]) await cashBack('rich', amount)
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    const balance = await operator.get(`/${casino.id}/players/rich/balance`)
    expect(at(balance, 'data.balances')).to.deep.equal([
      { currency: 'EUR', amount_minor: '9007199254740993' },
    ])
  })

  it('lists cashbacks by state and player, page by page', async () => {
    for (let i = 0; i < 3; i++) await cashBack('bob', 100 + i)
    const cashbacks = `/${casino.id}/cashbacks`
    expect(await readAll(operator, `${cashbacks}?player_id=bob`, 2, 'amount_minor')).to.deep.equal([
      100, 101, 102,
    ])
    expect(await readAll(operator, `${cashbacks}?state=requested`, 1, 'amount_minor')).to.deep.equal([
      100, 101, 102,
    ])
    expect(await readAll(operator, cashbacks, 4, 'state')).to.have.length(6)
    expect(listAt(await operator.get(`${cashbacks}?player_id=bob&state=credited`))).to.deep.equal([])
    const wrong = await operator.get(`${cashbacks}?player_id=%00&state=x&limit=x&cursor=x`)
    expect(complaintsOf(wrong)).to.deep.equal(['cursor', 'limit', 'player_id', 'state'])
    expect((await operator.get(`${cashbacks}/unknown`)).headers.get('X-Error-Code')).to.equal(
      'cashback_unknown',
    )
  })

  it('hides another casino’s cashbacks and balances', async () => {
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    const id = textAt(await operator.get(`/${casino.id}/cashbacks?limit=1`), 'data.0.cashback_id')
    expect((await stranger.get(`/${other.id}/cashbacks/${id}`)).status).to.equal(404)
    expect(listAt(await stranger.get(`/${other.id}/cashbacks`))).to.deep.equal([])
    expect(at(await stranger.get(`/${other.id}/players/ann/balance`), 'data.balances')).to.deep.equal([])
  })
})
