import { expect } from 'chai'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { placeOrders } from '../../support/acts.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the revision that an operator expects of settings, items and selections', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let path: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    path = `/${casino.id}`
  })

  const expectChanged = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(409)
    expect(reply.headers.get('X-Error-Code')).to.equal('revision_changed')
  }
  const putExpiry = (warn_days: number, expected_revision?: unknown) =>
    operator.put(`${path}/settings/expiry`, {
      warn_days,
      ...(expected_revision === undefined ? {} : { expected_revision }),
    })
  const putMug = (name: string, expected_revision?: unknown) =>
    operator.put(`${path}/items/mug`, {
      name,
      kind: 'physical',
      ...(expected_revision === undefined ? {} : { expected_revision }),
    })

  it('lets a setting be changed that was never changed before, and once at each revision', async () => {
    expect(at(await operator.get(`${path}/settings/expiry`), 'data.revision')).to.equal(0)
    expectChanged(await putExpiry(1, 1))
    expect(at(await putExpiry(1, 0), 'data.revision')).to.equal(1)
    expectChanged(await putExpiry(2, 0))
    expect(at(await putExpiry(3, 1), 'data.revision')).to.equal(2)
    expectChanged(await putExpiry(4, 1))
    expect(at(await putExpiry(5), 'data.revision'), 'without one').to.equal(3)
    const read = await operator.get(`${path}/settings/expiry`)
    expect(at(read, 'data')).to.deep.include({ value: { warn_days: 5 }, revision: 3 })
    const events = listAt(await operator.get(`${path}/events?types=expiry.*`))
    expect(events, 'a refused change has no event').to.have.length(3)
  })

  it('lets one of several concurrent changes of a setting take effect', async () => {
    await putExpiry(1)
    const replies = await Promise.all([2, 3, 4].map((days) => putExpiry(days, 1)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    expect(at(await operator.get(`${path}/settings/expiry`), 'data.revision')).to.equal(2)
  })

  it('keeps a refused change from replacing a secret or ending a pause', async () => {
    const url = 'https://wallet.example.com/rewards'
    const secretOf = (reply: Reply) => textAt(reply, 'data.secret')
    secretOf(await operator.put(`${path}/settings/wallet`, { kind: 'http', url }))
    const where = { casinoId_name: { casinoId: casino.id, name: 'wallet' } }
    await service.database.casinoSetting.update({ where, data: { pausedAt: new Date(), revision: 2 } })
    const before = await service.database.casinoSetting.findUniqueOrThrow({ where })
    expectChanged(
      await operator.put(`${path}/settings/wallet`, {
        kind: 'http',
        url,
        new_secret: true,
        expected_revision: 1,
      }),
    )
    expect(await service.database.casinoSetting.findUniqueOrThrow({ where })).to.deep.equal(before)
  })

  it('lets an item be made if there is none, and changed once at each revision', async () => {
    expectChanged(await putMug('Expected to be there', 1))
    expect((await operator.get(`${path}/items/mug`)).status).to.equal(404)
    expect(at(await putMug('Mug', 0), 'data.revision')).to.equal(1)
    expectChanged(await putMug('Another mug', 0))
    expect(at(await putMug('Blue mug', 1), 'data.revision')).to.equal(2)
    expectChanged(await putMug('Late mug', 1))
    expect(at(await operator.get(`${path}/items/mug`), 'data')).to.include({ name: 'Blue mug', revision: 2 })
    expect(fieldOf(listAt(await operator.get(`${path}/items`)), 'revision')).to.deep.equal([2])
  })

  it('lets one of several concurrent requests make an item', async () => {
    const replies = await Promise.all(['One', 'Two', 'Three'].map((name) => putMug(name, 0)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    expect(at(await operator.get(`${path}/items/mug`), 'data.revision')).to.equal(1)
  })

  it('must be a whole number from 0 for settings and items, which may be new', async () => {
    for (const wrong of [-1, 1.5, '1', null, 2 ** 31]) {
      for (const reply of [await putExpiry(1, wrong), await putMug('Mug', wrong)]) {
        expect(reply.status, `${wrong}: ${reply.text}`).to.equal(400)
      }
    }
  })

  it('refuses those objects of a selection that have changed since, and no others', async () => {
    const ids = await placeOrders(service, casino, 3)
    const [first = '', second = ''] = ids
    const seen = await Promise.all(
      ids.map(async (id) => Number(at(await operator.get(`${path}/orders/${id}`), 'data.revision'))),
    )
    const held = await operator.post(`${path}/orders/${second}/hold`, { hold_reason: 'kyc_pending' })
    expect(held.status, held.text).to.equal(200)
    const made = await operator.post(`${path}/acts`, {
      action: 'order.confirm',
      object_ids: ids,
      expected_revisions: seen,
    })
    expect(made.status, made.text).to.equal(201)
    expect(at(made, 'data.progress')).to.include({ objects: 3, waiting: 2, refused: 1 })
    const objects = `${path}/acts/${textAt(made, 'data.act_id')}/objects`
    const refused = listAt(await operator.get(`${objects}?state=refused`))
    expect(fieldOf(refused, 'object_id')).to.deep.equal([second])
    expect(fieldOf(refused, 'code')).to.deep.equal(['revision_changed'])
    // With what is now, the same selection is allowed.
    const again = await operator.post(`${path}/acts`, {
      action: 'order.confirm',
      object_ids: [first, second],
      expected_revisions: [seen[0], Number(at(held, 'data.revision'))],
    })
    expect(at(again, 'data.progress')).to.include({ waiting: 2, refused: 0 })
  })

  it('must be given for each object of a selection, and only for kinds of objects that have revisions', async () => {
    const [orderId = ''] = await placeOrders(service, casino, 1)
    const ask = (body: object) => operator.post(`${path}/acts`, body)
    const confirm = { action: 'order.confirm', object_ids: [orderId] }
    for (const wrong of [[], [1, 1], [0], ['1'], [null], 1, null]) {
      const reply = await ask({ ...confirm, expected_revisions: wrong })
      expect(reply.status, `${JSON.stringify(wrong)}: ${reply.text}`).to.equal(400)
      expect(complaintsOf(reply)[0]).to.match(/^expected_revisions/)
    }
    await putMug('Mug')
    const give = { action: 'player.give-prize', params: { item_id: 'mug' }, object_ids: ['player'] }
    expect(complaintsOf(await ask({ ...give, expected_revisions: [1] }))).to.deep.equal([
      'expected_revisions',
    ])
    const unknown = await ask({ ...confirm, object_ids: ['ord_nobody'], expected_revisions: [7] })
    expect(at(unknown, 'data.progress')).to.include({ refused: 1 })
  })
})
