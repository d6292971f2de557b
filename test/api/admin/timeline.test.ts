import { expect } from 'chai'
import { entriesMax } from '../../../core/timeline/read-timeline.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { logIn } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

interface Entry {
  at: string
  kind: string
  object: { type: string; id: string }
  what: string
  from: string | null
  to: string | null
  actor: string | null
  reason: string | null
  request_id: string | null
  detail: string | null
  delivery: { endpoint_id: string; last_status: number | null; next_attempt_at: string | null } | null
}

describe('the timeline of a prize', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    service.startWorker()
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const pathOf = (prizeId: string) => `/${casino.id}/prizes/${encodeURIComponent(prizeId)}/timeline`
  const read = async (prizeId: string) =>
    listAt(await operator.get(pathOf(prizeId)), 'data.entries') as Entry[]
  const order = async (prizeId: string, playerId: string) => {
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    const placed = await service.client.post('/prize/order', casino.apiKey, body)
    expect(placed.status, placed.text).to.equal(200)
    return textAt(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.orders.0.order_id')
  }

  it('has the history of the prize and its order, and what operators were refused or shown, in order of time', async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const orderId = await order(prizeId, playerId)
    await eventually('it is announced', async () => (await read(prizeId)).length >= 3)
    const cookie = await logIn(service, { role: 'support' })
    const act = (name: string, body: object) =>
      service.client.send('POST', `/admin/casinos/${casino.id}/orders/${orderId}/${name}`, {
        headers: { ...cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify(body),
      })
    const refused = await act('deliver', { reason: 'She has it' })
    expect(refused.status, refused.text).to.equal(409)
    const revealed = await act('reveal', { reason: 'The player asks' })
    expect(revealed.status, revealed.text).to.equal(200)
    const confirmed = await act('confirm', { reason: 'Stock checked' })
    expect(confirmed.status, confirmed.text).to.equal(200)
    // Reading is not a change.
    await operator.get(`/${casino.id}/orders/${orderId}`)

    const entries = await read(prizeId)
    expect(entries.map(({ at }) => at)).to.deep.equal(entries.map(({ at }) => at).sort())
    const ofPeople = entries.filter(({ actor }) => actor?.startsWith('operator:'))
    expect(
      ofPeople.map(({ kind, what, detail, reason, request_id }) => [kind, what, detail, reason, request_id]),
    ).to.deep.equal([
      ['action', 'deliver', '409 transition_illegal', 'She has it', refused.headers.get('X-Request-Id')],
      ['action', 'reveal', '200', 'The player asks', revealed.headers.get('X-Request-Id')],
      ['event', 'prize_order.confirmed', null, 'Stock checked', confirmed.headers.get('X-Request-Id')],
    ])
    for (const { object } of ofPeople) expect(object).to.deep.equal({ type: 'prize_order', id: orderId })
    expect(fieldOf(entries, 'what')).to.include.members([
      'prize.ordered',
      'prize_order.placed',
      'prize_order.confirmation_requested',
    ])
    expect(entries.find(({ what }) => what === 'prize.ordered')).to.include({ from: 'won', to: 'ordered' })
  })

  it('has the calls of a wallet and its answers', async () => {
    const wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
    wallet.behave('decline')
    await useWallet(service.database, service.deps.config, casino.id, wallet)
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    const calls = await eventually('it is declined', async () => {
      const attempts = (await read(prizeId)).filter(({ kind }) => kind === 'attempt')
      return attempts.length === 2 && attempts
    })
    expect(calls.map(({ what, to, detail }) => [what, to, detail])).to.deep.equal([
      ['cashback.processing', 'processing', null],
      ['wallet.credit', 'declined', 'attempt 1, player_blocked'],
    ])
  })

  it('has the deliveries of its events to webhook endpoints, with the answer and the next try', async () => {
    const receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())
    receiver.treat(() => 500)
    const put = await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: receiver.url })
    expect(put.status, put.text).to.equal(201)
    const itemId = await service.factory.item(casino.id)
    const given = await operator.post(`/${casino.id}/prizes`, { player_id: 'ann', item_id: itemId })
    const prizeId = textAt(given, 'data.prize_id')
    const sent = await eventually('an attempt fails', async () => {
      const entry = (await read(prizeId)).find(({ kind }) => kind === 'delivery')
      return entry?.delivery?.last_status === 500 && entry
    })
    expect(sent).to.include({ what: 'prize.won', to: 'pending' })
    expect(sent.object).to.deep.equal({ type: 'prize', id: prizeId })
    expect(sent.delivery).to.deep.include({ endpoint_id: 'crm', attempts: 1 })
    expect(sent.delivery?.next_attempt_at).to.match(/^20/)
  })

  it('knows the states of a prize from the table of transitions', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const states = listAt(await operator.get(pathOf(prizeId)), 'data.states') as {
      state: string
      next: string[]
    }[]
    expect(Object.fromEntries(states.map(({ state, next }) => [state, next]))).to.deep.equal(prizeTransitions)
  })

  it('shows the newest entries of a long history, and says that there are older ones', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const fill = (from: number, to: number) => service.database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
      SELECT ${casino.id}::text, 'prize', ${prizeId}::text, n, 'prize.expiring', 'won', 'test',
             now() + n * interval '1 second'
        FROM generate_series(${from}::int, ${to}::int) AS n`
    // With the event of winning it: as many as are shown.
    await fill(1_001, 999 + entriesMax)
    const full = await operator.get(pathOf(prizeId))
    expect(at(full, 'data.is_partial')).to.equal(false)
    await fill(1_000 + entriesMax, 1_000 + entriesMax)
    const partial = await operator.get(pathOf(prizeId))
    expect(at(partial, 'data.is_partial')).to.equal(true)
    const entries = listAt(partial, 'data.entries')
    expect(entries).to.have.length(entriesMax)
    expect(entries.at(-1)).to.deep.equal({
      ...(listAt(full, 'data.entries').at(-1) as Entry),
      at: (entries.at(-1) as Entry).at,
    })
  })

  it('is visible to its own casino only', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const other = await service.factory.casino()
    const its = createOperator(service.client, other.apiKey)
    for (const path of [`/${other.id}/prizes/${prizeId}/timeline`, `/${other.id}/prizes/%00/timeline`]) {
      const reply = await its.get(path)
      expect(reply.status, path).to.be.oneOf([400, 404])
    }
    const foreign = await its.get(`/${other.id}/prizes/${prizeId}/timeline`)
    expect(foreign.headers.get('X-Error-Code')).to.equal('prize_unknown')
    expect((await its.get(pathOf(prizeId))).headers.get('X-Error-Code')).to.equal('casino_unknown')
  })
})
