import { expect } from 'chai'
import { createRoutes } from '../../api/routes.ts'
import type { Route } from '../../api/route.ts'
import { fieldOf, listAt, textAt } from '../api/admin/operator.ts'
import type { Reply } from '../support/client.ts'
import { delivery } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** What a casino has: ids to put into paths and bodies, and its keys. */
interface World {
  casinoId: string
  apiKey: string
  ids: Record<string, string>
  cashbackPrizeId: string
}

/** Where live keys reach the sandbox by design: its keys are managed by its casino too. */
const keyPaths = /^\/admin\/casinos\/:casino_id\/api-keys/
/** What the sandbox gets from its casino by design. */
const mirroredTables = ['item', 'box', 'box_version', 'box_entry', 'box_stock']

describe('test data and live data', () => {
  let service: TestService
  let routes: readonly Route[]
  let live: World
  let test: World

  before(async () => {
    service = await startService()
    ;[live, test] = await createWorlds()
    routes = createRoutes(service.deps, () => false).filter(
      (route) => route.for === 'casinos' || route.for === 'operators',
    )
  })
  after(() => service.stop())

  /** A casino and its sandbox, each with things of its own. */
  async function createWorlds(): Promise<[World, World]> {
    const casino = await service.factory.casino()
    const created = await service.client.post(`/admin/casinos/${casino.id}/api-keys`, casino.apiKey, {
      mode: 'test',
      scopes: ['play', 'manage'],
    })
    return [
      await createWorld(casino.id, casino.apiKey),
      await createWorld(`${casino.id}:test`, textAt(created, 'data.api_key')),
    ]
  }

  async function createWorld(casinoId: string, apiKey: string): Promise<World> {
    const { factory, client, database } = service
    const post = async (path: string, body: unknown) => {
      const reply = await client.post(path, apiKey, body)
      expect(reply.status, `${path} ${reply.text}`).to.be.within(200, 201)
      return reply
    }
    const itemId = await factory.item(casinoId)
    const boxId = await factory.box(casinoId, {
      entries: [{ itemId, weight: 1, stock: 100 }],
      limit: { count: 50, period: 'lifetime' },
    })
    const { prizeId, playerId } = await factory.prize(casinoId)
    const cashback = await factory.prize(casinoId, { playerId })
    const spare = await factory.prize(casinoId, { playerId })
    const ordered = await factory.prize(casinoId, { playerId })
    const opened = await post('/box/open', { player_id: playerId, box_id: boxId })
    await post('/prize/order', { player_id: playerId, prize_id: ordered.prizeId, ...delivery })
    await post('/prize/cashback', { player_id: playerId, prize_id: spare.prizeId })
    const admin = `/admin/casinos/${casinoId}`
    await post(`${admin}/grants`, { grants: [{ player_id: playerId, box_id: boxId, count: 1 }] })
    const key = await post(`${admin}/api-keys`, {})
    const events = await client.send('GET', `${admin}/events`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    const where = { where: { casinoId } }
    return {
      casinoId,
      apiKey,
      cashbackPrizeId: cashback.prizeId,
      ids: {
        casino_id: casinoId,
        item_id: itemId,
        box_id: boxId,
        prize_id: prizeId,
        player_id: playerId,
        opening_id: textAt(opened, 'opening.id'),
        order_id: (await database.prizeOrder.findFirstOrThrow(where)).id,
        cashback_id: (await database.cashback.findFirstOrThrow(where)).id,
        key_id: textAt(key, 'data.key_id'),
        event_id: textAt(events, 'data.0.id'),
        name: 'reminders', // of a setting
      },
    }
  }

  /** A request that succeeds for whose ids they are, as far as one body can please every endpoint. */
  function call(route: Route, apiKey: string, { ids, cashbackPrizeId }: World): Promise<Reply> {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(ids[name] ?? 'unknown'),
    )
    const { item_id, box_id, player_id, prize_id } = ids
    const body = {
      ...delivery,
      ...{ player_id, box_id, item_id, prize_id },
      ...(route.path === '/prize/cashback' ? { prize_id: cashbackPrizeId } : {}),
      ...(route.path.endsWith('/prizes') ? { prize_id: undefined } : {}),
      name: 'Renamed',
      kind: 'physical',
      access: 'granted',
      entries: [{ item_id, weight: 1 }],
      grants: [{ player_id, box_id, count: 1 }],
      client_seed: 'seed',
    }
    return service.client.send(route.method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(route.method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
  }

  const nounOf = (name = '') => name.replace(/_id$/, '')

  /** All rows of a casino, by table. */
  async function dump(casinoId: string, except: readonly string[] = []): Promise<Map<string, string>> {
    const rows = await service.database.$queryRaw<{ name: string; rows: string }[]>`
      SELECT table_name::text AS name,
             query_to_xml(
               format('SELECT * FROM %I AS t WHERE casino_id = %L ORDER BY t::text', table_name, ${casinoId}::text),
               true, false, '')::text AS rows
        FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'casino_id'`
    expect(rows.length).to.be.greaterThan(12)
    return new Map(rows.filter(({ name }) => !except.includes(name)).map(({ name, rows }) => [name, rows]))
  }

  /** What nobody but its owner can know: every text of the dump that looks like an id or a name of the owner's. */
  async function secretsOf(world: World): Promise<string[]> {
    const text = [...(await dump(world.casinoId)).values()].join()
    const values = [...text.matchAll(/>([^<>]{10,})</g)].map((match) => match[1] ?? '')
    return [...new Set(values)].filter((value) =>
      /[a-z_]+-\d+-|^[a-z]{3}_[0-9a-f]{32}|^[0-9a-f]{64}$/.test(value),
    )
  }

  async function attack(attacker: World, victim: World, casinoId: string, only: (route: Route) => boolean) {
    const secrets = await secretsOf(victim)
    expect(secrets.length).to.be.greaterThan(12)
    const own = await dump(attacker.casinoId)
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

  it('are not found by keys of the other kind, whatever ids they name', async () => {
    let read = 0
    for (const [attacker, victim] of [
      [test, live],
      [live, test],
    ] as const) {
      for (const route of routes.filter(({ method }) => method === 'GET')) {
        const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
        const objects = names.filter((name = '') => /_id$/.test(name) && !/^(casino|player)_id$/.test(name))
        if (objects.length === 0) continue
        // As the attacker's own script would ask: with its own casino in the path, and others' ids behind it.
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

  it('are apart: a test key sees and changes nothing live, on any route, whichever casino the path names', async () => {
    const before = await dump(live.casinoId)
    for (const casinoId of [live.casinoId, test.casinoId]) await attack(test, live, casinoId, () => true)
    expect(await dump(live.casinoId)).to.deep.equal(before)
  })

  it('are apart: a live key that names its casino sees and changes nothing of the sandbox but its keys', async () => {
    const before = await dump(test.casinoId, mirroredTables)
    await attack(live, test, live.casinoId, ({ path }) => !keyPaths.test(path))
    expect(await dump(test.casinoId, mirroredTables)).to.deep.equal(before)
  })

  it('are listed apart', async () => {
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

  it('are what their own keys reach on every route, or the tests above would prove nothing', async () => {
    // What is published for the casino is mirrored, so the sandbox's turn comes first.
    for (const world of (await createWorlds()).reverse()) {
      for (const route of routes.filter(({ path }) => path !== '/admin/casinos')) {
        const reply = await call(route, world.apiKey, world)
        const message = `${route.method} ${route.path}: does createWorld make what it names? ${reply.text}`
        expect(reply.status, message).not.to.be.oneOf([401, 403, 404])
      }
    }
  })
})
