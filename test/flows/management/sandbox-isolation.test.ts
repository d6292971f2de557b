import { expect } from 'chai'
import { createRoutes } from '../../../api/routes.ts'
import type { Route } from '../../../api/route.ts'
import { fieldOf, listAt } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createLiveAndTestWorld, dumpCasino, endpointUrl, secretsOf } from '../../support/casino-world.ts'
import type { World } from '../../support/casino-world.ts'
import type { Reply } from '../../support/client.ts'
import { delivery } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** The routes on which live keys reach the sandbox by design: its casino manages its keys too. */
const keyPaths = /^\/admin\/casinos\/:casino_id\/api-keys/
/** The tables that are copied from the casino into its sandbox. */
const mirroredTables = ['item', 'box', 'box_version', 'box_entry', 'box_stock']

describe('the separation of test data and live data', () => {
  let service: TestService
  let routes: readonly Route[]
  let live: World
  let test: World

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    ;[live, test] = await createLiveAndTestWorld(service)
    routes = createRoutes(service.deps, () => false).filter(
      (route) => route.for === 'casinos' || route.for === 'operators',
    )
  })

  /** A request that succeeds for the owner of the ids, as far as one body fits every endpoint. */
  function call(route: Route, apiKey: string, { ids, cashbackPrizeId }: World): Promise<Reply> {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(ids[name] ?? 'unknown'),
    )
    const { item_id, box_id, player_id, prize_id } = ids
    const body = {
      ...delivery,
      player_id,
      box_id,
      item_id,
      prize_id,
      ...(route.path === '/prize/cashback' ? { prize_id: cashbackPrizeId } : {}),
      ...(route.path.endsWith('/prizes') ? { prize_id: undefined } : {}),
      name: 'Renamed',
      kind: 'physical',
      access: 'granted',
      entries: [{ item_id, weight: 1 }],
      grants: [{ player_id, box_id, count: 1 }],
      client_seed: 'seed',
      url: endpointUrl,
      outcome: 'credited',
    }
    return service.client.send(route.method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(route.method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
  }

  const longNouns: Readonly<Record<string, string>> = {
    endpoint_id: 'webhook_endpoint',
    entry_id: 'audit_entry',
  }
  const nounOf = (name = '') => longNouns[name] ?? name.replace(/_id$/, '')

  async function attack(attacker: World, victim: World, casinoId: string, only: (route: Route) => boolean) {
    const secrets = await secretsOf(service, victim)
    expect(secrets.length).to.be.greaterThan(12)
    const own = await dumpCasino(service, attacker.casinoId)
    const ownText = [...own.values()].join()
    for (const route of routes.filter(only)) {
      const aimed = { ...victim, ids: { ...victim.ids, casino_id: casinoId } }
      const reply = await call(route, attacker.apiKey, aimed)
      const sent = Object.values(aimed.ids)
      const leaked = secrets.filter(
        (secret) =>
          !sent.some((id) => id.includes(secret)) && !ownText.includes(secret) && reply.text.includes(secret),
      )
      expect(leaked, `${route.method} ${route.path}: ${reply.text}`).to.deep.equal([])
      expect(reply.status, `${route.method} ${route.path}: ${reply.text}`).to.be.lessThan(500)
    }
  }

  it('hides each object from keys of the other mode, under any id', async () => {
    let read = 0
    for (const [attacker, victim] of [
      [test, live],
      [live, test],
    ] as const) {
      for (const route of routes.filter(
        // Those of the service are closed to the keys of casinos.
        ({ method, path }) => method === 'GET' && !/^\/admin\/(operators|audit)\//.test(path),
      )) {
        const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
        const objects = names.filter((name = '') => /_id$/.test(name) && !/^(casino|player)_id$/.test(name))
        if (objects.length === 0) continue
        // As an attacker would ask: with its own casino in the path, followed by ids of others.
        const aimed = { ...victim, ids: { ...victim.ids, casino_id: live.casinoId } }
        const { status, headers } = await call(route, attacker.apiKey, aimed)
        expect([status, headers.get('X-Error-Code')], route.path).to.deep.equal([
          404,
          `${nounOf(objects.at(0))}_unknown`,
        ])
        read++
      }
      const { player_id, prize_id, box_id } = victim.ids
      for (const [path, body] of [
        ['/box/open', { player_id, box_id }],
        ['/prize/order', { player_id, prize_id, ...delivery }],
        ['/prize/cashback', { player_id, prize_id }],
      ] as const) {
        expect((await service.client.post(path, attacker.apiKey, body)).status, path).to.equal(404)
      }
    }
    expect(read).to.be.greaterThan(12)
  })

  it('keeps a test key from reading or changing live data, on any route and with any casino in the path', async () => {
    const before = await dumpCasino(service, live.casinoId)
    for (const casinoId of [live.casinoId, test.casinoId]) await attack(test, live, casinoId, () => true)
    expect(await dumpCasino(service, live.casinoId)).to.deep.equal(before)
  })

  it('keeps a live key from reading or changing the sandbox of its casino, except the sandbox’s keys', async () => {
    const before = await dumpCasino(service, test.casinoId, mirroredTables)
    await attack(live, test, live.casinoId, ({ path }) => !keyPaths.test(path))
    expect(await dumpCasino(service, test.casinoId, mirroredTables)).to.deep.equal(before)
  })

  it('lists orders and cashbacks to keys of their own mode only', async () => {
    for (const world of [live, test]) {
      for (const name of ['items', 'boxes', 'orders', 'cashbacks'] as const) {
        const other = world === live ? test : live
        const reply = await service.client.send('GET', `/admin/casinos/${live.casinoId}/${name}?limit=200`, {
          headers: { Authorization: `Bearer ${world.apiKey}` },
        })
        const idName = name === 'boxes' ? 'box_id' : `${name.slice(0, -1)}_id`
        const ids = fieldOf(listAt(reply), idName)
        expect(ids, name).to.include(world.ids[idName])
        if (name === 'orders' || name === 'cashbacks') expect(ids, name).not.to.include(other.ids[idName])
      }
    }
  })

  it('lets keys of the right mode find the same objects on every route, or the tests above would prove nothing', async () => {
    // The sandbox comes first, because changes of the casino's catalogue are mirrored into it.
    for (const world of (await createLiveAndTestWorld(service)).reverse()) {
      const theirs = routes.filter(({ path }) => path.includes(':casino_id') || !path.startsWith('/admin/'))
      const isLast = ({ method }: Route) => Number(method === 'DELETE')
      for (const route of theirs.toSorted((a, b) => isLast(a) - isLast(b))) {
        const reply = await call(route, world.apiKey, world)
        const message = `${route.method} ${route.path}: does createWorld make what it names? ${reply.text}`
        expect(reply.status, message).not.to.be.oneOf([401, 403, 404])
      }
    }
  })
})
