import type { ErrorCode } from '../../core/errors.ts'
import type { Right } from '../../core/operator/rights.ts'
import { endpointUrl } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { delivery } from '../support/factory.ts'

/** The objects that a route names besides its casino, and its refusal if they belong to another casino. */
interface RouteRow {
  /** A body that the endpoint accepts, with the target's ids. */
  body?: (aim: Pick<World, 'ids' | 'cashbackPrizeId'>) => object
  /** A query that the endpoint needs, with the target's ids. */
  query?: (aim: Pick<World, 'ids'>) => Record<string, string>
  /** The refusal; undefined if the route names no object of a casino, or makes the object that it names. */
  foreign?: ErrorCode
  /** An object that each call uses up, so that each gets a new one. */
  fresh?: 'key_id' | 'endpoint_id'
  /** The route also finds objects of the casino's sandbox: its keys. */
  withSandbox?: true
  /** The right that the body's action needs, beyond that of the route. */
  rightOfBody?: Right
  /** The route is about an operator's session, which keys do not have. */
  isForSessions?: true
}

let made = 0
const casino = '/admin/casinos/:casino_id'
const move = (body: object = {}): RouteRow => ({ foreign: 'order_unknown', body: () => body })
const act = (): RouteRow => ({
  foreign: 'act_unknown',
  rightOfBody: 'finance',
  body: () => ({ reason: 'x' }),
})
const endpoint = (body: object = {}): RouteRow => ({ foreign: 'webhook_endpoint_unknown', body: () => body })

