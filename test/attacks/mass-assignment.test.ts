import { expect } from 'chai'
import { createRoutes } from '../../api/routes.ts'
import type { Route } from '../../api/route.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { at, complaintsOf, createOperator } from '../api/admin/operator.ts'
import { createLiveAndTestWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { apiDocument } from '../support/api-document.ts'
import { dumpDatabase } from '../support/database-dump.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { routeRows } from './route-table.ts'

/** Values that are noticed in any place. */
const markText = 'canary-mass-assignment'
const markNumber = 7_654_321
const markTime = '2039-03-03T03:03:03.333Z'

/** Names of columns, of fields of other bodies, and of built-in properties of objects. */
const extras: Record<string, unknown> = {
  ...texts(
    'id',
    'casino_id',
    'casinoId',
    'player_id',
    'prize_id',
    'order_id',
    'cashback_id',
    'opening_id',
    'box_id',
  ),
  ...texts(
    'item_id',
    'item_name',
    'key_id',
    'grant_id',
    'endpoint_id',
    'event_id',
    'state',
    'from_state',
    'to_state',
  ),
  ...texts(
    'status',
    'type',
    'kind',
    'actor',
    'request_id',
    'requestId',
    'provider',
    'wallet',
    'wallet_reference',
  ),
  ...texts(
    'transaction_id',
    'sandbox_of',
    'sandboxOf',
    'secret_hash',
    'odds_hash',
    'seed',
    'seed_id',
    'commitment',
  ),
  ...texts(
    'currency',
    'cashback_currency',
    'disabled_reason',
    'paused_reason',
    'problem',
    'table_name',
    'path',
  ),
  ...numbers(
    'amount',
    'amount_minor',
    'amountMinor',
    'cashback_amount_minor',
    'revision',
    'version',
    'sequence',
  ),
  ...numbers(
    'nonce',
    'used',
    'remaining',
    'attempts',
    'shipment_number',
    'current_version',
    'txid',
    'balance',
  ),
  ...times('created_at', 'updated_at', 'revoked_at', 'paused_at', 'opened_at', 'erased_at', 'last_used_at'),
  is_admin: true,
  admin: true,
  forced: true,
  is_forced: true,
  role: 'admin',
  roles: ['admin'],
  where: { casino_id: markText },
  data: { state: markText },
  $set: { state: markText },
  include: { casino: true },
}
/** Fields that some bodies do have, so that there the mark is a valid value. */
const doubtful: Record<string, unknown> = {
  ...times('expires_at', 'active_from', 'active_until'),
  mode: markText,
  scopes: [markText],
  secret: markText,
  name: markText,
  cashback: markText,
}

function texts(...names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, markText]))
}
function numbers(...names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, markNumber]))
}
function times(...names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, markTime]))
}

