import type { Right } from '../../core/operator/rights.ts'
import type { descriptions } from '../openapi/descriptions.ts'
import type { RouteRight } from '../route.ts'

/**
 * The right that a person's role must have for each route. Keys are bounded by their scopes and casinos instead. A
 * route without a row does not compile. `docs/operate/operators.md` shows the same table; a test compares them.
 */
export const serviceRights: Readonly<Record<keyof typeof descriptions.admin, RouteRight>> = {
  'GET /admin/session': 'own',
  'PUT /admin/session/password': 'own',
  'PUT /admin/session/second-factor': 'own',
  'PUT /admin/session/second-factor/confirmation': 'own',
  'GET /admin/session/sessions': 'own',
  'DELETE /admin/session/sessions': 'own',
  'DELETE /admin/session/sessions/:session_id': 'own',
  'GET /admin/operators': 'admin',
  'POST /admin/operators': 'admin',
  'GET /admin/operators/:operator_id': 'admin',
  'PUT /admin/operators/:operator_id': 'admin',
  'POST /admin/operators/:operator_id/disable': 'admin',
  'POST /admin/operators/:operator_id/enable': 'admin',
  'POST /admin/operators/:operator_id/invite': 'admin',
  'POST /admin/operators/:operator_id/reset-second-factor': 'admin',
  'GET /admin/operators/:operator_id/sessions': 'admin',
  'DELETE /admin/operators/:operator_id/sessions': 'admin',
  'DELETE /admin/operators/:operator_id/sessions/:session_id': 'admin',
  'GET /admin/work': 'view',
  'GET /admin/search': 'view',
  'GET /admin/state': 'view',
  'GET /admin/casinos': 'view',
  'PUT /admin/casinos/:casino_id': 'admin',
  'GET /admin/audit': 'admin',
  'GET /admin/audit/:entry_id': 'admin',
}

/** Of the routes of one casino, named without its part of the path. */
export const casinoRights: Readonly<Record<keyof typeof descriptions.casino, Right>> = {
  'GET ': 'view',
  'GET /audit': 'view',
  'GET /audit/:entry_id': 'view',

  'POST /api-keys': 'admin',
  'GET /api-keys': 'view',
  'DELETE /api-keys/:key_id': 'admin',
  'POST /api-keys/:key_id/rotate': 'admin',

  'PUT /items/:item_id': 'admin',
  'GET /items/:item_id': 'view',
  'GET /items': 'view',

  'PUT /boxes/:box_id': 'admin',
  'GET /boxes/:box_id': 'view',
  'GET /boxes': 'view',
  'GET /boxes/:box_id/versions': 'view',
  'GET /boxes/:box_id/statistics': 'view',
  'POST /boxes/:box_id/simulate': 'view',
  'POST /boxes/:box_id/enable': 'admin',
  'POST /boxes/:box_id/disable': 'admin',

  'POST /fairness/rotate': 'admin',
  'GET /fairness/seeds/:seed_id': 'view',

  'GET /settings': 'view',
  'GET /settings/:name': 'view',
  'PUT /settings/:name': 'admin',
  'POST /settings/:name/test': 'support',
  'POST /settings/:name/resume': 'support',

  'POST /grants': 'finance',
  'GET /grants': 'view',

  'POST /prizes': 'finance',
  'GET /prizes/:prize_id': 'view',
  'GET /prizes/:prize_id/timeline': 'view',
  'POST /prizes/:prize_id/notes': 'support',
  'POST /prizes/:prize_id/void': 'finance',

  'GET /openings/:opening_id': 'view',

  'GET /players/:player_id': 'view',
  'GET /players/:player_id/prizes': 'view',
  'GET /players/:player_id/grants': 'view',
  'GET /players/:player_id/balance': 'view',
  'GET /players/:player_id/erasure': 'view',
  'POST /players/:player_id/erase': 'admin',
  'POST /players/:player_id/export': 'support',

  'GET /orders': 'view',
  'GET /orders/:order_id': 'view',
  'POST /orders/:order_id/reveal': 'support',
  'PUT /orders/:order_id/delivery': 'support',
  'POST /orders/:order_id/confirm': 'support',
  'POST /orders/:order_id/reject': 'support',
  'POST /orders/:order_id/cancel': 'support',
  'POST /orders/:order_id/resume': 'support',
  'POST /orders/:order_id/hold': 'support',
  'POST /orders/:order_id/release': 'support',
  'POST /orders/:order_id/ship': 'support',
  'POST /orders/:order_id/deliver': 'support',
  'POST /orders/:order_id/exception': 'support',
  'POST /orders/:order_id/reship': 'support',

  'GET /cashbacks': 'view',
  'GET /cashbacks/:cashback_id': 'view',
  'POST /cashbacks/:cashback_id/retry': 'support',
  'POST /cashbacks/:cashback_id/release-wallet': 'finance',
  'POST /cashbacks/:cashback_id/resolve': 'finance',
  'POST /cashbacks/:cashback_id/reverse': 'finance',

  // The right to act is that of the action: see acts.ts.
  'POST /acts': 'view',
  'GET /acts': 'view',
  'GET /acts/:act_id': 'view',
  'GET /acts/:act_id/objects': 'view',
  'POST /acts/:act_id/start': 'view',
  'POST /acts/:act_id/approve': 'view',
  'POST /acts/:act_id/decline': 'view',
  'POST /acts/:act_id/stop': 'view',

  'GET /events': 'view',
  'GET /events/:event_id': 'view',
  'GET /events/:event_id/deliveries': 'view',
  'POST /events/:event_id/replay': 'support',

  'PUT /webhook-endpoints/:endpoint_id': 'admin',
  'GET /webhook-endpoints/:endpoint_id': 'view',
  'GET /webhook-endpoints': 'view',
  'DELETE /webhook-endpoints/:endpoint_id': 'admin',
  'POST /webhook-endpoints/:endpoint_id/rotate-secret': 'admin',
  'POST /webhook-endpoints/:endpoint_id/enable': 'support',
  'POST /webhook-endpoints/:endpoint_id/disable': 'support',
  'POST /webhook-endpoints/:endpoint_id/test': 'support',
  'POST /webhook-endpoints/:endpoint_id/replay': 'support',
  'GET /webhook-endpoints/:endpoint_id/deliveries': 'view',
}

/** The right for a route of a casino. Throws if there is no such route. */
export function casinoRightOf(route: string): Right {
  const rights: Readonly<Record<string, Right>> = casinoRights
  const right = rights[route]
  if (right === undefined) throw new Error(`no right for ${route}`)
  return right
}
