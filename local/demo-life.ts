import { setTimeout as wait } from 'node:timers/promises'
import { withGoneReceiver } from './gone-receiver.ts'

/** Asks the management API, or with a casino's key the three operations; rejects unless the answer is a success. */
export type Ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) => Promise<Answer>

export type Answer = Readonly<Record<string, unknown>>

const casino = '/admin/casinos/demo'

/** Other players than the one of the printed requests. */
const players = ['player-2', 'player-3', 'player-4']

/**
 * Gives the demo casino a history, so that the pages of the console have something to show: openings, orders that wait,
 * are held (with a note), shipped, delivered, lost, rejected and cancelled, cashbacks, a second version of a box, a bulk
 * action, and a webhook receiver that cannot be reached. A second casino has partners that fail
 * (`addCasinoWithPartners`).
 */
export async function addLife(manage: Ask, play: Ask): Promise<void> {
  // Names below .invalid lead nowhere (RFC 2606).
  await manage('PUT', `${casino}/webhook-endpoints/unreachable`, {
    url: 'https://webhooks.invalid/rewards',
    description: 'A receiver that does not exist',
  })
  await Promise.all([
    addOrders(manage, play),
    addCashbacks(manage, play),
    addOpenings(manage, play),
    manage('PUT', `${casino}/boxes/daily-box`, changedDailyBox),
    addAct(manage),
  ])
}

/** Replaces the one of `demo.ts`: with an entry more, and other weights. */
const changedDailyBox = {
  name: 'Daily box',
  access: 'limited',
  limit: { count: 3, period: 'day' },
  entries: [
    { item_id: 'mug', weight: 1 },
    { item_id: 'cash-10', weight: 4 },
    { item_id: 'free-spins', weight: 35 },
    { item_id: 'nothing', weight: 60 },
  ],
}

/** A worker carries it out. */
async function addAct(manage: Ask): Promise<void> {
  const { act_id } = await manage('POST', `${casino}/acts`, {
    action: 'player.give-prize',
    params: { item_id: 'free-spins' },
    object_ids: players,
  })
  await manage('POST', `${casino}/acts/${String(act_id)}/start`, { reason: 'Sorry for the slow parcels' })
}

const partnerCasino = '/admin/casinos/demo-wallet'

/**
 * Makes a casino with partners of its own that fail: its wallet gives no clear answer, so that its cashback is unknown,
 * its provider has no such address, so that it is paused, and a webhook receiver says that it is gone, so that its
 * endpoint is switched off. It is not the demo casino, whose printed requests must
 * work: partners belong to a whole casino. `asKey` asks with the key of a casino.
 */
export async function addCasinoWithPartners(
  manage: Ask,
  asKey: (apiKey: string) => Ask,
  { walletUrl, providerUrl }: { walletUrl: string; providerUrl: string },
): Promise<void> {
  await manage('PUT', partnerCasino, { name: 'Demo casino with partners' })
  await manage('PUT', `${partnerCasino}/settings/wallet`, { kind: 'http', url: walletUrl })
  await manage('PUT', `${partnerCasino}/settings/fulfilment`, { kind: 'http', url: providerUrl })
  await manage('PUT', `${partnerCasino}/items/cash-10`, {
    name: '10 euros',
    kind: 'cash',
    cashback: { amount_minor: 1_000, currency: 'EUR' },
  })
  await manage('PUT', `${partnerCasino}/items/mug`, { name: 'Coffee mug', kind: 'physical' })
  const { api_key } = await manage('POST', `${partnerCasino}/api-keys`, { name: 'npm start' })
  const play = asKey(String(api_key))
  const player_id = 'player-1'
  const cash = await givePrize(manage, partnerCasino, { player_id, item_id: 'cash-10' })
  await play('POST', '/prize/cashback', { player_id, prize_id: cash })
  const mug = await givePrize(manage, partnerCasino, { player_id, item_id: 'mug' })
  await play('POST', '/prize/order', { player_id, prize_id: mug, ...delivery })
  await manage('POST', `${await orderOf(manage, partnerCasino, mug)}/confirm`, {})
  await addGoneEndpoint(manage)
}

