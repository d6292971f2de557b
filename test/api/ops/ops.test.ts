import { expect } from 'chai'
import { consolePages, consolePolicy } from '../../../api/ops/console.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { logIn, postForm } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the paths under /ops', () => {
  let service: TestService
  const headers = { Authorization: `Bearer ${adminApiKey}` }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { BASE_PATH: '/rewards' } })
    atEnd(() => service.stop())
  })

  it('lead to the login before they show anything', async () => {
    for (const path of ['/rewards/ops', '/rewards/ops/', '/rewards/ops/casinos/acme/orders']) {
      const reply = await service.client.send('GET', path)
      expect(reply.status).to.equal(303)
      expect(reply.headers.get('Location')).to.match(/^\/rewards\/ops\/login/)
    }
  })

  it('show the queues below the base path', async () => {
    const board = await service.client.send('GET', '/rewards/ops/queues', { headers })
    expect(board.text).to.contain('<base href="/rewards/ops/queues/" />')
  })

  it('answer 404 for unknown paths, with and without a session', async () => {
    const unknown = ['/ops', '/ops/queues', '/rewards/opsx', '/rewards/ops/other', '/rewards/ops/login/more']
    const unknownInBoard = ['nope', 'api/nope', 'static/nope.js', 'static/../../package.json', 'queue/a/b/c']
    const paths = [...unknown, ...unknownInBoard.map((path) => `/rewards/ops/queues/${path}`)]
    for (const path of paths) {
      const reply = await service.client.send('GET', path, { headers })
      expect(reply.status, path).to.equal(404)
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'No endpoint has this path: check the base URL and the path',
      })
    }
    expect((await service.client.send('GET', '/rewards/ops/other')).status).to.equal(404)
  })

  it('list the allowed methods', async () => {
    const wrong = [
      ['POST', '/rewards/ops', 'GET, HEAD'],
      ['DELETE', '/rewards/ops/login', 'GET, HEAD, POST'],
      ['GET', '/rewards/ops/logout', 'POST'],
      ['POST', '/rewards/ops/queues', 'GET, HEAD'],
      ['PUT', '/rewards/ops/queues/api/queues/pause', 'GET, HEAD'],
      ['OPTIONS', '/rewards/ops/queues', 'GET, HEAD'],
    ] as const
    for (const [method, path, allow] of wrong) {
      const reply = await service.client.send(method, path, { headers })
      expect(reply.status, `${method} ${path}`).to.equal(405)
      expect(reply.headers.get('Allow'), path).to.equal(allow)
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'This path does not have the method: use one of the Allow header',
      })
    }
  })

  it('answer HEAD like GET, without a body', async () => {
    for (const path of ['/rewards/ops/login', '/rewards/ops/queues', '/rewards/ops/queues/api/queues']) {
      const reply = await service.client.send('HEAD', path, { headers })
      expect(reply.status, path).to.equal(200)
      expect(reply.text).to.equal('')
    }
  })

  it('forbid foreign content, frames and caches in every answer', async () => {
    const requests = [
      ['GET', '/rewards/ops'],
      ['GET', '/rewards/ops/login'],
      ['POST', '/rewards/ops/login'],
      ['GET', '/rewards/ops/queues'],
      ['GET', '/rewards/ops/queues/api/queues'],
      ['GET', '/rewards/ops/queues/static/favicon.ico'],
      ['PUT', '/rewards/ops/queues/api/queues/pause'],
      ['GET', '/rewards/ops/other'],
    ] as const
    for (const [method, path] of requests) {
      const { headers: answered } = await service.client.send(method, path, { headers })
      const policy = answered.get('Content-Security-Policy')
      expect(policy, path).to.contain("default-src 'none'").and.to.contain("frame-ancestors 'none'")
      expect(policy).to.contain("script-src 'self';").and.not.to.contain('http')
      expect(answered.get('X-Content-Type-Options'), path).to.equal('nosniff')
      expect(answered.get('X-Frame-Options'), path).to.equal('DENY')
      // `no-referrer` would make browsers send `Origin: null` with the login form.
      expect(answered.get('Referrer-Policy'), path).to.equal('same-origin')
      expect(answered.get('Cache-Control'), path).to.equal('no-store')
    }
  })

  it('have no inline style and allow none, except for the board of the queues', async () => {
    const session = await logIn(service, {}, '/rewards/ops/login')
    const visits = [
      ['GET', '/login', {}],
      ['GET', '/login', session],
      ['GET', '/invitation', {}],
      ['GET', '/setup', {}],
      ['GET', '', {}],
      ['GET', '', session],
      ['GET', '/other', {}],
      ['DELETE', '/login', {}],
      ...consolePages.map((path) => ['GET', path, session] as const),
    ] as const
    for (const [method, path, from] of visits) {
      const reply = await service.client.send(method, `/rewards/ops${path}`, { headers: from })
      expect(reply.headers.get('Content-Security-Policy'), path).to.equal(consolePolicy)
      expect(reply.text, path).not.to.match(/<style|\sstyle=/)
    }
    for (const path of ['/login', '/invitation', '/setup']) {
      const reply = await postForm(service.client, `/rewards/ops${path}`, {
        username: 'nobody',
        password: '',
      })
      expect(reply.status, path).to.be.within(400, 499)
      expect(reply.headers.get('Content-Security-Policy'), path).to.equal(consolePolicy)
      expect(reply.text, path).not.to.match(/<style|\sstyle=/)
    }
    expect(consolePolicy).not.to.contain('unsafe')
  })

  it('load the style of the sign-in pages below the base path, without a session', async () => {
    for (const path of ['/login', '/invitation', '/setup']) {
      const { text } = await service.client.send('GET', `/rewards/ops${path}`)
      const style = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? ''
      expect(style, path).to.match(/^\/rewards\/ops\/files\/page-[0-9a-f]{12}\.css$/)
      const file = await service.client.send('GET', style)
      expect(file.status, path).to.equal(200)
      expect(file.headers.get('Content-Type')).to.equal('text/css; charset=utf-8')
      expect(file.headers.get('Cache-Control')).to.equal('public, max-age=31536000, immutable')
      expect(file.text).to.contain('main {')
    }
  })
})
