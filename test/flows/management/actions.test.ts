import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

interface Action {
  action: string
  allowed: boolean
  right: string
  why_not: string | null
  consequence: string
  cannot_undo: boolean
  fields: string[]
}

describe('the actions that an object offers', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let path: string
  let wallet: FakeWallet

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    path = `/${casino.id}`
  })

  const work = async () => {
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
  }
  const order = async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    return textAt(await operator.get(`${path}/prizes/${prizeId}`), 'data.orders.0.order_id')
  }
  const actionsOf = async (what: string): Promise<Action[]> =>
    listAt(await operator.get(`${path}/${what}`), 'data.actions') as Action[]
  const allowedOf = async (what: string) =>
    (await actionsOf(what)).filter(({ allowed }) => allowed).map(({ action }) => action)
  const nextOf = async (what: string) => at(await operator.get(`${path}/${what}`), 'data.next')

  it('are exactly those that the service would carry out on an order, in each state of the order', async () => {
    const orderId = await order()
    const what = `orders/${orderId}`
    const valuesOf: Readonly<Record<string, unknown>> = {
      hold_reason: 'fraud_risk',
      exception_reason: 'lost',
      tracking_number: 'T-1',
      ...delivery,
    }
    const steps = [
      ['pending_confirmation', ['confirm', 'reject', 'cancel', 'hold', 'delivery']],
      ['confirm', ['cancel', 'hold', 'ship', 'delivery']],
      ['ship', ['ship', 'deliver', 'exception']],
      ['exception', ['cancel', 'hold', 'ship', 'deliver', 'reship', 'delivery']],
      ['deliver', []],
    ] as const
    for (const [step, expected] of steps) {
      if (step !== 'pending_confirmation') {
        const moved = await operator.post(`${path}/${what}/${step}`, {
          ...(step === 'exception' ? { exception_reason: 'lost' } : {}),
        })
        expect(moved.status, moved.text).to.equal(200)
      }
      expect(await allowedOf(what), step).to.deep.equal(expected)
      // An action that is shown as not allowed is refused, with the same message.
      for (const { action, allowed, why_not: whyNot, fields } of await actionsOf(what)) {
        expect(whyNot === null, `${step} ${action}`).to.equal(allowed)
        if (allowed) continue
        const body = Object.fromEntries(
          fields.flatMap((name) => (name in valuesOf ? [[name, valuesOf[name]]] : [])),
        )
        const reply =
          action === 'delivery'
            ? await operator.put(`${path}/${what}/delivery`, delivery)
            : await operator.post(`${path}/${what}/${action}`, action === 'release' ? {} : body)
        expect(reply.status, `${step} ${action}: ${reply.text}`).to.equal(409)
        expect(reply.json).to.deep.equal({ status: 'error', message: whyNot })
      }
    }
  })

  it('name the operators who may use them, their consequences, whether they are final, and their fields', async () => {
    const orderId = await order()
    const [confirm, reject] = await actionsOf(`orders/${orderId}`)
    expect(confirm).to.deep.equal({
      action: 'confirm',
      allowed: true,
      right: 'support',
      why_not: null,
      consequence: 'The order is confirmed, and a worker submits it for shipment.',
      cannot_undo: false,
      fields: [],
    })
    expect(reject).to.deep.include({ action: 'reject', cannot_undo: true, fields: ['return_prize'] })

    const { prizeId } = await service.factory.prize(casino.id)
    expect(await actionsOf(`prizes/${prizeId}`)).to.deep.equal([
      {
        action: 'void',
        allowed: true,
        right: 'finance',
        why_not: null,
        consequence: 'The player loses the prize.',
        cannot_undo: true,
        fields: [],
      },
    ])
  })

  it('come with what happens next to an order, and when', async () => {
    const orderId = await order()
    const what = `orders/${orderId}`
    await work()
    const { snoozedUntil } = await service.database.outbox.findFirstOrThrow({ where: { objectId: orderId } })
    const reminder = { what: 'reminder', at: snoozedUntil?.toISOString() }
    expect(await nextOf(what)).to.deep.equal(reminder)
    const prizeId = textAt(await operator.get(`${path}/${what}`), 'data.prize_id')
    expect(await nextOf(`prizes/${prizeId}`)).to.deep.equal(reminder)
    await operator.post(`${path}/${what}/hold`, { hold_reason: 'kyc_pending' })
    await operator.post(`${path}/${what}/confirm`)
    expect(await nextOf(what)).to.deep.equal({ what: 'person', at: null })
    await operator.post(`${path}/${what}/release`)
    expect(await nextOf(what)).to.deep.equal({ what: 'submission', at: null })
    await operator.post(`${path}/${what}/cancel`)
    expect(await nextOf(what)).to.equal(null)
  })

  it('are those of a cashback whose wallet has not answered, and when it is asked again', async () => {
    const own = await service.factory.casino()
    const its = createOperator(service.client, own.apiKey)
    await useWallet(service.database, service.deps.config, own.id, wallet)
    wallet.behave({ status: 503, body: '' })
    const { prizeId, playerId } = await service.factory.prize(own.id, { cashback: 500 })
    await service.client.post('/prize/cashback', own.apiKey, { player_id: playerId, prize_id: prizeId })
    await work()
    const id = textAt(await its.get(`/${own.id}/prizes/${prizeId}`), 'data.cashbacks.0.cashback_id')
    const shown = await its.get(`/${own.id}/cashbacks/${id}`)
    const { snoozedUntil } = await service.database.outbox.findFirstOrThrow({ where: { objectId: id } })
    expect(at(shown, 'data.next')).to.deep.equal({ what: 'retry', at: snoozedUntil?.toISOString() })
    const actions = listAt(shown, 'data.actions') as Action[]
    expect(actions.map(({ action, allowed, right }) => [action, allowed, right])).to.deep.equal([
      ['retry', true, 'support'],
      ['release-wallet', true, 'finance'],
      ['resolve', true, 'finance'],
      ['reverse', false, 'finance'],
    ])
    expect(actions[2]).to.deep.include({ cannot_undo: true, fields: ['outcome'] })
    expect(actions[3]?.why_not).to.equal('Cannot reverse a cashback that is unknown')
    const resolved = await its.post(`/${own.id}/cashbacks/${id}/resolve`, {
      outcome: 'credited',
      reason: 'the wallet’s log has it',
    })
    expect(resolved.status, resolved.text).to.equal(200)
    const after = await its.get(`/${own.id}/cashbacks/${id}`)
    expect(at(after, 'data.next')).to.equal(null)
    const allowed = (listAt(after, 'data.actions') as Action[]).filter((one) => one.allowed)
    expect(allowed.map(({ action, fields }) => [action, fields])).to.deep.equal([
      ['reverse', ['prize', 'money_back']],
    ])
  })
})
