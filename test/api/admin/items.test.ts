import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('items', () => {
  let service: TestService
  let operator: TestOperator
  let items: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    const casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    items = `/${casino.id}/items`
  })

  it('creates an item and reads it again', async () => {
    const item = {
      name: 'Bicycle',
      kind: 'physical',
      description: 'Red',
      image_url: 'https://img.example/bicycle.png',
      cashback: { amount_minor: Number.MAX_SAFE_INTEGER, currency: 'EUR' },
      claim_days: 30,
    }
    const put = await operator.put(`${items}/bicycle`, item)
    expect(put.status).to.equal(200)
    const { created_at, updated_at, ...rest } = at(put, 'data') as Record<string, unknown>
    expect(rest).to.deep.equal({ item_id: 'bicycle', ...item, revision: 1 })
    expect(created_at).to.equal(updated_at)
    expect((await operator.get(`${items}/bicycle`)).json).to.deep.equal(put.json)
  })

  it('replaces an item as a whole', async () => {
    await operator.put(`${items}/cap`, { name: 'Cap', kind: 'physical', claim_days: 3, description: 'Blue' })
    const put = await operator.put(`${items}/cap`, {
      name: 'Cup',
      kind: 'none',
      description: null,
      cashback: null,
    })
    expect(at(put, 'data')).to.include({
      name: 'Cup',
      kind: 'none',
      description: null,
      cashback: null,
      claim_days: null,
    })
  })

  it('creates an item once when many requests put it at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        operator.put(`${items}/busy`, { name: `Busy ${i}`, kind: 'bonus' }),
      ),
    )
    expect(new Set(fieldOf(replies, 'status'))).to.deep.equal(new Set([200]))
  })

  it('names every invalid field of an item', async () => {
    const right = { name: 'Cap', kind: 'physical' }
    const cases: [string[], object][] = [
      [['kind', 'name'], {}],
      [['kind'], { ...right, kind: 'gold' }],
      [['image_url'], { ...right, image_url: 'javascript:alert(1)' }],
      [['claim_days'], { ...right, claim_days: 0 }],
      [['claim_days'], { ...right, claim_days: 36_501 }],
      [['cashback'], { ...right, cashback: 5 }],
      [['cashback'], { ...right, cashback: '{"amount_minor":1,"currency":"EUR"}' }],
      [['cashback.amount_minor', 'cashback.currency'], { ...right, cashback: {} }],
      [['cashback.amount_minor'], { ...right, cashback: { amount_minor: 0, currency: 'EUR' } }],
      [['cashback.amount_minor'], { ...right, cashback: { amount_minor: 1.5, currency: 'EUR' } }],
      [['cashback.amount_minor'], { ...right, cashback: { amount_minor: '1', currency: 'EUR' } }],
      [['cashback.amount_minor'], { ...right, cashback: { amount_minor: 2 ** 53, currency: 'EUR' } }],
      [['cashback.currency'], { ...right, cashback: { amount_minor: 1, currency: 'eur' } }],
      [['cashback.currency'], { ...right, cashback: { amount_minor: 1, currency: 'EUR\n' } }],
      [['description'], { ...right, description: 'x'.repeat(4_001) }],
    ]
    for (const [names, body] of cases) {
      const reply = await operator.put(`${items}/bad`, body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
      expect(complaintsOf(reply), JSON.stringify(body)).to.deep.equal(names)
    }
    expect((await operator.get(`${items}/bad`)).headers.get('X-Error-Code')).to.equal('item_unknown')
  })

  it('repeats no part of a value that it refuses', async () => {
    const secret = 'SECRET'
    const reply = await operator.put(`${items}/bad`, {
      name: 'x',
      kind: secret,
      image_url: secret,
      claim_days: secret,
      cashback: { amount_minor: secret, currency: secret },
    })
    expect(reply.status).to.equal(400)
    expect(reply.text).not.to.contain(secret)
  })

  it('lists every item once, page by page', async () => {
    expect(await readAll(operator, items, 2, 'item_id')).to.have.members(['bicycle', 'cap', 'busy'])
  })
})