/** The first delivery ends it, and waits from then on: only a person can send it again. */
async function addGoneEndpoint(manage: Ask): Promise<void> {
  const path = `${partnerCasino}/webhook-endpoints/retired`
  await withGoneReceiver(async (url) => {
    await manage('PUT', path, { url, description: 'A receiver that is gone: it has answered 410' })
    await givePrize(manage, partnerCasino, { player_id: 'player-1', item_id: 'mug' })
    const isDisabled = async () => (await manage('GET', path))['state'] === 'disabled'
    for (let look = 0; look < goneLooksMax && !(await isDisabled()); look++) await wait(betweenLooksMs)
  })
}

async function addOpenings(manage: Ask, play: Ask): Promise<void> {
  const [box_id, count] = ['welcome-box', 3]
  await manage('POST', `${casino}/grants`, {
    grants: players.map((player_id) => ({ player_id, box_id, count })),
  })
  const openings = players.flatMap((player_id) =>
    Array.from({ length: count }, () => ({ player_id, box_id })),
  )
  await Promise.all(openings.map((opening) => play('POST', '/box/open', opening)))
}

async function addCashbacks(manage: Ask, play: Ask): Promise<void> {
  await Promise.all(
    players.map(async (player_id) => {
      const prize_id = await givePrize(manage, casino, { player_id, item_id: 'cash-10' })
      await play('POST', '/prize/cashback', { player_id, prize_id })
    }),
  )
}

/** The moves of each order after its placing, one after another. */
const orderMoves: readonly (readonly (readonly [move: string, body: object])[])[] = [
  [],
  [],
  [
    ['hold', { hold_reason: 'incorrect_address', reason: 'The house number is missing' }],
    ['confirm', {}],
  ],
  [['reject', { reason: 'Ordered by mistake' }]],
  [['cancel', { reason: 'The player has changed their mind' }]],
  [
    ['confirm', {}],
    ['ship', { carrier: 'Royal Mail', tracking_number: 'RM123456789GB' }],
  ],
  [
    ['confirm', {}],
    ['ship', { carrier: 'Royal Mail', tracking_number: 'RM223456789GB' }],
    ['deliver', {}],
  ],
  [
    ['confirm', {}],
    ['ship', { carrier: 'Royal Mail', tracking_number: 'RM323456789GB' }],
    ['exception', { exception_reason: 'lost', reason: 'The carrier cannot find the parcel' }],
  ],
]

async function addOrders(manage: Ask, play: Ask): Promise<void> {
  await Promise.all(
    orderMoves.map(async (moves, index) => {
      const player_id = players[index % players.length] ?? ''
      const prize_id = await givePrize(manage, casino, { player_id, item_id: 'mug' })
      await play('POST', '/prize/order', { player_id, prize_id, ...delivery })
      const order = await orderOf(manage, casino, prize_id)
      for (const [move, body] of moves) {
        if (move === 'ship' && !(await isSubmitted(manage, order))) return
        await manage('POST', `${order}/${move}`, body)
        if (move === 'hold') await manage('POST', `${casino}/prizes/${prize_id}/notes`, { text: note })
      }
    }),
  )
}

const note = 'The player will send the house number by e-mail.'

const delivery = {
  recipient_name: 'Grace Hopper',
  street: '1 Example Street',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
}

const looksMax = 20
/** Until a worker has sent the first event: some seconds. */
const goneLooksMax = 200
const betweenLooksMs = 50

/** A worker submits confirmed orders. Where it is slow, the order stays confirmed: a demo does not wait longer. */
async function isSubmitted(manage: Ask, order: string): Promise<boolean> {
  for (let look = 0; look < looksMax; look++) {
    if ((await manage('GET', order))['state'] === 'submitted') return true
    await wait(betweenLooksMs)
  }
  return false
}

/** The path of the prize's order. */
async function orderOf(manage: Ask, ofCasino: string, prizeId: string): Promise<string> {
  const { orders } = (await manage('GET', `${ofCasino}/prizes/${prizeId}`)) as {
    orders: readonly { order_id: string }[]
  }
  return `${ofCasino}/orders/${orders[0]?.order_id ?? ''}`
}

async function givePrize(
  manage: Ask,
  ofCasino: string,
  prize: { player_id: string; item_id: string },
): Promise<string> {
  const { prize_id } = await manage('POST', `${ofCasino}/prizes`, prize)
  return String(prize_id)
}
