import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { queueBackends } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { logIn, postLogin, testPassword } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const markup = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>'

for (const backend of queueBackends) {
  describe(`the dashboard under attack, with the queues on ${backend}`, () => {
    let service: TestService
    let session: { Cookie: string }

    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
      await eventually('the queues can be reached', () =>
        service.deps.backend.ping().then(
          () => true,
          () => false,
        ),
      )
      session = await logIn(service)
    })

    const get = (path: string, headers: Record<string, string> = session) =>
      service.client.send('GET', `/ops${path}`, { headers })

    it('shows jobs whose ids, names and data contain markup as plain data', async () => {
      const queue = service.deps.queues.of('credit-cashback')
      await queue.add(markup as 'credit-cashback', { outboxId: markup, objectId: markup }, { jobId: markup })
      for (const path of [
        '/queues/api/queues',
        '/queues/api/queues?activeQueue=credit-cashback&status=waiting',
        `/queues/api/queues/credit-cashback/${encodeURIComponent(markup)}`,
        `/queues/api/queues/${encodeURIComponent(markup)}`,
        `/queues/api/queues?activeQueue=${encodeURIComponent(markup)}`,
      ]) {
        const reply = await get(path)
        expect(reply.status, path).to.be.oneOf([200, 404])
        expect(reply.headers.get('Content-Type'), path).to.match(/^application\/json/)
        expect(reply.headers.get('X-Content-Type-Options'), path).to.equal('nosniff')
      }
    })

    it('puts no part of a path or a query into its pages', async () => {
      for (const path of ['/queues', '/queues/', '/login', '/queues/queue/credit-cashback']) {
        for (const query of [`?x=${encodeURIComponent(markup)}`, `/${encodeURIComponent(markup)}`]) {
          const reply = await get(path + query)
          expect(reply.text, path + query)
            .not.to.contain('onerror=')
            .and.not.to.contain('alert(1)')
        }
      }
      const login = await postLogin(
        service.client,
        { username: markup, password: markup, code: markup },
        { Referer: markup },
      )
      expect(login.status).to.equal(401)
      expect(login.text).not.to.contain('<img').and.not.to.contain('<script>')
    })

    it('runs only its own scripts, is shown in no frame, and every page says so', async () => {
      for (const [path, headers] of [
        ['/login', {}],
        ['/login', session],
        ['/queues', session],
        ['/nowhere', session],
        ['/queues/api/queues', {}],
      ] as const) {
        const reply = await get(path, headers)
        const policy = reply.headers.get('Content-Security-Policy') ?? ''
        const rules = new Map(
          policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
        )
        expect(rules.get('default-src'), path).to.equal("'none'")
        expect(rules.get('script-src'), path).to.equal("'self'")
        expect(rules.get('frame-ancestors'), path).to.equal("'none'")
        expect(rules.get('form-action'), path).to.equal("'self'")
        const isBoard = path.startsWith('/queues')
        expect(rules.get('base-uri'), path).to.equal(isBoard ? "'self'" : "'none'")
        expect(rules.get('style-src'), path).to.equal(isBoard ? "'self' 'unsafe-inline'" : "'self'")
        expect(reply.headers.get('X-Frame-Options'), path).to.equal('DENY')
        expect(reply.headers.get('Access-Control-Allow-Origin'), path).to.equal(null)
        // No inline script would run under this policy, so none must be needed.
        const scripts = [...reply.text.matchAll(/<script\b([^>]*)>/g)].map(
          ([, attributes = '']) => attributes,
        )
        for (const script of scripts.filter(
          (attributes) => !attributes.includes('type="application/json"'),
        )) {
          expect(script, path).to.match(/src="(?!https?:|\/\/)/)
        }
        expect(reply.text, path).not.to.match(/\son\w+=/)
      }
    })

    it('refuses forms of other sites, under any Origin and even with a session', async () => {
      const { host } = new URL(service.url)
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: `https://${host}.evil.example` },
        { Origin: `https://evil.example/${host}` },
        { Origin: `https://${host}@evil.example` },
        { Origin: 'null' },
        { Origin: 'file://' },
        { Origin: 'nonsense' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: `http://${host}` },
        { 'Sec-Fetch-Site': 'same-site', Origin: `http://${host}` },
        { 'Sec-Fetch-Site': 'nonsense' },
        { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' },
      ]) {
        for (const withSession of [{}, session]) {
          const login = await postLogin(
            service.client,
            { username: 'jane', password: testPassword },
            { ...headers, ...withSession },
          )
          expect([login.status, login.headers.getSetCookie()], JSON.stringify(headers)).to.deep.equal([
            403,
            [],
          ])
          const logout = await service.client.send('POST', '/ops/logout', {
            headers: { ...headers, ...withSession },
          })
          expect([logout.status, logout.headers.getSetCookie()], JSON.stringify(headers)).to.deep.equal([
            403,
            [],
          ])
        }
      }
    })

    it('opens to a session the pages for operators, but not the routes for casinos’ keys', async () => {
      for (const [path, code] of [
        ['/admin/casinos', null],
        ['/admin/audit', null],
        ['/boxes', 'api_key_invalid'],
        ['/fairness/seeds', 'api_key_invalid'],
      ] as const) {
        const reply = await service.client.send('GET', path, { headers: session })
        expect([reply.status, reply.headers.get('X-Error-Code')], path).to.deep.equal([
          code === null ? 200 : 401,
          code,
        ])
      }
    })

    it('lets no other site use a session for a change', async () => {
      const put = (headers: Record<string, string>) =>
        service.client.send('PUT', '/admin/casinos/forged', {
          headers: { 'Content-Type': 'application/json', 'X-Reason': 'A test', ...session, ...headers },
          body: JSON.stringify({ name: 'Forged' }),
        })
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        const reply = await put(headers)
        expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([403, 'cross_site_refused'])
      }
      expect(await service.database.casino.count({ where: { id: 'forged' } })).to.equal(0)
      expect((await put({ Origin: service.url })).status).to.equal(200)
    })
  })
}