/** Every route. A route that is missing here fails the test, and so does one that no longer exists. */
export const routeRows: Record<string, RouteRow> = {
  'POST /box/open': {
    foreign: 'box_unknown',
    body: ({ ids }) => ({ player_id: ids['player_id'], box_id: ids['box_id'] }),
  },
  'POST /prize/order': {
    foreign: 'prize_unknown',
    body: ({ ids }) => ({ player_id: ids['player_id'], prize_id: ids['prize_id'], ...delivery }),
  },
  'POST /prize/cashback': {
    foreign: 'prize_unknown',
    body: ({ ids, cashbackPrizeId }) => ({ player_id: ids['player_id'], prize_id: cashbackPrizeId }),
  },
  'GET /boxes': {},
  'GET /boxes/:box_id': { foreign: 'box_unknown' },
  'GET /fairness/seeds': {},
  'GET /fairness/openings': {},
  'GET /fairness/openings/:opening_id': { foreign: 'opening_unknown' },
  'GET /fairness/players/:player_id/client-seed': {},
  'PUT /fairness/players/:player_id/client-seed': { body: () => ({ client_seed: 'seed' }) },
  'GET /fairness/key': {},
  'POST /partners/fulfilment/:casino_id': {
    body: ({ ids }) => ({
      order_id: ids['order_id'],
      shipment_number: 1,
      status: 'delivered',
      occurred_at: '2026-11-20T00:00:00Z',
    }),
  },
  'GET /healthz': {},
  'GET /readyz': {},
  'GET /metrics': {},
  'GET /.well-known/security.txt': {},
  'GET /openapi.json': {},
  'GET /': {},
  'GET /docs': {},
  'GET /docs/viewer.js': {},
  'GET /docs/viewer.css': {},
  'GET /verify': {},
  'GET /verify/page.js': {},
  'GET /verify/page.css': {},

  'GET /admin/session': { isForSessions: true },
  'PUT /admin/session/password': {
    isForSessions: true,
    body: () => ({ password: 'not the right one', new_password: 'another long password' }),
  },
  'PUT /admin/session/second-factor': { isForSessions: true },
  'PUT /admin/session/second-factor/confirmation': { isForSessions: true, body: () => ({ code: '000000' }) },
  'GET /admin/session/sessions': { isForSessions: true },
  'DELETE /admin/session/sessions': { isForSessions: true },
  'DELETE /admin/session/sessions/:session_id': { isForSessions: true },
  'GET /admin/operators': {},
  'POST /admin/operators': {
    body: () => ({ username: `made-${++made}`, name: 'Made', role: 'viewer', casino_ids: null }),
  },
  'GET /admin/operators/:operator_id': {},
  'PUT /admin/operators/:operator_id': {
    body: () => ({ name: 'Changed', role: 'viewer', casino_ids: null }),
  },
  'POST /admin/operators/:operator_id/disable': {},
  'POST /admin/operators/:operator_id/enable': {},
  'POST /admin/operators/:operator_id/invite': {},
  'POST /admin/operators/:operator_id/reset-second-factor': {},
  'GET /admin/operators/:operator_id/sessions': {},
  'DELETE /admin/operators/:operator_id/sessions': {},
  'DELETE /admin/operators/:operator_id/sessions/:session_id': {},
  'GET /admin/work': {},
  'GET /admin/search': { query: ({ ids }) => ({ q: ids['order_id'] ?? '' }) },
  'GET /admin/state': {},
  'GET /admin/casinos': {},
  'GET /admin/audit': {},
  'GET /admin/audit/:entry_id': {},
  [`PUT ${casino}`]: { body: () => ({ name: 'Renamed' }) },
  [`GET ${casino}`]: {},
  [`GET ${casino}/audit`]: {},
  [`GET ${casino}/audit/:entry_id`]: { foreign: 'audit_entry_unknown' },

  [`POST ${casino}/api-keys`]: { body: () => ({}) },
  [`GET ${casino}/api-keys`]: {},
  [`DELETE ${casino}/api-keys/:key_id`]: { foreign: 'api_key_unknown', fresh: 'key_id', withSandbox: true },
  [`POST ${casino}/api-keys/:key_id/rotate`]: {
    foreign: 'api_key_unknown',
    fresh: 'key_id',
    withSandbox: true,
    body: () => ({}),
  },

  [`PUT ${casino}/items/:item_id`]: { body: () => ({ name: 'Mug', kind: 'physical' }) },
  [`GET ${casino}/items/:item_id`]: { foreign: 'item_unknown' },
  [`GET ${casino}/items`]: {},

  [`PUT ${casino}/boxes/:box_id`]: {
    foreign: 'parameters_invalid', // names the casino's items
    body: ({ ids }) => ({
      name: 'Box',
      access: 'granted',
      entries: [{ item_id: ids['item_id'], weight: 1 }],
    }),
  },
  [`GET ${casino}/boxes/:box_id`]: { foreign: 'box_unknown' },
  [`GET ${casino}/boxes`]: {},
  [`GET ${casino}/boxes/:box_id/versions`]: { foreign: 'box_unknown' },
  [`GET ${casino}/boxes/:box_id/statistics`]: { foreign: 'box_unknown' },
  [`POST ${casino}/boxes/:box_id/simulate`]: { foreign: 'box_unknown', body: () => ({ draws: 10 }) },
  [`POST ${casino}/boxes/:box_id/enable`]: { foreign: 'box_unknown' },
  [`POST ${casino}/boxes/:box_id/disable`]: { foreign: 'box_unknown' },

  [`POST ${casino}/fairness/rotate`]: {},
  [`GET ${casino}/fairness/seeds/:seed_id`]: { foreign: 'seed_unknown' },

  [`GET ${casino}/settings`]: {},
  [`GET ${casino}/settings/:name`]: {},
  [`PUT ${casino}/settings/:name`]: { body: () => ({ after_hours: [1] }) },
  [`POST ${casino}/settings/:name/test`]: { body: () => ({ after_hours: [1] }) },
  [`POST ${casino}/settings/:name/resume`]: {},

  [`POST ${casino}/grants`]: {
    foreign: 'box_unknown',
    body: ({ ids }) => ({ grants: [{ player_id: ids['player_id'], box_id: ids['box_id'], count: 1 }] }),
  },
  [`GET ${casino}/grants`]: {},

  [`POST ${casino}/prizes`]: {
    foreign: 'item_unknown',
    body: ({ ids }) => ({ player_id: ids['player_id'], item_id: ids['item_id'] }),
  },
  [`GET ${casino}/prizes/:prize_id`]: { foreign: 'prize_unknown' },
  [`GET ${casino}/prizes/:prize_id/timeline`]: { foreign: 'prize_unknown' },
  [`POST ${casino}/prizes/:prize_id/notes`]: { foreign: 'prize_unknown', body: () => ({ text: 'x' }) },
  [`POST ${casino}/prizes/:prize_id/void`]: { foreign: 'prize_unknown' },
  [`GET ${casino}/openings/:opening_id`]: { foreign: 'opening_unknown' },

  [`GET ${casino}/players/:player_id`]: {},
  [`GET ${casino}/players/:player_id/prizes`]: {},
  [`GET ${casino}/players/:player_id/grants`]: {},
  [`GET ${casino}/players/:player_id/balance`]: {},
  [`GET ${casino}/players/:player_id/erasure`]: {},
  [`POST ${casino}/players/:player_id/erase`]: {},
  [`POST ${casino}/players/:player_id/export`]: {},

  [`GET ${casino}/orders`]: {},
  [`GET ${casino}/orders/:order_id`]: { foreign: 'order_unknown' },
  [`POST ${casino}/orders/:order_id/reveal`]: move(),
  [`PUT ${casino}/orders/:order_id/delivery`]: move(delivery),
  [`POST ${casino}/orders/:order_id/confirm`]: move(),
  [`POST ${casino}/orders/:order_id/reject`]: move(),
  [`POST ${casino}/orders/:order_id/cancel`]: move(),
  [`POST ${casino}/orders/:order_id/resume`]: move(),
  [`POST ${casino}/orders/:order_id/hold`]: move({ hold_reason: 'fraud_risk' }),
  [`POST ${casino}/orders/:order_id/release`]: move(),
  [`POST ${casino}/orders/:order_id/ship`]: move(),
  [`POST ${casino}/orders/:order_id/deliver`]: move(),
  [`POST ${casino}/orders/:order_id/exception`]: move({ exception_reason: 'lost' }),
  [`POST ${casino}/orders/:order_id/reship`]: move(),

  [`GET ${casino}/cashbacks`]: {},
  [`GET ${casino}/cashbacks/:cashback_id`]: { foreign: 'cashback_unknown' },
  [`POST ${casino}/cashbacks/:cashback_id/retry`]: { foreign: 'cashback_unknown' },
  [`POST ${casino}/cashbacks/:cashback_id/release-wallet`]: {
    foreign: 'cashback_unknown',
    body: () => ({ reason: 'x' }),
  },
  [`POST ${casino}/cashbacks/:cashback_id/resolve`]: {
    foreign: 'cashback_unknown',
    body: () => ({ outcome: 'declined', reason: 'x' }),
  },
  [`POST ${casino}/cashbacks/:cashback_id/reverse`]: {
    foreign: 'cashback_unknown',
    body: () => ({ prize: 'void', reason: 'x' }),
  },

  [`POST ${casino}/acts`]: {
    rightOfBody: 'finance',
    body: ({ ids }) => ({ action: 'prize.void', object_ids: [ids['prize_id']] }),
  },
  [`GET ${casino}/acts`]: {},
  [`GET ${casino}/acts/:act_id`]: { foreign: 'act_unknown' },
  [`GET ${casino}/acts/:act_id/objects`]: { foreign: 'act_unknown' },
  [`POST ${casino}/acts/:act_id/start`]: act(),
  [`POST ${casino}/acts/:act_id/approve`]: act(),
  [`POST ${casino}/acts/:act_id/decline`]: act(),
  [`POST ${casino}/acts/:act_id/stop`]: act(),

  [`GET ${casino}/events`]: {},
  [`GET ${casino}/events/:event_id`]: { foreign: 'event_unknown' },
  [`GET ${casino}/events/:event_id/deliveries`]: { foreign: 'event_unknown' },
  [`POST ${casino}/events/:event_id/replay`]: { foreign: 'event_unknown', body: () => ({}) },

  [`PUT ${casino}/webhook-endpoints/:endpoint_id`]: { body: () => ({ url: endpointUrl }) },
  [`GET ${casino}/webhook-endpoints/:endpoint_id`]: { foreign: 'webhook_endpoint_unknown' },
  [`GET ${casino}/webhook-endpoints`]: {},
  [`DELETE ${casino}/webhook-endpoints/:endpoint_id`]: {
    foreign: 'webhook_endpoint_unknown',
    fresh: 'endpoint_id',
  },
  [`POST ${casino}/webhook-endpoints/:endpoint_id/rotate-secret`]: endpoint(),
  [`POST ${casino}/webhook-endpoints/:endpoint_id/enable`]: endpoint(),
  [`POST ${casino}/webhook-endpoints/:endpoint_id/disable`]: endpoint(),
  [`POST ${casino}/webhook-endpoints/:endpoint_id/test`]: endpoint(),
  [`POST ${casino}/webhook-endpoints/:endpoint_id/replay`]: endpoint({ only_failed: true }),
  [`GET ${casino}/webhook-endpoints/:endpoint_id/deliveries`]: { foreign: 'webhook_endpoint_unknown' },
}
