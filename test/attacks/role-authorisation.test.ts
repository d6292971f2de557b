import { expect } from 'chai'
import { createAdminRoutes } from '../../api/admin/routes.ts'
import type { Route } from '../../api/route.ts'
import { operatorRoles, rightsOf } from '../../core/operator/rights.ts'
import type { OperatorRole } from '../../core/operator/rights.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { auditTables, createLiveAndTestWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { differences, dumpDatabase, dumpSettled } from '../support/database-dump.ts'
import { delivery } from '../support/factory.ts'
import { inParallel } from '../support/in-parallel.ts'
import { logIn } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { rowNameOf, rowOf } from './access.ts'

type ManageRoute = Extract<Route, { for: 'operators' }>

interface Visitor {
  name: string
  role: OperatorRole
  /** Undefined for all casinos. */
  casinoIds: readonly string[] | undefined
  cookie: { Cookie: string }
}

/** Written behind the requests of people, whatever comes of them. */
const leftBehind = [...auditTables, 'operator_session']

describe('the rights of operators', () => {
  let service: TestService
  let routes: readonly ManageRoute[]
  let worlds: [World, World]
  let visitors: Visitor[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    routes = createAdminRoutes(service.deps).filter((route) => route.for === 'operators')
    const [own] = await createLiveAndTestWorld(service)
    const [foreign] = await createLiveAndTestWorld(service)
    worlds = [own, foreign]
    const scopes = [undefined, [own.casinoId]]
    visitors = await Promise.all(
      operatorRoles.flatMap((role) =>
        scopes.map(async (casinoIds) => ({
          name: `${role} of ${casinoIds === undefined ? 'all casinos' : 'one casino'}`,
          role,
          casinoIds,
          cookie: await logIn(service, { role, ...(casinoIds === undefined ? {} : { casinoIds }) }),
        })),
      ),
    )
  })

  /** What the tables in api/admin/rights.ts and docs/operate/operators.md come to. */
  function refusalOf({ role, casinoIds }: Visitor, route: ManageRoute, casinoId: string): string | null {
    if (route.right === 'own') return null
    if (!rightsOf(role).includes(route.right)) return 'right_missing'
    if (casinoIds === undefined) return null
    if (!route.path.includes(':casino_id')) return route.right === 'admin' ? 'right_missing' : null
    const isOwn = casinoIds.includes(casinoId) || casinoIds.includes(casinoId.replace(/:test$/, ''))
    return isOwn ? null : 'casino_unknown'
  }

  async function call({ cookie }: Visitor, route: ManageRoute, world: World) {
    const ids: Record<string, string> = world.ids
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
    const body = { ...rowOf(route).body?.(world), reason: 'a test' }
    return service.client.send(route.method, path, {
      headers: { ...cookie, 'Content-Type': 'application/json' },
      ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    })
  }

  it('keep every role from every route that it has no right to, which changes nothing', async () => {
    const cells = visitors.flatMap((visitor) =>
      routes.flatMap((route) =>
        worlds.map((world) => ({ visitor, route, world, code: refusalOf(visitor, route, world.casinoId) })),
      ),
    )
    const refused = cells.filter(({ code }) => code !== null)
    expect(refused.length).to.be.greaterThan(300)
    const before = await dumpSettled(service, leftBehind)
    const wrong: string[] = []
    await inParallel(8, refused, async ({ visitor, route, world, code }) => {
      const reply = await call(visitor, route, world)
      const answered = reply.headers.get('X-Error-Code')
      if (answered !== code)
        wrong.push(`${visitor.name}: ${rowNameOf(route)}: ${String(code)} expected, ${reply.text}`)
    })
    expect(wrong).to.deep.equal([])
    expect(differences(before, await dumpDatabase(service, leftBehind))).to.deep.equal([])
  })

  it('let every role use every route that it has a right to', async () => {
    const refusals = ['right_missing', 'casino_unknown', 'second_factor_required', 'session_ended']
    const wrong: string[] = []
    const [own] = worlds
    for (const visitor of visitors) {
      // Last those that end somebody's sessions.
      for (const route of routes.filter(({ path }) => !path.startsWith('/admin/session'))) {
        if (refusalOf(visitor, route, own.casinoId) !== null) continue
        const reply = await call(visitor, route, own)
        const code = reply.headers.get('X-Error-Code')
        if (reply.status >= 500 || (code !== null && refusals.includes(code)))
          wrong.push(`${visitor.name}: ${rowNameOf(route)}: ${reply.status} ${reply.text}`)
      }
    }
    expect(wrong).to.deep.equal([])
  })

  it('show an operator of some casinos those casinos only, with their sandboxes', async () => {
    const [own] = worlds
    const [visitor] = visitors.filter(({ casinoIds }) => casinoIds !== undefined)
    const { json } = await service.client.send('GET', '/admin/casinos', { headers: visitor?.cookie ?? {} })
    const { data } = json as { data: { casino_id: string }[] }
    expect(data.map(({ casino_id }) => casino_id)).to.have.members([own.casinoId, `${own.casinoId}:test`])
  })

  it('have people say why they do something, where keys may', async () => {
    const [own] = worlds
    const [visitor] = visitors.filter(({ role }) => role === 'admin')
    const path = `/admin/casinos/${own.casinoId}/orders/${own.ids['order_id'] ?? ''}/hold`
    const reply = await service.client.send('POST', path, {
      headers: { ...visitor?.cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ hold_reason: 'kyc_pending' }),
    })
    expect([reply.status, reply.json]).to.deep.equal([
      400,
      {
        status: 'error',
        message: 'The given data was invalid.',
        errors: { reason: [{ error: 'required', message: 'reason is required' }] },
      },
    ])
  })

  it('hide delivery details from people until they say why, which the trail keeps under their name', async () => {
    const casino = await service.factory.casino()
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const order = { player_id: playerId, prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, order)
    const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    const cookie = await logIn(service, { role: 'support' })
    const headers = { ...cookie, 'Content-Type': 'application/json' }
    const path = `/admin/casinos/${casino.id}/orders/${orderId}`
    const shown = await service.client.send('GET', path, { headers: cookie })
    expect(shown.text).not.to.contain('Canary')
    expect(shown.json).to.have.nested.include({ 'data.delivery': null, 'data.delivery_hidden': true })
    const revealed = await service.client.send('POST', `${path}/reveal`, {
      headers,
      body: JSON.stringify({ reason: 'The player asks about the street' }),
    })
    expect(revealed.json).to.have.nested.property('data.delivery.street', '1 Canary Street')
    const trail = await service.client.send('GET', `/admin/casinos/${casino.id}/audit?order=desc`, {
      headers: cookie,
    })
    const entries = (trail.json as { data: { action: string; reason: string | null; actor: string }[] }).data
    const reveals = entries.filter(({ action }) => action.endsWith('/reveal'))
    expect(reveals[0]).to.include({ reason: 'The player asks about the street' })
    expect(reveals[0]?.actor).to.match(/^operator:support-/)
  })
})
