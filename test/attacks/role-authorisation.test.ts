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
import { adminApiKey } from '../support/config.ts'
import { isLongForm } from '../support/runs.ts'
import { cookieOf, logIn, makeOperator, postLogin, testPassword } from '../support/ops.ts'
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

/** Tables that requests of operators write to, whether they succeed or not. */
const leftBehind = [...auditTables, 'operator_session']

describe('the rights of operators', function () {
  // Every role on every route takes minutes on a busy machine.
  this.timeout(240_000)
  let service: TestService
  let routes: readonly ManageRoute[]
  let worlds: [World, World]
  let visitors: Visitor[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { RATE_LIMITS: 'management=none' } })
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

  /** The refusal that follows from the tables in api/admin/rights.ts and docs/operate/operators.md. */
  function refusalOf({ role, casinoIds }: Visitor, route: ManageRoute, casinoId: string): string | null {
    if (route.right === 'own') return null
    if (!rightsOf(role).includes(route.right)) return 'right_missing'
    const needed = rowOf(route).rightOfBody ?? route.right
    const allowed = rightsOf(role).includes(needed) ? null : 'right_missing'
    if (casinoIds === undefined) return allowed
    if (!route.path.includes(':casino_id'))
      return route.right === 'admin' || route.path === '/admin/state' ? 'right_missing' : null
    const isOwn = casinoIds.includes(casinoId) || casinoIds.includes(casinoId.replace(/:test$/, ''))
    return isOwn ? allowed : 'casino_unknown'
  }

  async function call(
    { cookie }: Pick<Visitor, 'cookie'>,
    route: ManageRoute,
    world: World,
    { reason = 'a test', headers = {} }: { reason?: string | null; headers?: Record<string, string> } = {},
  ) {
    const ids: Record<string, string> = world.ids
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
    const body = { ...rowOf(route).body?.(world), reason: route.reasonPlace === 'body' ? reason : undefined }
    const said: Record<string, string> =
      route.reasonPlace === 'header' && reason !== null ? { 'X-Reason': encodeURIComponent(reason) } : {}
    return service.client.send(route.method, path, {
      headers: { ...cookie, 'Content-Type': 'application/json', ...said, ...headers },
      ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    })
  }

  it('keep every role from the routes that it has no right to, and nothing changes', async () => {
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
    for (const [nthVisitor, visitor] of visitors.entries()) {
      // Not the routes that end sessions.
      for (const [nthRoute, route] of routes
        .filter(({ path }) => !path.startsWith('/admin/session'))
        .entries()) {
        if (refusalOf(visitor, route, own.casinoId) !== null) continue
        // In the short form each visitor uses only a third of the routes.
        if (!isLongForm && (nthVisitor + nthRoute) % 3 !== 0) continue
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

  /** All but the routes of the operator's own session, and those that only compute. */
  const askedForReasons = () => routes.filter(({ reasonPlace }) => reasonPlace !== undefined)

  it('require a reason for each change and each reveal, or nothing is done', async () => {
    const unasked = routes.filter(({ method, reasonPlace }) => method !== 'GET' && reasonPlace === undefined)
    expect(unasked.map(rowNameOf)).to.have.members([
      'PUT /admin/session/password',
      'PUT /admin/session/second-factor',
      'PUT /admin/session/second-factor/confirmation',
      'DELETE /admin/session/sessions',
      'DELETE /admin/session/sessions/:session_id',
      'POST /admin/casinos/:casino_id/boxes/:box_id/simulate',
      'POST /admin/casinos/:casino_id/acts',
      // A note is a reason in itself.
      'POST /admin/casinos/:casino_id/prizes/:prize_id/notes',
    ])
    const [own] = worlds
    const cookie = await logIn(service)
    const before = await dumpSettled(service, leftBehind)
    const wrong: string[] = []
    await inParallel(8, askedForReasons(), async (route) => {
      for (const reason of [null, ' ']) {
        const reply = await call({ cookie }, route, own, { reason })
        const name = route.reasonPlace === 'body' ? 'reason' : 'X-Reason'
        const answered = [reply.status, reply.headers.get('X-Error-Code'), JSON.stringify(reply.json)]
        const expected = {
          status: 'error',
          message: 'Give a reason for this action: reason is required',
          errors: { [name]: [{ error: 'required', message: `${name} is required` }] },
        }
        if (String(answered) !== String([422, 'reason_required', JSON.stringify(expected)]))
          wrong.push(`${rowNameOf(route)}: ${reply.text}`)
      }
    })
    expect(wrong).to.deep.equal([])
    expect(differences(before, await dumpDatabase(service, leftBehind))).to.deep.equal([])
  })

  it('let keys work without a reason, and record theirs if they give one', async () => {
    const [own] = worlds
    const path = `/admin/casinos/${own.casinoId}/items/reasoned`
    const body = JSON.stringify({ name: 'Mug', kind: 'physical' })
    const put = (key: string, headers: Record<string, string>) =>
      service.client.send('PUT', path, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        body,
      })
    const reasons = async (requestId: string) =>
      (await service.database.auditEntry.findMany({ where: { requestId } })).map(({ reason }) => reason)
    for (const [name, key] of [
      ['admin', adminApiKey],
      ['casino', own.apiKey],
    ] as const) {
      expect((await put(key, { 'X-Request-Id': `silent-${name}` })).status).to.be.oneOf([200, 201])
      expect(await reasons(`silent-${name}`)).to.deep.equal([null, null])
      const said = { 'X-Request-Id': `said-${name}`, 'X-Reason': 'A%20new%20mug' }
      expect((await put(key, said)).status).to.equal(200)
      expect(await reasons(`said-${name}`)).to.deep.equal(['A new mug', 'A new mug'])
    }
  })

  it('refuse an invalid X-Reason', async () => {
    const [own] = worlds
    const cookie = await logIn(service)
    const route = routes.find((each) => rowNameOf(each) === 'PUT /admin/casinos/:casino_id/items/:item_id')
    if (route === undefined) throw new Error('no such route')
    const wrong = [
      ['100%', 400, 'parameters_invalid'],
      ['caf\u00e9', 400, 'parameters_invalid'],
      ['%00', 400, 'parameters_invalid'],
      ['%ED%A0%80', 400, 'parameters_invalid'],
      ['x'.repeat(501), 400, 'parameters_invalid'],
      [own.apiKey, 400, 'api_key_misplaced'],
    ] as const
    for (const [text, status, code] of wrong) {
      const reply = await call({ cookie }, route, own, { reason: null, headers: { 'X-Reason': text } })
      expect([reply.status, reply.headers.get('X-Error-Code')], text).to.deep.equal([status, code])
    }
  })

  it('hide delivery details from operators until they give a reason, which the trail keeps under their name', async () => {
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

  it('record each change and each reveal in the trail: who, why, and in which request', async () => {
    const [, own] = worlds
    const { username } = await makeOperator(service)
    const cookie = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    const wrong: string[] = []
    for (const [index, route] of askedForReasons().entries()) {
      const requestId = `why-${index}`
      const reason = `Ein Grund, 理由 ${index}`
      const reply = await call({ cookie }, route, own, { reason, headers: { 'X-Request-Id': requestId } })
      const entries = await service.database.auditEntry.findMany({
        where: { requestId },
        select: { actor: true, action: true, reason: true },
      })
      const expected = { actor: `operator:${username}`, action: rowNameOf(route), reason }
      // Before and after it.
      if (JSON.stringify(entries) !== JSON.stringify([expected, expected]))
        wrong.push(`${rowNameOf(route)}: ${reply.text} ${JSON.stringify(entries)}`)
    }
    expect(wrong).to.deep.equal([])
  })
})
