import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { clientSecret, singleSignOnEnv, startIdentityProvider } from '../../support/identity-provider.ts'
import type { TestProvider } from '../../support/identity-provider.ts'
import { logIn, makeOperator, postForm, postLogin, testPassword } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createVisitor } from '../../support/visitor.ts'
import type { Visitor } from '../../support/visitor.ts'

const consoleUrl = 'http://localhost:3002'
const start = `${consoleUrl}/ops/login/oidc`
const key = { Authorization: `Bearer ${adminApiKey}` }
const codeOf = (reply: Reply) => reply.headers.get('X-Error-Code')

describe('single sign-on', () => {
  let provider: TestProvider
  let service: TestService
  let nowMs = Date.now()
  const logged: string[] = []

  const atEnd = atEndOfSuite()
  const atEndOfThis = atEndOfTest()
  before(async () => {
    provider = await startIdentityProvider(consoleUrl)
    atEnd(() => provider.stop())
    service = await startService({
      env: singleSignOnEnv(provider.issuer, consoleUrl),
      clock: { now: () => new Date(nowMs) },
      log: pino({}, { write: (line: string) => void logged.push(line) }),
    })
    atEnd(() => service.stop())
  })

  const visit = (at: TestService = service) => createVisitor({ [consoleUrl]: at.url })
  /** Up to the provider's form, which it fills in. */
  const signIn = async (visitor: Visitor, login: string, to = ''): Promise<Reply> => {
    const form = await visitor.go(start + to)
    expect(form.text, form.text).to.contain('name="login"')
    return visitor.go(visitor.url, { login })
  }
  /** The address at which the browser would come back, without going there. */
  const comeBack = async (visitor: Visitor, login: string): Promise<string> => {
    await visitor.go(start)
    let reply = await visitor.ask(visitor.url, { login })
    for (;;) {
      const next = new URL(reply.headers.get('Location') ?? '', visitor.url).href
      if (next.startsWith(consoleUrl)) return next
      reply = await visitor.ask(next)
    }
  }
  const ownOperator = async (visitor: Visitor) => {
    const { json } = await visitor.ask(`${consoleUrl}/admin/session`)
    return (json as { data?: { operator: Record<string, unknown> } }).data?.operator
  }
  const send = (method: string, path: string, body: object = {}, headers: Record<string, string> = key) =>
    service.client.send(method, `/admin${path}`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    })
  const trail = () =>
    service.database.auditEntry.findMany({
      where: { action: 'GET /ops/login/oidc/callback' },
      orderBy: { id: 'asc' },
      select: { actor: true, outcome: true, params: true },
    })
  const person = (subject: string, groups: unknown, more: object = {}) => {
    provider.people.set(subject, { name: 'Jane Miller', preferred_username: subject, groups, ...more })
    return subject
  }

  it('signs in a person with an account and a role, who is an operator from then on', async () => {
    person('sub-first', ['rewards-admins', 'others'], { preferred_username: 'Jane' })
    const visitor = visit()
    const begun = await visitor.ask(`${start}?to=/ops/queues`)
    const sent = new URL(begun.headers.get('Location') ?? '')
    expect(begun.status).to.equal(303)
    expect(sent.origin).to.equal(provider.issuer)
    expect(Object.fromEntries(sent.searchParams)).to.include({
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${consoleUrl}/ops/login/oidc/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(sent.searchParams.get(name), name).to.match(/^[\w-]{43}$/)
    const [cookie = ''] = begun.headers.getSetCookie()
    expect(cookie.toLowerCase().split('; ')).to.include.members(['path=/', 'httponly', 'samesite=lax'])
    expect(cookie).to.match(/^ops_sign_on=/)

    await visitor.go(sent.href)
    const entered = await visitor.go(visitor.url, { login: 'sub-first' })
    expect(entered.status).to.equal(200)
    expect(entered.text).to.contain('<meta http-equiv="refresh" content="0;url=/ops/queues">')
    const cookies = entered.headers.getSetCookie().map((line) => line.toLowerCase())
    expect(cookies.find((line) => line.startsWith('ops_sign_on=;'))).to.match(/expires=thu, 01 jan 1970/)
    expect(cookies.find((line) => line.startsWith('ops_session=ses_'))).to.contain('samesite=strict')

    expect(await ownOperator(visitor)).to.include({
      username: 'jane',
      name: 'Jane Miller',
      role: 'admin',
      casino_ids: null,
      state: 'active',
      issuer: `${provider.issuer}/`,
      subject: 'sub-first',
      created_by: 'single-sign-on',
    })
    const { id } = await service.database.operator.findFirstOrThrow({ where: { username: 'jane' } })
    expect((await trail()).at(-1)).to.include({
      actor: 'operator:jane',
      outcome: `200 made ${id}: admin of all casinos`,
    })
    await signIn(visit(), 'sub-first')
    expect((await trail()).at(-1)).to.include({ actor: 'operator:jane', outcome: '200' })
    expect(await service.database.operator.count({ where: { subject: 'sub-first' } })).to.equal(1)
  })

  it('says so where the page that was asked for has too long an address to lead back', async () => {
    person('sub-long', ['rewards-admins'])
    for (const to of [`/ops/${'x'.repeat(1_000)}`, `/ops/casinos/acme/orders?player_id=${'x'.repeat(600)}`]) {
      const visitor = visit()
      const entered = await signIn(visitor, 'sub-long', `?to=${encodeURIComponent(to)}`)
      expect(entered.status).to.equal(200)
      expect(entered.text).to.contain('too long to be kept').and.contain('<a href="/ops/">Continue</a>')
      // The page stays until it is read.
      expect(entered.text).not.to.contain('http-equiv')
      expect(await ownOperator(visitor)).to.include({ username: 'sub-long' })
    }
    expect((await signIn(visit(), 'sub-long', '?to=/ops/casinos')).text).not.to.contain('too long')
  })

  it('assigns the role and the casinos of the claim', async () => {
    const cases: [unknown, string, string[] | null][] = [
      [['support-acme', 'support-lucky'], 'support', ['acme', 'lucky']],
      [['everybody', 'support-lucky'], 'support', ['lucky']],
      [['everybody', 7, null, { a: 1 }], 'viewer', null],
      ['support-acme', 'support', ['acme']],
      [['everybody', 'support-acme', 'rewards-admins'], 'admin', null],
    ]
    for (const [index, [groups, role, casinos]] of cases.entries()) {
      const visitor = visit()
      await signIn(visitor, person(`sub-role-${index}`, groups))
      const operator = await ownOperator(visitor)
      expect([operator?.['role'], operator?.['casino_ids']], JSON.stringify(groups)).to.deep.equal([
        role,
        casinos,
      ])
    }
  })

  it('applies a changed role at the next sign-on, also to browsers that are signed in', async () => {
    const subject = person('sub-changed', ['rewards-admins'])
    const before = visit()
    await signIn(before, subject)
    expect((await before.ask(`${consoleUrl}/admin/operators`)).status).to.equal(200)
    person(subject, ['support-acme'])
    const after = visit()
    await signIn(after, subject)
    expect(await ownOperator(after)).to.deep.include({ role: 'support', casino_ids: ['acme'] })
    expect(codeOf(await before.ask(`${consoleUrl}/admin/operators`))).to.equal('right_missing')
    expect((await trail()).at(-1)).to.include({
      actor: 'operator:sub-changed',
      outcome: '200 was admin of all casinos, is support of acme',
    })
  })

  it('refuses a person whose claim gives no role, and ends the sessions that are left', async () => {
    for (const groups of [
      undefined,
      [],
      ['others'],
      'rewards',
      ['REWARDS-ADMINS'],
      { 'rewards-admins': true },
    ]) {
      const visitor = visit()
      const reply = await signIn(visitor, person('sub-nobody', groups))
      expect([reply.status, codeOf(reply)]).to.deep.equal([403, 'single_sign_on_refused'])
      expect(reply.text).to.contain('Your account has no role here')
      expect(await ownOperator(visitor)).to.equal(undefined)
    }
    expect(await service.database.operator.count({ where: { subject: 'sub-nobody' } })).to.equal(0)
    expect((await trail()).at(-1)).to.deep.equal({
      actor: 'ops',
      outcome: '403 single_sign_on_refused',
      params: '{"subject":"sub-nobody"}',
    })
    const subject = person('sub-lost', ['everybody'])
    const visitor = visit()
    await signIn(visitor, subject)
    expect(await ownOperator(visitor)).to.include({ role: 'viewer' })
    person(subject, [])
    expect((await signIn(visit(), subject)).status).to.equal(403)
    expect(await ownOperator(visitor), 'an open browser').to.equal(undefined)
    expect((await trail()).at(-1)?.actor).to.equal('operator:sub-lost')
  })

  it('refuses a disabled operator until it is enabled', async () => {
    const subject = person('sub-disabled', ['everybody'])
    const visitor = visit()
    await signIn(visitor, subject)
    const { id } = await service.database.operator.findFirstOrThrow({ where: { subject } })
    await send('POST', `/operators/${id}/disable`, { reason: 'has left' })
    expect(await ownOperator(visitor)).to.equal(undefined)
    const reply = await signIn(visit(), subject)
    expect([reply.status, codeOf(reply)]).to.deep.equal([403, 'single_sign_on_refused'])
    expect(reply.text).to.contain('This operator is disabled')
    await send('POST', `/operators/${id}/enable`, { reason: 'is back' })
    expect((await signIn(visit(), subject)).status).to.equal(200)
  })

  it('never takes over an operator with a password, and never turns into one', async () => {
    const { id, username } = await makeOperator(service, { role: 'viewer' })
    const visitor = visit()
    await signIn(
      visitor,
      person('sub-same', ['rewards-admins'], { preferred_username: username.toUpperCase() }),
    )
    const entered = await ownOperator(visitor)
    expect(entered).to.include({ username: `${username}+sso`, role: 'admin' })
    expect(await service.database.operator.findUniqueOrThrow({ where: { id } })).to.include({
      role: 'viewer',
      subject: null,
    })
    expect((await postLogin(service.client, { username, password: testPassword })).status).to.equal(303)
    const own = String(entered?.['operator_id'])
    const session = { Cookie: `ops_session=${visitor.cookiesOf(consoleUrl).get('ops_session') ?? ''}` }
    const wish = { name: 'X', role: 'viewer', casino_ids: null }
    const refused = [
      await send('POST', `/operators/${own}/invite`, { reason: 'x' }),
      await send('PUT', `/operators/${own}`, wish),
      await send('PUT', '/session/password', { password: 'x', new_password: testPassword }, session),
      await send('PUT', '/session/second-factor', {}, session),
    ]
    for (const reply of refused) {
      expect([reply.status, codeOf(reply)]).to.deep.equal([409, 'transition_illegal'])
      expect(reply.text).to.contain('single sign-on')
    }
    for (const password of ['', testPassword])
      expect((await postLogin(service.client, { username: `${username}+sso`, password })).status).to.equal(
        401,
      )
    await service.database.operator.update({ where: { id: own }, data: { passwordHash: 'x' } }).then(
      () => expect.fail('the database refuses it'),
      (error: unknown) => expect(String(error)).to.contain('operator_identity_check'),
    )
  })

  it('gives each account its own username, even if the provider sends the same name twice', async () => {
    const cases: [string, object, RegExp][] = [
      ['sub-name-1', { preferred_username: 'Zoë  Müller<script>' }, /^zo-m-ller-script-$/],
      ['sub-name-2', { preferred_username: 'zoë müller<script>' }, /^zo-m-ller-script-\+sso$/],
      ['sub-name-3', { preferred_username: 'ZOË MÜLLER<SCRIPT>' }, /^sso-[0-9a-f]{16}$/],
      ['sub-name-4', { preferred_username: '理由', name: '理由\u0000' }, /^sso-[0-9a-f]{16}$/],
      [
        'sub-name-5',
        { preferred_username: '', email: 'Boss@Acme.Example', email_verified: true },
        /^boss@acme\.example$/,
      ],
      ['sub-name-6', { preferred_username: undefined, email: 'x@y.example' }, /^sso-[0-9a-f]{16}$/],
      ['sub-name-7', { preferred_username: 'x'.repeat(10_000), name: 'y'.repeat(10_000) }, /^x{90}$/],
    ]
    for (const [subject, claims, username] of cases) {
      const visitor = visit()
      await signIn(visitor, person(subject, ['everybody'], claims))
      expect((await ownOperator(visitor))?.['username'], subject).to.match(username)
    }
  })

  it('reports that the provider has refused, without the provider’s text', async () => {
    provider.behaviour.isRefusing = true
    atEndOfThis(() => (provider.behaviour.isRefusing = false))
    const reply = await signIn(visit(), person('sub-refused', ['rewards-admins']))
    expect([reply.status, codeOf(reply)]).to.deep.equal([403, 'single_sign_on_refused'])
    expect(reply.text).not.to.contain('<script>')
    expect(reply.headers.getSetCookie().some((line) => line.startsWith('ops_session'))).to.equal(false)
  })

  it('accepts each answer once, in the browser that requested it', async () => {
    const subject = person('sub-once', ['rewards-admins'])
    const stale = async (visitor: Visitor, url: string, what: string) => {
      const reply = await visitor.ask(url)
      expect([reply.status, codeOf(reply)], what).to.deep.equal([400, 'single_sign_on_stale'])
      expect(reply.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
      expect(visitor.cookiesOf(consoleUrl).has('ops_session'), what).to.equal(false)
    }
    const attacker = visit()
    const url = await comeBack(attacker, subject)
    const ticket = attacker.cookiesOf(consoleUrl).get('ops_sign_on') ?? ''
    // Signs the victim in as the attacker.
    await stale(visit(), url, 'a browser without a ticket')
    const victim = visit()
    await victim.ask(start)
    await stale(victim, url, 'a browser with a ticket of its own')
    const last = ticket.endsWith('A') ? 'B' : 'A'
    for (const changed of [ticket.slice(0, -1) + last, ticket.slice(1), 'x', '']) {
      const visitor = visit()
      visitor.cookiesOf(consoleUrl).set('ops_sign_on', changed)
      await stale(visitor, url, 'a changed ticket')
    }
    const other = visit()
    await other.ask(start)
    const state = new URL(await comeBack(other, subject)).searchParams.get('state') ?? ''
    const injected = new URL(url)
    injected.searchParams.set('state', state)
    await stale(other, injected.href, 'a stolen code in one’s own sign-on (PKCE)')

    const right = visit()
    const own = await comeBack(right, subject)
    const kept = right.cookiesOf(consoleUrl).get('ops_sign_on') ?? ''
    expect((await right.ask(own)).status).to.equal(200)
    const again = visit()
    again.cookiesOf(consoleUrl).set('ops_sign_on', kept)
    await stale(again, own, 'a second time')

    const late = visit()
    const tooLate = await comeBack(late, subject)
    nowMs += 10 * 60_000
    await stale(late, tooLate, 'too late')
  })

  it('redirects only to pages of the service', async () => {
    const subject = person('sub-target', ['everybody'])
    const cases: [string, string][] = [
      ['/ops/queues?a=b&c=%22d#e', '/ops/queues?a=b&amp;c=%22d#e'],
      ['https://evil.example/ops/', '/ops/'],
      ['//evil.example/ops/', '/ops/'],
      ['/\\evil.example/ops/', '/ops/'],
      ['/ops/../../evil', '/ops/'],
      ['/ops/%2e%2e/admin', '/ops/'],
      ['/ops/\t/evil', '/ops/'],
      ['/opsevil', '/ops/'],
      ['/ops/logout', '/ops/'],
      ['javascript:alert(1)', '/ops/'],
      ['/ops/"><script>', '/ops/'],
    ]
    for (const [to, target] of cases) {
      const reply = await signIn(visit(), subject, `?to=${encodeURIComponent(to)}`)
      const escaped = target.replaceAll('&amp;', '&#38;')
      expect(reply.text, to).to.contain(`content="0;url=${escaped}">`)
    }
  })

  it('asks the userinfo endpoint where the ID token has no such claim', async () => {
    const lean = await startIdentityProvider(consoleUrl, { isLean: true })
    atEndOfThis(() => lean.stop())
    const other = await startService({ env: singleSignOnEnv(lean.issuer, consoleUrl) })
    atEndOfThis(() => other.stop())
    lean.people.set('sub-lean', { name: 'Lean', preferred_username: 'lean', groups: ['support-acme'] })
    const visitor = visit(other)
    expect((await signIn(visitor, 'sub-lean')).status).to.equal(200)
    expect(lean.asked).to.include('/me')
    expect(await ownOperator(visitor)).to.include({ username: 'lean', role: 'support', name: 'Lean' })
  })

  it('writes no secrets to the log', () => {
    const text = logged.join('')
    expect(text).to.contain('single sign-on refused')
    for (const secret of [clientSecret, 'ops_sign_on', 'ses_', 'code_verifier', 'id_token', 'eyJ'])
      expect(text.includes(secret), secret).to.equal(false)
  })

  it('is offered only where it is configured', async () => {
    const page = await service.client.send('GET', '/ops/login?to=/ops/queues')
    expect(page.text)
      .to.contain('href="/ops/login/oidc?to=%2Fops%2Fqueues"')
      .and.to.contain('name="password"')
    const plain = await startService()
    atEndOfThis(() => plain.stop())
    expect((await plain.client.send('GET', '/ops/login')).text).not.to.contain('oidc')
    for (const path of ['/ops/login/oidc', '/ops/login/oidc/callback?code=a&state=b'])
      expect((await plain.client.send('GET', path)).status).to.equal(404)
  })

  it('accepts GET only: a HEAD request would use the code up', async () => {
    for (const path of ['/ops/login/oidc', '/ops/login/oidc/callback']) {
      for (const method of ['HEAD', 'POST']) {
        const reply = await service.client.send(method, path)
        expect(reply.status, `${method} ${path}`).to.equal(405)
      }
    }
  })

  it('can be the only way to sign in: passwords are then refused, even within a session', async () => {
    const env = { ...service.env, OIDC_ONLY: 'true' }
    const { username } = await makeOperator(service)
    const session = await logIn(service)
    expect((await service.client.send('GET', '/admin/session', { headers: session })).status).to.equal(200)
    const strict = await startService({ env, clock: { now: () => new Date(nowMs) } })
    atEndOfThis(() => strict.stop())
    const page = await strict.client.send('GET', '/ops/login')
    expect(page.text).to.contain('/ops/login/oidc').and.not.to.contain('password')
    const refused = [
      await postLogin(strict.client, { username, password: testPassword }),
      await postForm(strict.client, '/ops/invitation', { invitation: 'x', password: testPassword }),
      await postForm(strict.client, '/ops/setup', { key: adminApiKey }),
      await strict.client.send('GET', '/ops/setup'),
      await strict.client.post('/admin/operators', adminApiKey, {
        username: 'new',
        name: 'New',
        role: 'viewer',
        casino_ids: null,
      }),
    ]
    for (const reply of refused) expect([reply.status, codeOf(reply)]).to.deep.equal([403, 'passwords_off'])
    expect(codeOf(await strict.client.send('GET', '/admin/session', { headers: session }))).to.equal(
      'session_ended',
    )
    const visitor = visit(strict)
    await signIn(visitor, person('sub-strict', ['rewards-admins']))
    expect(await ownOperator(visitor)).to.include({ role: 'admin' })
    // And without the provider, its operators are out.
    const without = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OIDC_')))
    const plain = await startService({ env: without, clock: { now: () => new Date(nowMs) } })
    atEndOfThis(() => plain.stop())
    const cookie = { Cookie: `ops_session=${visitor.cookiesOf(consoleUrl).get('ops_session') ?? ''}` }
    expect(codeOf(await plain.client.send('GET', '/admin/session', { headers: cookie }))).to.equal(
      'session_ended',
    )
  })
})
