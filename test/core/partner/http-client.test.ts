import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createHttpClient } from '../../../core/partner/http-client.ts'
import type { HttpClient, OutboundRequest, OutboundResult } from '../../../core/partner/http-client.ts'
import { createResolveName } from '../../../core/partner/resolve-name.ts'
import type { NameAddresses } from '../../../core/partner/resolve-name.ts'
import { startFakeDns } from '../../support/fake-dns.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import {
  certificateFile,
  startHttpServer,
  startHttpsServer,
  startTcpServer,
} from '../../support/partner-server.ts'
import type { PartnerServer } from '../../support/partner-server.ts'

/** An address of a public network that was given back in 2006 (3ffe::/16), so that no host is called. */
const unrouted = '3ffe::1'

const noAnswer = (reason: string) => ({ kind: 'no_answer', reason })
const addresses = (...list: string[]): NameAddresses => ({
  addresses: list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  ttlSeconds: 0,
})

describe('createHttpClient', () => {
  const atTestEnd = atEndOfTest()

  async function started(starting: Promise<PartnerServer>): Promise<PartnerServer> {
    const server = await starting
    atTestEnd(() => server.stop())
    return server
  }
  const http = (answer: RequestListener) => started(startHttpServer(answer))
  const tcp = (talk: (socket: Socket) => void) => started(startTcpServer(talk))
  function createClient(options: Partial<Parameters<typeof createHttpClient>[0]> = {}): HttpClient {
    const client = createHttpClient({ allowPrivateAddresses: true, ...options })
    atTestEnd(() => client.close())
    return client
  }
  const call = (
    url: string,
    request: Partial<OutboundRequest> = {},
    client = createClient(),
  ): Promise<OutboundResult> =>
    client.send({ casinoId: 'lucky', method: 'GET', url, headers: {}, timeoutMs: 5_000, ...request })

  it('sends method, path, headers and body, and returns status, headers and body', async () => {
    const { url } = await http((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url: path, headers } = request
        const seen = [
          method,
          path,
          headers['x-id'],
          headers['content-length'],
          Buffer.concat(chunks).toString(),
        ]
        response.writeHead(201, { 'X-Reply': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end(JSON.stringify(seen))
      })
    })
    const result = await call(`${url}/credit?a=b`, {
      method: 'POST',
      headers: { 'x-id': '7' },
      body: 'zwölf',
    })
    expect(result).to.deep.include({
      kind: 'answer',
      status: 201,
      body: '["POST","/credit?a=b","7","6","zwölf"]',
    })
    expect(result).to.have.property('headers').that.includes({ 'x-reply': 'yes', 'set-cookie': 'a=1, b=2' })
  })

  it('returns answers with any status, and follows no redirect', async () => {
    const target = await http((_, response) => response.end('secret'))
    const { url } = await http((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { Location: target.url }).end('body')
    })
    for (const status of [200, 204, 301, 302, 307, 308, 400, 404, 500, 503]) {
      expect(await call(`${url}/${status}`)).to.include({ kind: 'answer', status })
    }
    expect(target.countConnections()).to.equal(0)
  })

  it('returns an answer that ends with its connection', async () => {
    const { url } = await tcp((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(40_000)}`))
    })
    const result = await call(url)
    expect(result).to.include({ kind: 'answer', status: 200, body: 'x'.repeat(40_000) })
  })

  it('keeps connections for the next call', async () => {
    const server = await http((_, response) => response.end('ok'))
    const client = createClient()
    for (let call_ = 0; call_ < 5; call_ += 1) await call(server.url, {}, client)
    expect(server.countConnections()).to.equal(1)
  })

  it('opens a bounded number of connections to one origin', async () => {
    const waiting: (() => void)[] = []
    const server = await http((_, response) => {
      waiting.push(() => response.end('ok'))
    })
    const client = createClient()
    const calls = Array.from({ length: 100 }, () => call(server.url, {}, client))
    await eventually('64 calls to arrive', () => waiting.length === 64)
    let answered = 0
    const results = Promise.all(calls)
    await eventually('all calls to be answered', () => {
      for (const answer of waiting.splice(0)) {
        answer()
        answered += 1
      }
      return answered === 100
    })
    expect((await results).every((result) => result.kind === 'answer')).to.equal(true)
    expect(server.countConnections()).to.equal(64)
  })

  it('does not decompress compressed answers', async () => {
    const { url } = await http((request, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(request.headers['accept-encoding'])
    })
    expect(await call(url)).to.include({ body: 'identity' })
  })

  describe('when there is no answer', () => {
    it('says that the URL cannot be called', async () => {
      for (const url of [
        'nothing',
        'ftp://127.0.0.1/',
        'http://a:b@127.0.0.1/',
        `http://127.0.0.1/${'a'.repeat(3_000)}`,
      ]) {
        expect(await call(url)).to.deep.equal(noAnswer('url_invalid'))
      }
    })

    it('says that the name does not exist', async () => {
      expect(await call('http://no-such-name.invalid/')).to.deep.equal(noAnswer('name_unknown'))
      const client = createClient({ resolve: () => Promise.resolve(addresses()) })
      expect(await call('http://empty.example/', {}, client)).to.deep.equal(noAnswer('name_unknown'))
    })

    it('says that the connection was refused', async () => {
      const server = await http(() => undefined)
      await server.stop()
      expect(await call(server.url)).to.deep.equal(noAnswer('connection_refused'))
      const client = createClient({ resolve: () => Promise.resolve(addresses('127.0.0.1', '::1')) })
      expect(await call(`http://two.example:${server.port}/`, {}, client)).to.deep.equal(
        noAnswer('connection_refused'),
      )
    })

    it('says that the connection broke: immediately, within the headers, within the body, or with garbage', async () => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n'
      for (const said of [
        '',
        head,
        `${head}\r\nhalf of it`,
        'garbage\r\n\r\n',
        'HTTP/1.1 200 OK\r\nbad header\r\n\r\n',
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      ]) {
        const { url } = await tcp((socket) => {
          socket.once('data', () => socket.end(said))
        })
        expect(await call(url, { method: 'POST', body: '{}' }), said).to.deep.equal(
          noAnswer('connection_lost'),
        )
      }
    })

    it('says that the certificate is not trusted, under any environment variables', async () => {
      const server = await started(startHttpsServer((_, response) => response.end('ok')))
      expect(await call(server.url)).to.deep.equal(noAnswer('tls_failed'))
      const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
      try {
        expect(await call(server.url)).to.deep.equal(noAnswer('tls_failed'))
      } finally {
        if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
        else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
      }
    })

    it('says that TLS failed when the server does not speak it, or it breaks off', async () => {
      for (const talk of [
        (socket: Socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'),
        (socket: Socket) => socket.end(),
      ]) {
        const { port } = await tcp((socket) => socket.once('data', () => talk(socket)))
        expect(await call(`https://127.0.0.1:${port}`)).to.deep.equal(noAnswer('tls_failed'))
      }
    })

    it('gives up at the time-out: connection, TLS, headers, body, trickle', async () => {
      const silent = await tcp(() => undefined)
      const hangsInHeaders = await tcp((socket) => socket.write('HTTP/1.1 200 OK\r\n'))
      const hangsInBody = await tcp((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'))
      const trickles = await tcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        const timer = setInterval(() => socket.write('x'), 10)
        socket.once('close', () => {
          clearInterval(timer)
        })
      })
      const calls = [
        silent.url,
        `https://127.0.0.1:${silent.port}`,
        hangsInHeaders.url,
        hangsInBody.url,
        trickles.url,
      ].map((url) => call(url, { timeoutMs: 200 }))
      const startedAt = performance.now()
      expect(await Promise.all(calls)).to.deep.equal(calls.map(() => noAnswer('timeout')))
      expect(performance.now() - startedAt).to.be.within(150, 3_000)
    })

    it('counts the wait for a free connection as time', async () => {
      const server = await http(() => undefined)
      const client = createClient()
      const calls = Array.from({ length: 70 }, () => call(server.url, { timeoutMs: 300 }, client))
      expect(await Promise.all(calls)).to.deep.equal(calls.map(() => noAnswer('timeout')))
    })

    it('says that the answer is too large, announced or not, headers and body', async () => {
      const endless = await tcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const write = () => {
          while (socket.writable && socket.write('x'.repeat(16_384)));
        }
        socket.on('drain', write)
        write()
      })
      const announced = await http((_, response) => response.end('x'.repeat(64 * 1024 + 1)))
      const headers = await http((_, response) => response.setHeader('X-Long', 'x'.repeat(20_000)).end())
      for (const { url } of [endless, announced, headers]) {
        expect(await call(url)).to.deep.equal(noAnswer('answer_too_large'))
      }
      const largest = await http((_, response) => response.end('x'.repeat(64 * 1024)))
      expect(await call(largest.url)).to.include({ kind: 'answer', status: 200 })
    })
  })

  describe('without permission to call private addresses', () => {
    it('connects to no private address, in any spelling, by number or by name', async () => {
      const server = await http((_, response) => response.end('secret'))
      const client = createClient({ allowPrivateAddresses: false })
      const hosts = [
        '127.0.0.1',
        'localhost',
        '0x7f.1',
        '2130706433',
        '017700000001',
        '127.1',
        '0',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[64:ff9b::7f00:1]',
        '169.254.169.254',
        '10.0.0.1',
      ]
      for (const host of hosts) {
        const result = await call(`https://${host}:${server.port}/`, {}, client)
        expect(result, host).to.deep.equal(noAnswer('address_forbidden'))
      }
      expect(await call(server.url, {}, client)).to.deep.equal(noAnswer('url_invalid'))
      expect(server.countConnections()).to.equal(0)
    })

    it('connects only to the addresses that the name has at that moment', async () => {
      const server = await http((_, response) => response.end('secret'))
      const answers = [
        addresses('127.0.0.1'),
        addresses('::1', '169.254.169.254'),
        addresses('::ffff:127.0.0.1'),
      ]
      for (const answer of answers) {
        const client = createClient({
          allowPrivateAddresses: false,
          resolve: () => Promise.resolve(answer),
        })
        expect(await call(`https://rebound.example:${server.port}/`, {}, client)).to.deep.equal(
          noAnswer('address_forbidden'),
        )
      }
      expect(server.countConnections()).to.equal(0)
    })

    it('looks the name up again when its addresses are old, and then calls only the new ones', async () => {
      const server = await http((_, response) => response.end('secret'))
      const answers = [addresses(unrouted), addresses('127.0.0.1')]
      let asked = 0
      const resolve = () => Promise.resolve(answers[asked++] ?? addresses())
      let nowMs = 0
      const client = createClient({ allowPrivateAddresses: false, resolve, nowMs: () => nowMs })
      const url = `https://rebound.example:${server.port}/`
      expect((await call(url, { timeoutMs: 100 }, client)).kind).to.equal('no_answer')
      nowMs += 3_600_000
      expect(await call(url, {}, client)).to.deep.equal(noAnswer('address_forbidden'))
      expect([asked, server.countConnections()]).to.deep.equal([2, 0])
    })

    it('uses the public ones of a name with both', async () => {
      const server = await http((_, response) => response.end('secret'))
      const resolve = () => Promise.resolve(addresses('127.0.0.1', unrouted))
      const client = createClient({ allowPrivateAddresses: false, resolve })
      const result = await call(`https://both.example:${server.port}/`, { timeoutMs: 100 }, client)
      expect(result).to.have.property('reason').that.is.oneOf(['timeout', 'connection_refused'])
      expect(server.countConnections()).to.equal(0)
    })
  })

  it('looks a name up once for all callers at the same time', async () => {
    const server = await http((_, response) => response.end('ok'))
    let asked = 0
    const client = createClient({
      resolve: () => {
        asked += 1
        return Promise.resolve(addresses('127.0.0.1'))
      },
    })
    await Promise.all(
      Array.from({ length: 20 }, () => call(`http://name.example:${server.port}/`, {}, client)),
    )
    expect(asked).to.equal(1)
  })

  it('calls other casinos’ partners immediately while name servers do not answer for one casino, and sends nothing to that casino’s partners', async () => {
    const dns = await startFakeDns()
    atTestEnd(() => dns.stop())
    dns.treat((name) => (name.endsWith('.silent.test') ? 'hang' : ['127.0.0.1']))
    const server = await http((_, response) => response.end('ok'))
    const resolve = createResolveName({ searchDomains: false, servers: [dns.server] })
    const client = createClient({ resolve })
    const ended: string[] = []
    const hanging = Array.from({ length: 20 }, (_, n) =>
      call(`http://n${n}.silent.test:${server.port}/`, { casinoId: 'slow', timeoutMs: 1 }, client).then(
        (result) => {
          ended.push('slow')
          return result
        },
      ),
    )
    await eventually('they hang', () => dns.asked.length > 0)
    const urls = Array.from({ length: 5 }, (_, n) => `http://n${n}.fine.test:${server.port}/`)
    for (const url of urls) {
      expect(await call(url, { casinoId: 'other' }, client)).to.include({ kind: 'answer', body: 'ok' })
      ended.push('other')
    }
    expect(ended.slice(0, 5), 'nobody has waited').to.deep.equal(urls.map(() => 'other'))
    // Their time-out of a millisecond is for the call, which there never was.
    expect(await hanging[0]).to.deep.equal(noAnswer('name_unknown'))
    expect(server.countConnections()).to.be.at.most(5)
  })

  it('ends calls under way when it is closed, and begins no others', async () => {
    let arrived = 0
    const server = await http(() => {
      arrived += 1
    })
    const client = createClient()
    const calls = Array.from({ length: 70 }, () => call(server.url, {}, client))
    await eventually('calls to arrive', () => arrived === 64)
    await client.close()
    await client.close()
    expect(await Promise.all(calls)).to.deep.equal(calls.map(() => noAnswer('connection_lost')))
    expect(await call(server.url, {}, client)).to.deep.equal(noAnswer('connection_refused'))
    expect(server.countConnections()).to.equal(64)
  })

  it('trusts the authorities that the process was started with', async () => {
    const server = await started(startHttpsServer((request, response) => response.end(request.headers.host)))
    const program = `
      const { createHttpClient } = await import('./core/partner/http-client.ts')
      const client = createHttpClient({ allowPrivateAddresses: true })
      const request = { method: 'GET', url: '${server.url}', headers: {}, timeoutMs: 5000 }
      console.log(JSON.stringify(await client.send(request)))
      await client.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      {
        cwd: process.cwd(),
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile },
      },
    )
    expect(JSON.parse(stdout)).to.include({ kind: 'answer', status: 200, body: `localhost:${server.port}` })
  })
})
