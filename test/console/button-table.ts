/** A button of the console, and a request like the one it makes, which changes nothing. */
export interface Button {
  /** Its page, with names of ids as the console's own routes have them. */
  page: string
  /** Its accessible name, or the pattern of one that also names an object. */
  name: string | RegExp
  /** The ids of the request that are not the world's. */
  ids?: Readonly<Record<string, string>>
  /** A reason, without which the service does not reach the check in question. */
  hasReason?: true
  /** A body that reaches the check of the right, if that depends on the body. Otherwise the body sent is not JSON. */
  body?: object
}

const casino = '/casinos/:casinoId'
const order = `${casino}/orders/:orderId`
const submitted = `${casino}/orders/:submittedOrderId`
const cashback = `${casino}/cashbacks/:cashbackId`
const player = `${casino}/players/:playerId`
const box = `${casino}/boxes/:boxId`
const webhook = `${casino}/webhooks/:endpointId`
const operator = '/operators/:operatorId'
const disabledOperator = '/operators/:disabledOperatorId'

const settings: Readonly<Record<string, string>> = {
  wallet: 'Wallet',
  fulfilment: 'Fulfilment',
  reminders: 'Reminders',
  expiry: 'Warning before expiry',
  privacy: 'Privacy',
  approvals: 'Approvals',
  limits: 'Rate limits',
  quotas: 'Quotas',
}

const ofTheApi = 'scripts and the setup of partners use it; the console has no page for it'
const offered = 'the service offers it like the other actions of its object, in a state that takes a partner'
const ofItsMaker = 'test/console/acts.test.ts: it depends on who has made the act'
const ofEditor = 'a step of publishing a box, which changes nothing by itself'

const moveOf = (page: string, name: string): Button[] => [{ page, name }]
const movesOf = (name: string, shown: string): Button[] => [{ page: `${casino}/orders/:${shown}`, name }]

/**
 * The buttons of each route that changes or reveals something; or the reason why it has none here. Paths begin after
 * `/admin`, and those with `…` after that of the casino.
 */
