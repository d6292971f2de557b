import { createOperator, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { createClient } from '../client.ts'
import type { Reply } from '../client.ts'
import { adminApiKey } from '../config.ts'
import type { TestCasino } from '../factory.ts'

export interface CampaignCasino {
  casino: TestCasino
  boxId: string
}

/**
 * Two casinos with a box each, whose rarest entry runs out: the first one has webhooks, the second one a wallet of its own.
 * They are made by calls, so that the service may be of another release.
 */
export async function setUpCasinos(
  apiUrl: string,
  partners: { receiver: { url: string }; wallet: { url: string; secret: string } },
): Promise<[CampaignCasino, CampaignCasino]> {
  const operator = createOperator(createClient(apiUrl, { isDocumented: false }), adminApiKey)
  const first = await setUpCasino(operator, 'first')
  const second = await setUpCasino(operator, 'second')
  await succeed(operator.put('/first/webhook-endpoints/all', { url: partners.receiver.url }))
  const { url, secret } = partners.wallet
  await succeed(operator.put('/second/settings/wallet', { kind: 'http', url, secret }))
  return [first, second]
}

async function setUpCasino(operator: TestOperator, id: string): Promise<CampaignCasino> {
  await succeed(operator.put(`/${id}`, { name: id }))
  for (const item of ['rare', 'common']) {
    const cashback = { amount_minor: 500, currency: 'EUR' }
    await succeed(operator.put(`/${id}/items/${item}`, { name: item, kind: 'physical', cashback }))
  }
  await succeed(
    operator.put(`/${id}/boxes/box`, {
      name: 'Box',
      access: 'limited',
      limit: { count: 100_000, period: 'lifetime' },
      entries: [
        { item_id: 'rare', weight: 1, stock: 20 },
        { item_id: 'common', weight: 3 },
      ],
      fallback_item_id: 'common',
    }),
  )
  const key = await succeed(operator.post(`/${id}/api-keys`, { scopes: ['play', 'manage'] }))
  return { casino: { id, apiKey: textAt(key, 'data.api_key') }, boxId: 'box' }
}

async function succeed(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}
