import type pg from 'pg'
import { busyPlayer, largeCasino } from './fill.ts'
import { busyAct, historyBox, operatorId, severalVersionsBox } from './fill-management.ts'

const hexOf = (n: number) => n.toString(16).padStart(32, '0')
/** One of the busy player's prizes that was ordered and delivered, and one that was cashed back. The archive takes them. */
const [ordered, cashedBack] = [hexOf(404), hexOf(505)]

/** The ids in braces: each is the newest of its kind, except for an event of an old prize. Of the casino with most rows. */
const idStatements = {
  prize: newestOf('prize'),
  order: newestOf('prize_order'),
  cashback: newestOf('cashback'),
  opening: newestOf('opening'),
  seed: newestOf('server_seed'),
  event: newestOf('event'),
  old_event: `SELECT id::text AS id FROM every_event WHERE casino_id = '${largeCasino}' AND object_type = 'prize'
                AND object_id = 'prz_old_${ordered}' AND sequence = 1`,
  audit_entry: newestOf('audit_entry'),
  service_audit_entry: newestOf('audit_entry', ''),
}

function newestOf(table: string, casinoId = largeCasino): string {
  return `SELECT id::text AS id FROM ${table} WHERE casino_id = '${casinoId}' ORDER BY id DESC LIMIT 1`
}

/** Puts the ids of this database in the place of their names. */
export async function createFillIn(client: pg.Client): Promise<(path: string) => string> {
  const ids = new Map<string, string>()
  for (const [name, statement] of Object.entries(idStatements)) {
    const { rows } = await client.query<{ id: string }>(statement)
    if (rows[0] === undefined) throw new Error(`there is no ${name}`)
    ids.set(`{${name}}`, rows[0].id)
  }
  return (path) =>
    path.replace(/\{\w+\}/g, (name) => {
      const id = ids.get(name)
      if (id === undefined) throw new Error(`${path} has the unknown id ${name}`)
      return id
    })
}

/** Older than every row: a list that is filtered without an index looks at all of them. */
const created = 'created_from=2020-01-01T00:00:00Z&created_until=2020-01-01T01:00:00Z'
const orders = ['order=asc', created]

/** A page of a list, by itself and with each of these filters. */
function list(path: string, ...filters: readonly string[]): string[] {
  return ['', ...filters].map((filter) => `${path}?limit=100${filter === '' ? '' : `&${filter}`}`)
}

const player = `/players/${busyPlayer}`
const ofCasino = [
  '',
  ...list('/audit', ...orders, 'request_id=req_1'),
  '/audit/{audit_entry}',
  ...list('/api-keys', ...orders),
  '/fairness/seeds/{seed}',
  '/settings',
  '/settings/privacy',
  '/items/item-1',
  ...list('/items', ...orders),
  `/boxes/${historyBox}`,
  `/boxes/${severalVersionsBox}?version=1`,
  ...list('/boxes', ...orders, 'item_id=item-1'),
  ...list(`/boxes/${severalVersionsBox}/versions`),
  `/boxes/${historyBox}/statistics`,
  `/boxes/${severalVersionsBox}/statistics?version=1`,
  ...list('/grants', ...orders, `box_id=${historyBox}`, 'grant_id=grant_2'),
  ...['{prize}', `prz_old_${ordered}`, `prz_old_${cashedBack}`].flatMap((id) => [
    `/prizes/${id}`,
    `/prizes/${id}/timeline`,
  ]),
  ...['{opening}', `opn_${ordered}`].map((id) => `/openings/${id}`),
  player,
  ...list(`${player}/prizes`, ...orders, 'state=won', 'state=voided'),
  ...list(`${player}/grants`, ...orders, `box_id=${historyBox}`, 'grant_id=grant_2'),
  `${player}/balance`,
  `${player}/erasure`,
  ...list(
    '/orders',
    ...orders,
    ...['pending_confirmation', 'exception', 'delivered', 'rejected'].map((state) => `state=${state}`),
    `player_id=${busyPlayer}`,
    `player_id=${busyPlayer}&state=exception`,
    'held=true',
  ),
  ...['{order}', `ord_old_${ordered}`].map((id) => `/orders/${id}`),
  ...list(
    '/cashbacks',
    ...orders,
    ...['manual_review', 'credited', 'reversed'].map((state) => `state=${state}`),
    `player_id=${busyPlayer}`,
  ),
  ...['{cashback}', `cbk_old_${cashedBack}`].map((id) => `/cashbacks/${id}`),
  ...list('/acts', ...orders, 'state=running'),
  `/acts/${busyAct}`,
  ...list(`/acts/${busyAct}/objects`, 'state=refused', 'state=waiting'),
  ...list('/events', ...orders, 'types=prize.won', 'types=prize.voided'),
  ...['evt_{event}', 'evt_{old_event}'].flatMap((id) => [`/events/${id}`, `/events/${id}/deliveries`]),
  ...orders.map((filter) => `/events/evt_{event}/deliveries?${filter}`),
  ...list('/webhook-endpoints', ...orders),
  '/webhook-endpoints/main',
  ...list('/webhook-endpoints/main/deliveries', ...orders, 'state=failed', 'state=pending'),
]

/** The reads of the API with their filters. A test compares them with the OpenAPI document. */
export const readPaths = {
  /** With the service's key. */
  manage: [
    ...ofCasino.map((path) => `/admin/casinos/${largeCasino}${path}`),
    '/admin/work',
    `/admin/work?casino_id=${largeCasino}`,
    '/admin/state',
    ...list('/admin/casinos', ...orders, 'starts_with=casino'),
    ...[busyPlayer, '{prize}', 'prz_unknown'].map((text) => `/admin/search?q=${text}`),
    ...list('/admin/audit', ...orders, 'request_id=req_1'),
    '/admin/audit/{service_audit_entry}',
    ...list('/admin/operators', ...orders),
    `/admin/operators/${operatorId}`,
    ...list(`/admin/operators/${operatorId}/sessions`, ...orders),
  ],
  /** With the key of the casino with most rows. */
  play: [
    ...list('/boxes', `player_id=${busyPlayer}`),
    `/boxes/${historyBox}`,
    `/boxes/${historyBox}?player_id=${busyPlayer}`,
    ...list('/fairness/seeds'),
    ...list(
      '/fairness/openings',
      'seed_id={seed}',
      `player_id=${busyPlayer}`,
      `seed_id={seed}&player_id=${busyPlayer}`,
    ),
    ...['{opening}', `opn_${ordered}`].map((id) => `/fairness/openings/${id}`),
    `/fairness/players/${busyPlayer}/client-seed`,
  ],
}
