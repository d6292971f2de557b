import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import type { TestCasino } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('The headers of every answer', () => {
  let service: TestService
  let behindProxy: TestService
  let casino: TestCasino
  const admin = { Authorization: `Bearer ${adminApiKey}` }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    behindProxy = await startService({ env: { TRUST_PROXY: 'true' } })
    atEnd(() => behindProxy.stop())
    casino = await service.factory.casino()
  })

  /** One path of each kind: operations, management, probes, pages, files, and every kind of refusal. */
  const requests = (): [method: string, path: string, headers: Record<string, string>][] => {
    const own = { Authorization: `Bearer ${casino.apiKey}` }
    return [
      ['POST', '/box/open', own],
      ['POST', '/prize/order', {}],
      ['GET', '/prize/cashback', own],
      ['GET', '/boxes', own],
      ['GET', '/fairness/seeds', own],
      ['GET', '/fairness/key', {}],
      ['GET', '/admin/casinos', admin],
      ['GET', `/admin/casinos/${casino.id}/api-keys`, own],
      ['GET', `/admin/casinos/${casino.id}/orders`, own],
      ['GET', '/admin/casinos/other/orders', own],
      ['POST', `/partners/fulfilment/${casino.id}`, {}],
      ['GET', '/healthz', {}],
      ['GET', '/readyz', {}],
      ['GET', '/metrics', {}],
      ['GET', '/nowhere', {}],
      ['GET', '/ops', {}],
      ['GET', '/ops/login', {}],
      ['GET', '/ops/queues', admin],
      ['GET', '/ops/queues/api/queues', admin],
      ['GET', '/ops/queues/static/favicon.ico', admin],
    ]
  }

  it('keep browsers from guessing types, framing pages, caching answers and sending referrers', async () => {
    for (const [method, path, headers] of requests()) {
      const { headers: answered } = await service.client.send(method, path, { headers })
      expect(answered.get('X-Content-Type-Options'), path).to.equal('nosniff')
      expect(answered.get('Referrer-Policy'), path).to.be.oneOf(['no-referrer', 'same-origin'])
      expect(answered.get('Cross-Origin-Resource-Policy'), path).to.equal('same-origin')
      const policy = answered.get('Content-Security-Policy') ?? ''
      expect(policy, path)
        .to.match(/^default-src 'none'(;|$)/)
        .and.to.contain("frame-ancestors 'none'")
      // A cache that may keep the answer must check each time whether it is still current.
      const kept = path === '/boxes' ? 'private, no-cache' : 'no-store'
      expect(answered.get('Cache-Control'), path).to.equal(kept)
    }
  })

  it('do not reveal the software of the service', async () => {
    for (const [method, path, headers] of requests()) {
      const { headers: answered } = await service.client.send(method, path, { headers })
      for (const name of ['X-Powered-By', 'Server', 'Via']) expect(answered.has(name), path).to.equal(false)
    }
  })

  it('are present when a request is not valid HTTP', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write('NONSENSE\r\n\r\n')
    await once(socket, 'close')
    expect(text).to.match(/^HTTP\/1\.1 400 /)
    for (const line of ['X-Content-Type-Options: nosniff', 'Cache-Control: no-store']) {
      expect(text).to.contain(`\r\n${line}\r\n`)
    }
  })

  it('require TLS only where a trusted proxy says that there is TLS', async () => {
    const over = (proto: string) => ({ 'X-Forwarded-Proto': proto })
    const hstsOf = async ({ client }: TestService, path: string, headers: Record<string, string>) =>
      (await client.send('GET', path, { headers })).headers.get('Strict-Transport-Security')
    for (const path of ['/healthz', '/nowhere', '/ops/login', '/admin/casinos']) {
      expect(await hstsOf(behindProxy, path, over('https')), path).to.equal('max-age=31536000')
      expect(await hstsOf(behindProxy, path, over('http')), path).to.equal(null)
      expect(await hstsOf(behindProxy, path, {}), path).to.equal(null)
      expect(await hstsOf(service, path, over('https')), path).to.equal(null)
    }
  })
})

describe('The policy of the dashboard', () => {
  let service: TestService
  const headers = { Authorization: `Bearer ${adminApiKey}` }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const get = (path: string) => service.client.send('GET', path, { headers })
  const attributesOf = (html: string, name: string) =>
    [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

  it('allows everything that the pages load, and they load nothing from other hosts', async () => {
    for (const path of ['/ops/queues', '/ops/login']) {
      const page = await get(path)
      const base = new URL(
        attributesOf(page.text, 'href').find((href) => href.endsWith('/queues/')) ?? path,
        service.url,
      )
      const links = [...page.text.matchAll(/<(?:script|link|img)\b[^>]*>/g)].map(([tag]) => tag)
      const urls = links.flatMap((tag) => [...attributesOf(tag, 'src'), ...attributesOf(tag, 'href')])
      for (const url of urls.filter((address) => !address.startsWith('data:'))) {
        const target = new URL(url, base)
        expect(target.origin, url).to.equal(service.url)
        expect((await get(target.pathname)).status, url).to.equal(200)
      }
      expect(urls.length, path).to.be.greaterThan(0)
    }
  })

  it('lets the pages for signing in work: they contain no script', async () => {
    for (const path of ['/ops/queues', '/ops/login']) {
      const { text, headers: answered } = await get(path)
      expect(answered.get('Content-Security-Policy')).to.match(/script-src 'self';/)
      for (const [, attributes = '', content = ''] of text.matchAll(
        /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
      )) {
        // A block of data is not run, so the policy does not concern it.
        if (!attributes.includes('type="application/json"')) expect(content.trim(), path).to.equal('')
      }
      expect(text, path).not.to.match(/\son[a-z]+\s*=|javascript:/i)
    }
  })

  it('lets the board’s scripts work, which run no text as code', async () => {
    const { text } = await get('/ops/queues')
    const scripts = [...text.matchAll(/src="(static\/js\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(scripts.length).to.be.greaterThan(1)
    for (const path of scripts) {
      const script = await get(`/ops/queues/${path}`)
      expect(script.headers.get('Content-Type'), path).to.match(/^(text|application)\/javascript/)
      expect(script.text, path).not.to.match(/\beval\(|new Function\(/)
    }
  })
})