describe('unknown fields in a body', function () {
  this.timeout(60_000)
  let service: TestService
  let live: World
  let routes: readonly Route[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    ;[live] = await createLiveAndTestWorld(service)
    routes = createRoutes(service.deps, () => false).filter(
      (route) =>
        route.method !== 'GET' &&
        (route.for === 'casinos' || (route.for === 'operators' && route.right !== 'own')),
    )
  })

  it('are ignored at any depth, and neither stored nor answered', async () => {
    expect(routes.length).to.be.greaterThan(35)
    for (const route of routes.toSorted(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    )) {
      const known = knownFields(route)
      const body = routeRows[`${route.method} ${route.path}`]?.body?.(live) ?? {}
      const strange = Object.entries({ ...extras, ...doubtful }).filter(([name]) => !known.has(name))
      expect(strange.length).to.be.greaterThan(40)
      const sent = addEverywhere(body, Object.fromEntries(strange))
      const reply = await send(route, withPrototypes(sent))
      const name = `${route.method} ${route.path}: ${reply.text.slice(0, 300)}`
      // Another caller made the casino's act.
      const isOfAnother = route.path.includes('/acts/:act_id/')
      expect(reply.status, name).to.be.oneOf([200, 201, 409, ...(isOfAnother ? [403] : [])])
      for (const mark of [markText, String(markNumber), markTime.slice(0, 19)]) {
        expect(reply.text, name).not.to.contain(mark)
      }
    }
    const rows = [...(await dumpDatabase(service))].flatMap(([table, all]) =>
      all.map((row) => `${table} ${row}`),
    )
    const stored = rows.filter(
      (row) => row.includes(markText) || row.includes(String(markNumber)) || row.includes('2039-03-03'),
    )
    expect(stored.map((row) => row.slice(0, 300))).to.deep.equal([])
    expect(Object.keys(Object.prototype)).to.deep.equal([])
    expect(Reflect.get({}, 'state')).to.equal(undefined)
  })

  it('cause a 400 in a query, and the answer has no data of another casino', async () => {
    const [other] = await createLiveAndTestWorld(service)
    for (const name of ['items', 'boxes', 'orders', 'cashbacks', 'events', 'api-keys']) {
      const query = `?casino_id=${other.casinoId}&casinoId=${other.casinoId}&where[casinoId]=${other.casinoId}&__proto__[casinoId]=x`
      const reply = await createOperator(service.client, live.apiKey).get(`/${live.casinoId}/${name}${query}`)
      expect(reply.status, name).to.equal(400)
      expect(complaintsOf(reply), name).to.include.members(['casino_id', 'casinoId', 'where[casinoId]'])
      for (const [idName, id] of Object.entries(other.ids)) {
        if (idName !== 'name') expect(reply.text, `${name} ${idName}`).not.to.contain(`"${id}"`)
      }
    }
  })

  it('give a key no additional rights', async () => {
    const operator = createOperator(service.client, live.apiKey)
    const keys = `/${live.casinoId}/api-keys`
    for (const scopes of [
      ['admin'],
      ['play', 'admin'],
      ['*'],
      ['play', 'play'],
      [],
      'manage',
      [['manage']],
      { 0: 'manage' },
    ]) {
      expect((await operator.post(keys, { scopes })).status, JSON.stringify(scopes)).to.equal(400)
    }
    const playOnly = await operator.post(keys, {
      scope: 'manage',
      scope_list: ['manage'],
      Scopes: ['manage'],
    })
    expect(at(playOnly, 'data.scopes')).to.deep.equal(['play'])
    const rotated = await operator.post(`${keys}/${String(at(playOnly, 'data.key_id'))}/rotate`, {
      scopes: ['play', 'manage'],
      mode: 'test',
      casino_id: 'x',
    })
    expect([at(rotated, 'data.scopes'), at(rotated, 'data.mode')]).to.deep.equal([['play'], 'live'])
  })

  /** The fields that the document allows in the body, at any depth. */
  function knownFields({ method, path }: Route): Set<string> {
    const operations: Partial<Record<string, { requestBody?: unknown }>> =
      apiDocument.paths[path.replaceAll(/:(\w+)/g, '{$1}')] ?? {}
    const text = JSON.stringify(resolve(operations[method.toLowerCase()]?.requestBody ?? {}))
    return new Set([...text.matchAll(/"(\w+)":\{/g)].map((match) => match[1] ?? ''))
  }

  function resolve(schema: unknown): unknown {
    const text = JSON.stringify(schema)
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '')
    return [schema, ...names.map((name) => resolve(apiDocument.components.schemas[name] ?? {}))]
  }

  function addEverywhere(value: unknown, more: object): unknown {
    if (Array.isArray(value)) return value.map((element) => addEverywhere(element, more))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, addEverywhere(inner, more)] as const)
    return { ...more, ...Object.fromEntries(entries) }
  }

  /** As text, because in an object literal they would take effect in this process. */
  function withPrototypes(body: unknown): string {
    const evil = `{"state":"${markText}","casino_id":"${markText}","kind":"admin"}`
    return JSON.stringify(body).replaceAll(
      /\{"id":/g,
      `{"__proto__":${evil},"constructor":{"prototype":${evil}},"id":`,
    )
  }

  function send(route: Route, body: string) {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(live.ids[name] ?? ''),
    )
    const key = route.for === 'casinos' ? live.apiKey : adminApiKey
    return service.client.send(route.method, path, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body,
    })
  }
})
