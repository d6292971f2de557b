import { expect } from 'chai'
import { sessionLifetimeMs } from '../../../core/operator/sessions.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { logIn, makeOperator, postLogin, testPassword } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the login of the operations pages', () => {
  let service: TestService
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }

  let username: string
  const right = () => ({ username, password: testPassword })

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock })
    atEnd(() => service.stop())
    ;({ username } = await makeOperator(service))
  })

  it('sends a person without a session to the form', async () => {
    for (const path of ['/ops/queues', '/ops/queues/', '/ops/queues/queue/credit-cashback']) {
      const reply = await service.client.send('GET', path)
      expect(reply.status, path).to.equal(303)
      expect(reply.headers.get('Location'), path).to.equal(`/ops/login?to=${encodeURIComponent(path)}`)
    }
    const form = await service.client.send('GET', '/ops/login')
    expect(form.status).to.equal(200)
    expect(form.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
    expect(form.text).to.contain('<label for="password">').and.to.contain('<input id="password"')
    expect(form.text).not.to.match(/(src|href)="(https?:)?\/\//)
  })

  it('leads back only to the page that was asked for', async () => {
    const asked = '/ops/queues/queue/credit-cashback?status=failed'
    const sent = await service.client.send('GET', asked)
    const login = sent.headers.get('Location') ?? ''
    const form = await service.client.send('GET', login)
    expect(form.text).to.contain(`action="${login}"`)
    const wrong = await postLogin(service.client, { ...right(), password: 'wrong' }, {}, login)
    expect([wrong.status, wrong.text.includes(`action="${login}"`)]).to.deep.equal([401, true])
    const entered = await postLogin(service.client, right(), {}, login)
    expect(entered.headers.get('Location')).to.equal(asked)
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/ops/logout',
      '/admin',
      '',
    ]) {
      const reply = await postLogin(service.client, right(), {}, `/ops/login?to=${encodeURIComponent(to)}`)
      expect(reply.headers.get('Location'), to).to.equal('/ops/')
    }
  })

  it('says so where the page that was asked for has too long an address to lead back', async () => {
    const sent = await service.client.send('GET', `/ops/casinos/acme/orders?player_id=${'x'.repeat(600)}`)
    const login = sent.headers.get('Location') ?? ''
    const form = await service.client.send('GET', login)
    expect(form.text).to.contain('too long to be kept')
    const wrong = await postLogin(service.client, { ...right(), password: 'wrong' }, {}, login)
    expect(wrong.text).to.contain('too long to be kept')
    const short = await service.client.send('GET', '/ops/login?to=%2Fops%2Fcasinos')
    expect(short.text).not.to.contain('too long')
    const entered = await postLogin(service.client, right(), {}, login)
    expect(entered.headers.get('Location')).to.equal('/ops/')
  })

  it('answers a program without a session with a JSON error', async () => {
    for (const path of ['/ops/queues/api/queues', '/ops/queues/static/js/main.js']) {
      const reply = await service.client.send('GET', path)
      expect(reply.status, path).to.equal(401)
      expect(reply.json).to.deep.equal({ status: 'error', message: 'Invalid or missing API key' })
      expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer')
      expect(reply.headers.get('X-Error-Code')).to.equal('api_key_invalid')
    }
  })

  it('gives a session for the right password, in a cookie that scripts and other sites cannot use', async () => {
    const reply = await postLogin(service.client, right())
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.equal('/ops/')
    const [cookie = ''] = reply.headers.getSetCookie()
    const attributes = cookie.toLowerCase().split('; ').slice(1)
    expect(attributes).to.include.members(['path=/', 'httponly', 'samesite=strict'])
    expect(attributes).not.to.include('secure')
    expect(attributes.some((attribute) => attribute.startsWith('expires='))).to.equal(true)
    expect(cookie).not.to.contain(testPassword)

    const headers = await logIn(service)
    expect((await service.client.send('GET', '/ops/queues', { headers })).status).to.equal(200)
    expect((await service.client.send('GET', '/ops/queues/api/queues', { headers })).status).to.equal(200)
    expect((await service.client.send('GET', '/ops/login', { headers })).text).to.contain('/ops/logout')
  })

  it('has a cookie of this host alone, over TLS, when a trusted proxy says that the request came that way', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: 'true', BASE_PATH: '/rewards' } })
    try {
      const of = { username: (await makeOperator(proxied)).username, password: testPassword }
      const overTls = { 'X-Forwarded-Proto': 'https' }
      const secure = await postLogin(proxied.client, of, overTls, '/rewards/ops/login')
      const [cookie = ''] = secure.headers.getSetCookie()
      expect(cookie).to.match(/^__Host-ops_session=/)
      expect(cookie.toLowerCase().split('; ')).to.include.members([
        'secure',
        'path=/',
        'httponly',
        'samesite=strict',
      ])
      expect(cookie).not.to.match(/domain/i)
      const open = async (headers: Record<string, string>) =>
        (await proxied.client.send('GET', '/rewards/ops/queues', { headers })).status
      const [session = ''] = cookie.split(';')
      expect(await open({ Cookie: session, ...overTls })).to.equal(200)
      // Over TLS, a cookie that a neighbouring host or plain HTTP could have set does not open a session.
      expect(await open({ Cookie: session.replace('__Host-', ''), ...overTls })).not.to.equal(200)
      expect(secure.headers.get('Location')).to.equal('/rewards/ops/')
      const untrusted = await postLogin(service.client, right(), overTls)
      expect(untrusted.headers.getSetCookie()[0]).not.to.match(/; secure/i)
    } finally {
      await proxied.stop()
    }
  })

  it('shows the form again, with the problem, for any other input', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const json = { 'Content-Type': 'application/json' }
    const typed = new URLSearchParams(right()).toString()
    const attempts = [
      { headers: form, body: `username=${username}&password=wrong` },
      { headers: form, body: `username=nobody&password=${testPassword}` },
      { headers: form, body: '' },
      { headers: form, body: `${typed}&password=${testPassword}` },
      { headers: form, body: `username=${username}&password[a]=${testPassword}` },
      { headers: form, body: `${typed}&code=${'x'.repeat(100_000)}` },
      { headers: json, body: JSON.stringify(right()) },
      { headers: { ...form, 'Content-Encoding': 'gzip' }, body: 'no gzip' },
    ]
    for (const attempt of attempts) {
      const reply = await service.client.send('POST', '/ops/login', attempt)
      expect(reply.status, attempt.body.slice(0, 40)).to.equal(401)
      expect(reply.text).to.contain('role="alert"').and.to.contain('<input id="password"')
      expect(reply.headers.getSetCookie()).to.deep.equal([])
    }
    nowMs += 60_000 // the limit on failed attempts must not affect the next test
  })

  it('refuses a session that was changed or has expired', async () => {
    const { Cookie } = await logIn(service)
    const open = async (cookie: string) =>
      (await service.client.send('GET', '/ops/queues/api/queues', { headers: { Cookie: cookie } })).status
    expect(await open(Cookie)).to.equal(200)
    const last = Cookie.endsWith('A') ? 'B' : 'A'
    expect(await open(Cookie.slice(0, -1) + last)).to.equal(401)
    expect(await open(Cookie.replace(/ses_[0-9a-f]{4}/, 'ses_0000'))).to.equal(401)
    expect(await open('ops_session=')).to.equal(401)
    nowMs += sessionLifetimeMs
    expect(await open(Cookie)).to.equal(401)
  })

  it('ends the session on logout, also for copies of the cookie', async () => {
    const headers = await logIn(service)
    const reply = await service.client.send('POST', '/ops/logout', { headers })
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.equal('/ops/login')
    expect(reply.headers.getSetCookie()[0]).to.match(/^ops_session=; path=\/; expires=Thu, 01 Jan 1970/)
    expect((await service.client.send('GET', '/ops/queues/api/queues', { headers })).status).to.equal(401)
  })

  it('refuses forms that another site sends', async () => {
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
    ]
    for (const headers of foreign) {
      const login = await postLogin(service.client, right(), headers)
      expect(login.status, JSON.stringify(headers)).to.equal(403)
      expect(login.headers.get('X-Error-Code')).to.equal('cross_site_refused')
      expect(login.headers.getSetCookie()).to.deep.equal([])
      const logout = await service.client.send('POST', '/ops/logout', { headers })
      expect(logout.status).to.equal(403)
      expect(logout.headers.getSetCookie()).to.deep.equal([])
    }
    const own = [{ Origin: service.url }, { 'Sec-Fetch-Site': 'same-origin', Origin: service.url }]
    for (const headers of own) {
      expect((await postLogin(service.client, right(), headers)).status).to.equal(303)
    }
  })

  it('accepts only the admin key as a bearer token from scripts', async () => {
    const open = (authorization: string) =>
      service.client.send('GET', '/ops/queues', { headers: { Authorization: authorization } })
    expect((await open(`Bearer ${adminApiKey}`)).status).to.equal(200)
    const { apiKey } = await service.factory.casino()
    for (const key of [apiKey, `${adminApiKey}x`, '']) {
      const reply = await open(`Bearer ${key}`)
      expect(reply.status).to.equal(401)
      expect(reply.json).to.deep.equal({ status: 'error', message: 'Invalid or missing API key' })
    }
    expect((await open(`Basic ${adminApiKey}`)).status).to.equal(401)
  })

  it('checks a limited number of wrong passwords per minute from an address or for a username', async () => {
    const env = { TRUST_PROXY: 'true', FAILED_KEYS_PER_MINUTE: '3' }
    const proxied = await startService({ clock, nowMs: () => nowMs, env })
    const [one, other] = [await makeOperator(proxied), await makeOperator(proxied)]
    const enter = async (
      address: string,
      { username: name }: { username: string },
      password = testPassword,
    ) => {
      const fields = { username: name, password }
      const reply = await postLogin(proxied.client, fields, { 'X-Forwarded-For': address })
      return [reply.status, reply.headers.get('Retry-After'), reply.headers.getSetCookie().length]
    }
    const [entered, wrong, limited] = [
      [303, null, 1],
      [401, null, 0],
      [429, '60', 0],
    ]
    try {
      expect(await enter('203.0.113.1', one)).to.deep.equal(entered)
      for (let attempt = 1; attempt <= 3; attempt++)
        expect(await enter('203.0.113.2', one, `wrong ${attempt}`)).to.deep.equal(wrong)
      expect(await enter('203.0.113.2', other), 'a guess may be right').to.deep.equal(limited)
      expect(await enter('203.0.113.3', one), 'many addresses guess one password').to.deep.equal(limited)
      expect(await enter('203.0.113.1', one), 'where the operator has signed in before').to.deep.equal(
        entered,
      )
      for (let attempt = 1; attempt <= 3; attempt++)
        expect(await enter('203.0.113.1', one, `wrong ${attempt}`), 'a colleague guesses').to.deep.equal(
          wrong,
        )
      expect(await enter('203.0.113.1', one), 'a guess from there too').to.deep.equal(limited)
      expect(await enter('203.0.113.3', other), 'somebody else').to.deep.equal(entered)
      expect(await enter('203.0.113.4', { username: 'nobody' }, 'wrong')).to.deep.equal(wrong)
      nowMs += 60_000
      expect(await enter('203.0.113.2', one)).to.deep.equal(entered)
    } finally {
      await proxied.stop()
    }
  })
})
