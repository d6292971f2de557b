import { expect } from 'chai'
import { sessionLifetimeMs } from '../../../api/ops/session.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { logIn, postLogin } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the login of the operations pages', () => {
  let service: TestService
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock })
    atEnd(() => service.stop())
  })

  it('sends a person without a session to the form', async () => {
    for (const path of ['/ops/queues', '/ops/queues/', '/ops/queues/queue/credit-cashback']) {
      const reply = await service.client.send('GET', path)
      expect(reply.status, path).to.equal(303)
      expect(reply.headers.get('Location'), path).to.equal('/ops/login')
    }
    const form = await service.client.send('GET', '/ops/login')
    expect(form.status).to.equal(200)
    expect(form.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
    expect(form.text).to.contain('<label for="key">').and.to.contain('<input id="key"')
    expect(form.text).not.to.match(/(src|href)="(https?:)?\/\//)
  })

  it('answers a program without a session with the error envelope', async () => {
    for (const path of ['/ops/queues/api/queues', '/ops/queues/static/js/main.js']) {
      const reply = await service.client.send('GET', path)
      expect(reply.status, path).to.equal(401)
      expect(reply.json).to.deep.equal({ status: 'error', message: 'Invalid or missing API key' })
      expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer')
      expect(reply.headers.get('X-Error-Code')).to.equal('api_key_invalid')
    }
  })

  it('gives a session for the admin key, in a cookie that scripts and other sites cannot use', async () => {
    const reply = await postLogin(service.client, adminApiKey)
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.equal('/ops/queues')
    const [cookie = ''] = reply.headers.getSetCookie()
    const attributes = cookie.toLowerCase().split('; ').slice(1)
    expect(attributes).to.include.members(['path=/ops', 'httponly', 'samesite=strict'])
    expect(attributes).not.to.include('secure')
    expect(attributes.some((attribute) => attribute.startsWith('expires='))).to.equal(true)
    expect(cookie).not.to.contain(adminApiKey)

    const headers = await logIn(service.client)
    expect((await service.client.send('GET', '/ops/queues', { headers })).status).to.equal(200)
    expect((await service.client.send('GET', '/ops/queues/api/queues', { headers })).status).to.equal(200)
    expect((await service.client.send('GET', '/ops/login', { headers })).text).to.contain('/ops/logout')
  })

  it('has a cookie of this host alone, over TLS, when a trusted proxy says that the request came so', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: 'true', BASE_PATH: '/rewards' } })
    try {
      const overTls = { 'X-Forwarded-Proto': 'https' }
      const secure = await postLogin(proxied.client, adminApiKey, overTls, '/rewards/ops/login')
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
      // What a neighbouring host, or plain HTTP, could have set is none over TLS.
      expect(await open({ Cookie: session.replace('__Host-', ''), ...overTls })).not.to.equal(200)
      expect(secure.headers.get('Location')).to.equal('/rewards/ops/queues')
      const untrusted = await postLogin(service.client, adminApiKey, overTls)
      expect(untrusted.headers.getSetCookie()[0]).not.to.match(/; secure/i)
    } finally {
      await proxied.stop()
    }
  })

  it('shows the form again, with what was wrong, for anything that is not the key', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const json = { 'Content-Type': 'application/json' }
    const attempts = [
      { headers: form, body: 'key=wrong' },
      { headers: form, body: '' },
      { headers: form, body: `key=${adminApiKey}&key=${adminApiKey}` },
      { headers: form, body: `key[a]=${adminApiKey}` },
      { headers: form, body: `key=${'x'.repeat(100_000)}` },
      { headers: json, body: JSON.stringify({ key: adminApiKey }) },
      { headers: { ...form, 'Content-Encoding': 'gzip' }, body: 'no gzip' },
    ]
    for (const attempt of attempts) {
      const reply = await service.client.send('POST', '/ops/login', attempt)
      expect(reply.status, attempt.body.slice(0, 40)).to.equal(401)
      expect(reply.text).to.contain('role="alert"').and.to.contain('<input id="key"')
      expect(reply.headers.getSetCookie()).to.deep.equal([])
    }
    nowMs += 60_000 // what was wrong here is not held against the next test
  })

  it('takes no session that was changed or has expired', async () => {
    const { Cookie } = await logIn(service.client)
    const open = async (cookie: string) =>
      (await service.client.send('GET', '/ops/queues/api/queues', { headers: { Cookie: cookie } })).status
    expect(await open(Cookie)).to.equal(200)
    expect(await open(Cookie.replace('=1', '=2'))).to.equal(401)
    expect(await open('ops_session=')).to.equal(401)
    nowMs += sessionLifetimeMs
    expect(await open(Cookie)).to.equal(401)
  })

  it('ends the session in the browser on logout', async () => {
    const headers = await logIn(service.client)
    const reply = await service.client.send('POST', '/ops/logout', { headers })
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.equal('/ops/login')
    expect(reply.headers.getSetCookie()[0]).to.match(
      /^ops_session=; path=\/ops; expires=Thu, 01 Jan 1970|^ops_session=;/,
    )
  })

  it('refuses forms that another site sends', async () => {
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
    ]
    for (const headers of foreign) {
      const login = await postLogin(service.client, adminApiKey, headers)
      expect(login.status, JSON.stringify(headers)).to.equal(403)
      expect(login.headers.get('X-Error-Code')).to.equal('cross_site_refused')
      expect(login.headers.getSetCookie()).to.deep.equal([])
      const logout = await service.client.send('POST', '/ops/logout', { headers })
      expect(logout.status).to.equal(403)
      expect(logout.headers.getSetCookie()).to.deep.equal([])
    }
    const own = [{ Origin: service.url }, { 'Sec-Fetch-Site': 'same-origin', Origin: service.url }]
    for (const headers of own) {
      expect((await postLogin(service.client, adminApiKey, headers)).status).to.equal(303)
    }
  })

  it('takes the admin key as a bearer token from scripts, and no other', async () => {
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

  it('looks at no more wrong keys of an address than a minute allows, and locks nobody else out', async () => {
    const env = { TRUST_PROXY: 'true', FAILED_KEYS_PER_MINUTE: '3' }
    const proxied = await startService({ clock, nowMs: () => nowMs, env })
    const enter = async (address: string, key: string) => {
      const reply = await postLogin(proxied.client, key, { 'X-Forwarded-For': address })
      return [reply.status, reply.headers.get('Retry-After'), reply.headers.getSetCookie().length]
    }
    try {
      expect(await enter('203.0.113.1', adminApiKey)).to.deep.equal([303, null, 1])
      for (const address of ['203.0.113.1', '203.0.113.2']) {
        for (let attempt = 1; attempt <= 3; attempt++)
          expect(await enter(address, `wrong ${attempt}`)).to.deep.equal([401, null, 0])
        expect(await enter(address, 'wrong again')).to.deep.equal([429, '60', 0])
      }
      expect(await enter('203.0.113.2', adminApiKey), 'a guess may be right').to.deep.equal([429, '60', 0])
      expect(await enter('203.0.113.1', adminApiKey), 'although it was here before').to.deep.equal([
        429,
        '60',
        0,
      ])
      expect(await enter('203.0.113.3', adminApiKey), 'somebody else').to.deep.equal([303, null, 1])
      nowMs += 60_000
      expect(await enter('203.0.113.2', adminApiKey)).to.deep.equal([303, null, 1])
    } finally {
      await proxied.stop()
    }
  })
})