export const buttonsOf: Readonly<Record<string, readonly Button[] | string>> = {
  'POST /operators': [{ page: '/operators', name: 'Invite' }],
  'PUT /operators/:operator_id': moveOf(operator, 'Save'),
  'POST /operators/:operator_id/disable': moveOf(operator, 'Disable'),
  'POST /operators/:operator_id/enable': moveOf(disabledOperator, 'Enable'),
  'POST /operators/:operator_id/invite': moveOf(operator, 'Invite again'),
  'POST /operators/:operator_id/reset-second-factor': moveOf(disabledOperator, 'Reset the second factor'),
  'DELETE /operators/:operator_id/sessions': moveOf(operator, 'End all'),
  'DELETE /operators/:operator_id/sessions/:session_id': [{ page: operator, name: /^End the session from / }],

  'PUT /casinos/:casino_id': [
    { page: '/casinos', name: 'Create a casino', ids: { casino_id: 'new' } },
    { page: casino, name: 'Rename' },
  ],
  'POST …/api-keys': [{ page: `${casino}/keys`, name: 'Create a key' }],
  'DELETE …/api-keys/:key_id': [{ page: `${casino}/keys`, name: /^Revoke / }],
  'POST …/api-keys/:key_id/rotate': [{ page: `${casino}/keys`, name: /^Rotate / }],
  'PUT …/items/:item_id': [
    { page: `${casino}/items`, name: 'Create an item', ids: { item_id: 'new' } },
    { page: `${casino}/items/:itemId`, name: 'Change' },
  ],
  'PUT …/boxes/:box_id': [
    { page: `${casino}/boxes`, name: 'Create a box', ids: { box_id: 'new' } },
    { page: `${casino}/new-box`, name: 'Check', ids: { box_id: 'new' } },
    { page: box, name: 'Edit' },
    { page: `${box}/edit`, name: 'Check' },
    { page: `${casino}/items/:itemId`, name: /^Add to the stock in / },
  ],
  'POST …/boxes/:box_id/simulate': ofEditor,
  'POST …/boxes/:box_id/enable': moveOf(`${casino}/boxes/:disabledBoxId`, 'Enable'),
  'POST …/boxes/:box_id/disable': moveOf(box, 'Disable'),
  'POST …/fairness/rotate': ofTheApi,
  'PUT …/settings/:name': Object.entries(settings).map(([name, title]) => ({
    page: casino,
    name: `Change ${title}`,
    ids: { name },
    hasReason: true,
  })),
  'POST …/settings/:name/test': [
    { page: `${casino}/partners`, name: 'Test Wallet', ids: { name: 'wallet' } },
  ],
  'POST …/settings/:name/resume': [
    { page: `${casino}/partners`, name: 'Resume Wallet', ids: { name: 'wallet' } },
  ],
  'POST …/grants': [
    { page: `${casino}/grants`, name: 'Grant openings' },
    { page: `${casino}/grants`, name: 'From a CSV file' },
  ],

  'POST …/prizes': [{ page: player, name: 'Give a prize' }],
  'POST …/prizes/:prize_id/notes': moveOf(`${casino}/prizes/:prizeId`, 'Add note'),
  'POST …/prizes/:prize_id/void': moveOf(`${casino}/prizes/:prizeId`, 'Void'),
  'POST …/players/:player_id/erase': moveOf(player, 'Erase personal data'),
  'POST …/players/:player_id/export': moveOf(player, 'Export everything'),

  'POST …/orders/:order_id/reveal': moveOf(order, 'Reveal'),
  'PUT …/orders/:order_id/delivery': moveOf(order, 'Correct'),
  'POST …/orders/:order_id/confirm': moveOf(order, 'Confirm'),
  'POST …/orders/:order_id/reject': moveOf(order, 'Reject'),
  'POST …/orders/:order_id/cancel': moveOf(order, 'Cancel'),
  'POST …/orders/:order_id/hold': moveOf(order, 'Hold'),
  'POST …/orders/:order_id/release': movesOf('Release', 'heldOrderId'),
  'POST …/orders/:order_id/ship': moveOf(submitted, 'Ship'),
  'POST …/orders/:order_id/exception': moveOf(submitted, 'Exception'),
  'POST …/orders/:order_id/deliver': movesOf('Deliver', 'shippedOrderId'),
  'POST …/orders/:order_id/reship': movesOf('Reship', 'lostOrderId'),
  'POST …/orders/:order_id/resume': offered,

  'POST …/cashbacks/:cashback_id/retry': offered,
  'POST …/cashbacks/:cashback_id/release-wallet': offered,
  'POST …/cashbacks/:cashback_id/resolve': moveOf(cashback, 'Resolve'),
  'POST …/cashbacks/:cashback_id/reverse': moveOf(`${casino}/cashbacks/:creditedCashbackId`, 'Reverse'),

  'POST …/acts': [
    {
      page: `${casino}/orders`,
      name: /^Select /,
      body: { action: 'order.confirm', object_ids: ['nothing'] },
    },
    {
      page: `${casino}/cashbacks`,
      name: /^Select /,
      body: { action: 'cashback.retry', object_ids: ['nothing'] },
    },
    {
      page: `${casino}/cashbacks`,
      name: /^Select /,
      body: { action: 'cashback.resolve', params: { outcome: 'declined' }, object_ids: ['nothing'] },
    },
  ],
  'POST …/acts/:act_id/start': ofItsMaker,
  'POST …/acts/:act_id/approve': ofItsMaker,
  'POST …/acts/:act_id/decline': ofItsMaker,
  'POST …/acts/:act_id/stop': [{ page: `${casino}/acts/:actId`, name: 'Stop', body: { reason: 'a test' } }],

  'POST …/events/:event_id/replay': [{ page: webhook, name: /^Send .* again$/ }],
  'PUT …/webhook-endpoints/:endpoint_id': ofTheApi,
  'DELETE …/webhook-endpoints/:endpoint_id': ofTheApi,
  'POST …/webhook-endpoints/:endpoint_id/rotate-secret': ofTheApi,
  'POST …/webhook-endpoints/:endpoint_id/enable': moveOf(`${casino}/webhooks/:disabledEndpointId`, 'Enable'),
  'POST …/webhook-endpoints/:endpoint_id/disable': moveOf(webhook, 'Disable'),
  'POST …/webhook-endpoints/:endpoint_id/test': moveOf(webhook, 'Send a test event'),
  'POST …/webhook-endpoints/:endpoint_id/replay': moveOf(webhook, 'Send events again'),
}
