import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findFreePort, startOnFreePort } from '../../local/free-port.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { runHaproxy } from '../support/haproxy.ts'
import { needProgram } from '../support/need-program.ts'
import { readDocument } from '../docs/markdown.ts'

const file = join(import.meta.dirname, '../../deploy/proxy/haproxy.cfg')
const tls = join(import.meta.dirname, '../support/tls')
const example = readDocument('deploy/proxy/haproxy.cfg')

/** Addresses of this machine, in place of those in the example. */
const operator = '127.0.0.2'
const casino = '127.0.0.3'
const anybody = '127.0.0.4'

const hosts = {
  public: 'rewards.example',
  manage: 'manage.rewards.example',
  console: 'console.rewards.example',
}

interface Answer {
  status: number | undefined
  headers: IncomingMessage['headers']
  /** The request as the upstream got it; undefined if HAProxy answered itself. */
  upstream: { name: string; headers: Record<string, string> } | undefined
}

interface Call {
  from?: string
  host?: string
  method?: string
  headers?: Record<string, string | string[]>
}

describe('deploy/proxy/haproxy.cfg', function () {
  this.timeout(60_000)
  const atEnd = atEndOfSuite()
  let haproxy: string
  let folder: string
  let pem: string

  before(function () {
    haproxy = needProgram(this, ['haproxy'], 'haproxy')
    folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    pem = join(folder, 'rewards.pem')
    writeFileSync(
      pem,
      ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(tls, name), 'utf8')).join(''),
    )
  })

  it('is valid for HAProxy', async () => {
    const check = (path: string) =>
      promisify(execFile)(haproxy, ['-c', '-f', path], { env: { CERTIFICATE: pem } }).then(
        () => 'valid',
        (error: unknown) => String(error),
      )
    expect(await check(file)).to.equal('valid')
    const broken = join(folder, 'broken.cfg')
    writeFileSync(broken, example.replace('use_backend play', 'use_backend players'))
    expect(await check(broken)).to.contain('players')
  })

  describe('before two processes of each surface, of which one is not ready', () => {
    let ports: { http: number; https: number }

    before(async () => {
      const upstreams = await Promise.all(
        ['api-1', 'api-2', 'manage-1', 'manage-2'].map(async (name) => ({
          name,
          port: await startUpstream(name),
        })),
      )
      ports = await startOnFreePort(undefined, async (http) => {
        const https = await findFreePort()
        const configFile = join(folder, 'example.cfg')
        writeFileSync(configFile, withPorts(http, https, upstreams))
        const isReady = () => accepts(https)
        const running = await runHaproxy(haproxy, { configFile, isReady, env: { CERTIFICATE: pem } })
        atEnd(() => running.stop())
        return { http, https }
      })
      const unready = ['api-2', 'manage-2']
      await eventually('HAProxy has seen which are not ready', async () => {
        const names = await Promise.all(
          ['/boxes', '/boxes', '/docs', '/docs'].map(
            async (path) => (await call(path)).upstream?.name ?? 'none',
          ),
        )
        return names.every((name) => name !== 'none' && !unready.includes(name))
      })
    })

    async function startUpstream(name: string): Promise<number> {
      const server = createServer((incoming, response) => {
        response.statusCode = incoming.url === '/readyz' && name.endsWith('-2') ? 503 : 200
        response.end(JSON.stringify({ name, headers: incoming.headers }))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      atEnd(async () => {
        server.closeAllConnections()
        await promisify(server.close.bind(server))()
      })
      return (server.address() as AddressInfo).port
    }

    function call(
      path: string,
      { from = anybody, host = hosts.public, method, headers }: Call = {},
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          port: ports.https,
          localAddress: from,
          servername: 'localhost',
          ca: readFileSync(pem),
          headers: { host, ...headers },
          ...(method === undefined ? {} : { method }),
          path,
          agent: false,
        }
        const sent = request(options, (response) => {
          text(response).then((body) => {
            const upstream = body.startsWith('{') ? (JSON.parse(body) as Answer['upstream']) : undefined
            resolve({ status: response.statusCode, headers: response.headers, upstream })
          }, reject)
        })
        sent.once('error', reject)
        sent.end()
      })
    }

    const surfaceOf = async (path: string, options?: Call) =>
      (await call(path, options)).upstream?.name.replace('-1', '') ?? 'refused'

    it('passes on to everybody what players and casinos use, documents and signed updates', async () => {
      const play = ['/box/open', '/prize/order', '/prize/cashback']
      for (const path of play) expect(await surfaceOf(path, { method: 'POST' }), path).to.equal('api')
      for (const path of ['/boxes?player_id=a', '/boxes/a', '/fairness/key', '/verify'])
        expect(await surfaceOf(path), path).to.equal('api')
      for (const path of ['/docs', '/docs/viewer.js', '/openapi.json', '/.well-known/security.txt'])
        expect(await surfaceOf(path), path).to.equal('manage')
      expect(await surfaceOf('/partners/fulfilment/acme', { method: 'POST' })).to.equal('manage')
    })

    const inner = ['/metrics', '/healthz', '/readyz', '/', '//ops']
    const ofOperators = [
      '/ops',
      '/ops/',
      '/ops/queues',
      '/admin/session',
      '/admin/operators',
      '/admin/search',
    ]
    const ofCasinos = ['/admin/casinos/acme/events', '/admin/casinos/acme/items']

    it('refuses everybody management, console, probes and metrics, also under their host names', async () => {
      for (const host of Object.values(hosts))
        for (const path of [...inner, ...ofOperators, ...ofCasinos]) {
          const { status, upstream } = await call(path, { host })
          expect([status, upstream], `${host} ${path}`).to.deep.equal([404, undefined])
        }
    })

    it('passes on the management API of casinos to their servers, under its own host name', async () => {
      for (const path of ofCasinos) {
        expect(await surfaceOf(path, { from: casino, host: hosts.manage }), path).to.equal('manage')
        for (const host of [hosts.public, hosts.console])
          expect(await surfaceOf(path, { from: casino, host }), `${host} ${path}`).to.equal('refused')
      }
      for (const path of [...ofOperators, ...inner])
        expect(await surfaceOf(path, { from: casino, host: hosts.manage }), path).to.equal('refused')
    })

    it('passes on the console to operators, under its own host name', async () => {
      for (const path of [...ofOperators, ...ofCasinos]) {
        const host = `${hosts.console.toUpperCase()}:443`
        expect(await surfaceOf(path, { from: operator, host }), path).to.equal('manage')
        expect(await surfaceOf(path, { from: operator }), path).to.equal('refused')
      }
      for (const path of inner)
        expect(await surfaceOf(path, { from: operator, host: hosts.console }), path).to.equal('refused')
    })

    it('tells the service the address of the connection, and nothing that a caller says of it', async () => {
      const forged = {
        'x-forwarded-for': ['192.0.2.1', `192.0.2.2, ${operator}`],
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'other.example',
      }
      for (const path of ['/boxes', '/docs']) {
        const { upstream, headers } = await call(path, { headers: forged })
        expect(upstream?.headers, path).to.include({
          'x-forwarded-for': anybody,
          'x-forwarded-proto': 'https',
          'x-forwarded-host': hosts.public,
        })
        expect(headers['strict-transport-security'], path).to.match(/^max-age=\d{8}$/)
      }
    })

    it('sends callers without TLS to TLS', async () => {
      const url = `http://127.0.0.1:${ports.http}/boxes?player_id=a`
      const answer = await fetch(url, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([
        308,
        `https://127.0.0.1:${ports.http}/boxes?player_id=a`,
      ])
    })
  })
})

/** The example with ports, servers and networks of this machine; throws if it has no place for one of them. */
function withPorts(
  http: number,
  https: number,
  upstreams: readonly { name: string; port: number }[],
): string {
  const replacements: [RegExp, string][] = [
    [/bind :80$/m, `bind 127.0.0.1:${http}`],
    [/bind :443 /, `bind 127.0.0.1:${https} `],
    [/src 10\.0\.0\.0\/8$/m, `src ${operator}`],
    [/src 203\.0\.113\.0\/24$/m, `src ${casino}`],
    ...upstreams.map(({ name, port }): [RegExp, string] => [
      new RegExp(`server ${name} \\S+$`, 'm'),
      `server ${name} 127.0.0.1:${port}`,
    ]),
  ]
  return replacements.reduce((config, [pattern, replacement]) => {
    if (!pattern.test(config)) throw new Error(`the example has no ${pattern.source}`)
    return config.replace(pattern, replacement)
  }, example)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => {
      resolve(false)
    })
  })
}
