import { Webhook } from 'standardwebhooks'
import type { ProviderCall, ProviderReaction } from '../fake-provider.ts'
import type { WalletBehaviour } from '../fake-wallet.ts'
import type { OrderRow } from './records.ts'
import { insist } from './world.ts'
import type { Model, ModelProvider, World } from './world.ts'

/** The shortest that a setting allows: a partner that hangs costs the test that much. */
export const partnerTimeoutMs = 500

/** The behaviour of a wallet from now on, by name. */
export const walletMoods: Readonly<Record<string, WalletBehaviour>> = {
  honest: 'honest',
  declines: 'decline',
  'acts and dies': 'act-then-die',
  'acts and hangs': 'act-then-hang',
  hangs: 'hang',
  'answers late': 'late',
  'answers twice': 'twice',
  'credits another amount': 'wrong-amount',
  'is down': { status: 503, body: 'busy' },
  babbles: { status: 200, body: '<html>' },
  'refuses without a listed reason': { status: 422, body: { status: 'declined', code: 'mercury' } },
  'does not know us': { status: 401, body: '' },
}

/** The behaviour of a provider from now on, by name. In every mood, it keeps its earlier answers about a parcel. */
export const providerMoods: Readonly<Record<string, (call: ProviderCall) => ProviderReaction>> = {
  accepts: ({ type }) => answer(type === 'order.cancel' ? 'cancelled' : 'accepted'),
  rejects: ({ type }) =>
    type === 'order.submit'
      ? { status: 422, body: { status: 'rejected', code: 'out_of_stock' } }
      : answer(type === 'order.cancel' ? 'refused' : 'accepted'),
  'takes its time to cancel': ({ type }) => answer(type === 'order.cancel' ? 'pending' : 'accepted'),
  'acts and dies': () => 'acts_and_dies',
  hangs: () => 'hangs',
  'is down': () => ({ status: 503, text: 'busy' }),
  babbles: () => ({ status: 200, text: '<html>' }),
  'does not know us': () => ({ status: 403, text: '' }),
}

function answer(status: string): ProviderReaction {
  return { status: 200, body: { status } }
}

/** `cancelled` are parcels that the provider has promised not to send: it does not take them on again. */
export function turnProvider({ fake: provider, cancelled }: ModelProvider, mood: string): void {
  const react = providerMoods[mood]
  if (react === undefined) throw new Error(`no provider ${mood}`)
  provider.react((call) => {
    const reaction = react(call)
    const id = call.submission_id
    if (typeof reaction === 'object' && 'body' in reaction) {
      if (call.type === 'order.submit' && cancelled.has(id))
        return { status: 422, body: { status: 'rejected', code: 'rejected' } }
      if (call.type === 'order.submit' && provider.parcels.has(id)) return answer('accepted')
      if (call.type === 'order.submit' && statusOf(reaction) === 'rejected') cancelled.add(id)
      if (call.type === 'order.cancel' && cancelled.has(id)) return answer('cancelled')
      if (call.type === 'order.cancel' && statusOf(reaction) === 'cancelled') cancelled.add(id)
    }
    // It takes a parcel that it has promised not to send for nothing new.
    if (reaction === 'acts_and_dies' && (call.type !== 'order.submit' || cancelled.has(id))) {
      if (call.type === 'order.cancel') cancelled.add(id)
      return 'hangs'
    }
    return reaction
  })
}

function statusOf(reaction: { body: unknown }): unknown {
  return (reaction.body as { status?: unknown }).status
}

export interface ShipmentUpdate {
  status: string
  /** The time of the event, relative to now. */
  offsetMs: number
  /** 0 for the current parcel, -1 for the one before it, 1 for the next. */
  shipmentOffset: number
  /** Whether an earlier message is sent again. */
  repeats: boolean
}

/** From now on the casino's setting names this one. */
export async function useProvider(world: World, { fake: { url } }: ModelProvider): Promise<void> {
  const { casino, providerSecret: secret } = world
  const setting = { kind: 'http', url, secret, timeout_ms: partnerTimeoutMs, poll_minutes: 60 }
  const reply = await world.operator().put(`/${casino.id}/settings/fulfilment`, setting)
  insist(reply.status < 300, () => `the provider was answered with ${reply.status}: ${reply.text}`)
}

/** The provider sends a shipment update: in time, late, twice, or nonsense. Every signed one is accepted. */
export async function sendUpdate(
  model: Model,
  world: World,
  order: OrderRow,
  update: ShipmentUpdate,
): Promise<void> {
  const { machine, casino, providerSecret, wishes } = world
  const earlier = [...model.updates.entries()].at(-1)
  const isRepeated = update.repeats && earlier !== undefined
  const id = isRepeated ? earlier[0] : `update-${model.updates.size + 1}`
  const now = machine.now()
  const message = isRepeated
    ? earlier[1]
    : {
        order_id: order.id,
        shipment_number: Math.max(1, order.shipment_number + update.shipmentOffset),
        status: update.status,
        occurred_at: new Date(now.getTime() + update.offsetMs).toISOString(),
        ...(update.status === 'exception' ? { reason: 'returned' } : {}),
      }
  const body = JSON.stringify(message)
  const reply = await machine.client().send('POST', `/partners/fulfilment/${casino.id}`, {
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(providerSecret).sign(id, now, body),
    },
    body,
  })
  const expected = wishes.fulfilment === 'http' ? 200 : 401
  insist(
    reply.status === expected,
    () => `shipment update ${id} was answered with ${reply.status}: ${reply.text}`,
  )
  if (reply.status === 200) model.updates.set(id, message)
}
