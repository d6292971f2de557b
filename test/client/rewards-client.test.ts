import { expect } from 'chai'
import { createRewardsClient } from '../../client/rewards-client.ts'
import type { RewardsClient } from '../../client/rewards-client.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { checkReply } from '../support/check-reply.ts'
import { toReply } from '../support/client.ts'
import { delivery } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** The data of an answer, which must be a success. */
function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error(`refused: ${JSON.stringify(error)}`)
  return data
}

describe('the typed client', () => {
  let service: TestService
  /** Checks every answer against the document. */
  const createChecked = (apiKey: string): RewardsClient => {
    const client = createRewardsClient({ baseUrl: `${service.url}/rewards`, apiKey })
    client.use({
      onResponse: async ({ request, response }) => {
        const path = new URL(request.url).pathname.slice('/rewards'.length)
        checkReply(request.method, path, await toReply(response.clone()))
      },
    })
    return client
  }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { BASE_PATH: '/rewards' } })
    atEnd(() => service.stop())
  })

  it('can create a casino, order one of its prizes and cash back another', async () => {
    const admin = createChecked(adminApiKey)
    const casino = { casino_id: 'acme' }
    dataOf(
      await admin.PUT('/admin/casinos/{casino_id}', { params: { path: casino }, body: { name: 'Acme' } }),
    )
    dataOf(
      await admin.PUT('/admin/casinos/{casino_id}/items/{item_id}', {
        params: { path: { ...casino, item_id: 'mug' } },
        body: { name: 'Mug', kind: 'physical', cashback: { amount_minor: 500, currency: 'EUR' } },
      }),
    )
    const box = dataOf(
      await admin.PUT('/admin/casinos/{casino_id}/boxes/{box_id}', {
        params: { path: { ...casino, box_id: 'daily' } },
        body: {
          name: 'Daily',
          access: 'limited',
          limit: { count: 2, period: 'day' },
          entries: [{ item_id: 'mug', weight: 1 }],
        },
      }),
    )
    expect(box.data.version).to.equal(1)
    const made = dataOf(
      await admin.POST('/admin/casinos/{casino_id}/api-keys', {
        params: { path: casino },
        body: { name: 'production', scopes: ['play', 'manage'] },
      }),
    )
    const rewards = createChecked(made.data.api_key)

    const open = async () =>
      dataOf(await rewards.POST('/box/open', { body: { player_id: 'p', box_id: 'daily' } })).prize
    const [first, second] = [await open(), await open()]
    const ordered = await rewards.POST('/prize/order', {
      body: { player_id: 'p', prize_id: first.id, ...delivery },
      params: { header: { 'Idempotency-Key': 'order-1' } },
    })
    expect(dataOf(ordered).message).to.equal('Prize order recorded. Awaiting confirmation for shipment.')
    const cashedBack = await rewards.POST('/prize/cashback', {
      body: { player_id: 'p', prize_id: second.id },
    })
    expect(dataOf(cashedBack).message).to.equal('Cashback decision recorded')

    const listed = dataOf(
      await rewards.GET('/admin/casinos/{casino_id}/players/{player_id}/prizes', {
        params: { path: { ...casino, player_id: 'p' }, query: { limit: 10 } },
      }),
    )
    expect(listed.data.map(({ state }) => state)).to.have.members(['ordered', 'cashback_pending'])
  })

  it('distinguishes refusals by their status, with the documented message', async () => {
    const { apiKey } = await service.factory.casino()
    const rewards = createChecked(apiKey)
    const { error, response } = await rewards.POST('/prize/order', {
      body: { player_id: 'p', prize_id: 'none', ...delivery },
    })
    expect(response.status).to.equal(404)
    expect(response.headers.get('x-error-code')).to.equal('prize_unknown')
    expect(error).to.deep.equal({ status: 'error', message: 'Prize not found or unavailable for order' })
  })
})
