import { randomBytes } from 'node:crypto'
import { createOperator } from '../../api/admin/operator.ts'
import type { TestCasino } from '../factory.ts'
import { startFakeProvider } from '../fake-provider.ts'
import { startFakeWallet } from '../fake-wallet.ts'
import { partnerTimeoutMs, turnProvider, useProvider } from './partners.ts'
import { startModelReceiver } from './receiver.ts'
import { insist } from './world.ts'
import type { Machine, Wishes, World } from './world.ts'

/** The items that can be won or given. Those with few days expire. */
export const items = {
  mug: { name: 'Mug', kind: 'physical', cashback: { amount_minor: 500, currency: 'EUR' } },
  poster: { name: 'Poster', kind: 'physical' },
  money: { name: 'Money', kind: 'cash', cashback: { amount_minor: 1_999, currency: 'USD' } },
  voucher: {
    name: 'Voucher',
    kind: 'physical',
    cashback: { amount_minor: 250, currency: 'EUR' },
    claim_days: 4,
  },
  nothing: { name: 'Nothing', kind: 'none' },
} as const

const limit = { count: 1_000, period: 'lifetime' }
/** One that continues with something else when it is empty, one that closes, and one for those who were given openings. */
const boxes = {
  generous: {
    access: 'limited',
    limit,
    entries: [
      { item_id: 'mug', weight: 2, stock: 3 },
      { item_id: 'money', weight: 1 },
    ],
    fallback_item_id: 'nothing',
  },
  scarce: {
    access: 'limited',
    limit,
    entries: [
      { item_id: 'voucher', weight: 3, stock: 2 },
      { item_id: 'poster', weight: 1 },
    ],
  },
  granted: { access: 'granted', entries: [{ item_id: 'mug', weight: 1 }] },
} as const
export type BoxName = keyof typeof boxes
export const boxNames = Object.keys(boxes) as BoxName[]

/** A casino of its own, with its partners, set up as its operators would do it. */
export async function beginWorld(
  machine: Machine,
  casino: TestCasino,
  wishes: Wishes,
): Promise<{ world: World; end: () => Promise<void> }> {
  const providerSecret = `whsec_${randomBytes(32).toString('base64')}`
  const [wallet, first, second, receiver] = await Promise.all([
    startFakeWallet(),
    startFakeProvider(providerSecret),
    startFakeProvider(providerSecret),
    startModelReceiver(),
  ])
  const providers = [first, second].map((fake) => ({ fake, cancelled: new Set<string>() }))
  for (const provider of providers) turnProvider(provider, 'accepts')
  const operator = () => createOperator(machine.client(), casino.apiKey)
  const world: World = {
    machine,
    wishes,
    casino,
    wallet,
    providers,
    providerSecret,
    receiver,
    operator,
    play: (path, body, key) =>
      machine.client().post(path, casino.apiKey, body, key === undefined ? {} : { 'Idempotency-Key': key }),
  }
  const put = async (path: string, body: object) => {
    const reply = await operator().put(`/${casino.id}/${path}`, body)
    insist(reply.status < 300, () => `${path} was answered with ${reply.status}: ${reply.text}`)
  }
  // First of all: an endpoint gets only the events from then on.
  if (wishes.hasWebhooks) await put('webhook-endpoints/main', { url: receiver.url })
  if (wishes.wallet === 'http')
    await put('settings/wallet', {
      kind: 'http',
      url: wallet.url,
      secret: wallet.secret,
      timeout_ms: partnerTimeoutMs,
    })
  if (wishes.fulfilment === 'http') {
    const [provider] = providers
    if (provider !== undefined) await useProvider(world, provider)
  }
  for (const [id, item] of Object.entries(items)) await put(`items/${id}`, item)
  for (const [id, box] of Object.entries(boxes)) await put(`boxes/${id}`, { name: id, ...box })
  return {
    world,
    end: async () => {
      // With any change of time by later runs, no partner of this casino is called any more.
      if (wishes.hasWebhooks) await operator().post(`/${casino.id}/webhook-endpoints/main/disable`, {})
      await Promise.all([wallet.stop(), first.stop(), second.stop(), receiver.stop()])
    },
  }
}
