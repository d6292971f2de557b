import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { complaintsOf, createOperator } from '../api/admin/operator.ts'

const composed = 'caf\u00e9'
const decomposed = 'cafe\u0301'

describe('ids that look alike', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('are refused for new items, boxes, endpoints and casinos, while existing ones still work', async () => {
    const admin = createOperator(service.client, adminApiKey)
    const { id: casino } = await service.factory.casino()
    const item = { name: 'Mug', kind: 'physical' }
    const box = { name: 'Box', access: 'granted', entries: [{ item_id: composed, weight: 1 }] }
    const endpoint = { url: 'https://hooks.example.com' }
    const things: [string, string, (id: string) => string, object][] = [
      ['item_id', composed, (id) => `/${casino}/items/${id}`, item],
      ['box_id', composed, (id) => `/${casino}/boxes/${id}`, box],
      ['endpoint_id', composed, (id) => `/${casino}/webhook-endpoints/${id}`, endpoint],
      ['casino_id', composed, (id) => `/${id}`, { name: 'Café' }],
    ]
    for (const [name, id, path, body] of things) {
      const refused = await admin.put(path(encodeURIComponent(decomposed)), body)
      expect([refused.status, complaintsOf(refused)], name).to.deep.equal([400, [name]])
      expect((await admin.put(path(encodeURIComponent(id)), body)).status, name).to.be.within(200, 201)
    }
    const data = { casinoId: casino, id: decomposed, name: 'From before', kind: 'physical' }
    await service.database.item.create({ data })
    const kept = await admin.put(`/${casino}/items/${encodeURIComponent(decomposed)}`, item)
    expect(kept.status, 'one from before').to.equal(200)
  })
})
