import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { hostname } from 'node:os'
import { expect } from 'chai'
import { createApp } from '../../api/app.ts'
import { startServer } from '../../api/server.ts'
import { putSetting } from '../../core/casino/change-settings.ts'
import { createHttpClient } from '../../core/partner/http-client.ts'
import { noAnswerDetail } from '../../core/partner/probe.ts'
import { putEndpoint } from '../../core/webhook/put-endpoint.ts'
import { at, createOperator, fieldOf, listAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { createClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startHttpServer } from '../support/partner-server.ts'
import { someOf } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** Listens on every address of this machine, and must never be called. */
interface Canary {
  port: number
  connections: () => number
  stop: () => void
}

async function startCanary(): Promise<Canary> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await listen(server, '::').catch(() => listen(server, '0.0.0.0')) // a machine without IPv6
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function listen(server: Server, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Ways to write, or to hide, an address that is not on the internet. */
const forbiddenHosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '127.255.0.1',
  'localhost',
  'LOCALHOST',
  '%6cocalhost',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:0:0:0:0:80ff:fffe]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.1',
  '169.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
]

/** Texts that are refused as URLs. */
const refusedUrls = (port: number) => [
  `http://127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_x`,
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  `//127.0.0.1:${port}/`,
  `/x`,
  '',
  `https://user:password@127.0.0.1:${port}/`,
  `https://example.com@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@example.com/`,
  `https://127.0.0.1:${port}/\r\nX: y`,
  ` https://127.0.0.1/`,
  'https://[::1',
  'https://',
  'https://127.0.0.1:99999/',
  'https://[fe80::1%25eth0]/',
]

/** The same detail for every call without an answer, so that it does not reveal which addresses exist. */
const forbidden = noAnswerDetail

describe('URLs that a casino sets', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let canary: Canary

  const atEnd = atEndOfSuite()
  before(async () => {
    canary = await startCanary()
    atEnd(() => {
      canary.stop()
    })
    service = await startService({ env: { OUTBOUND_ALLOW_PRIVATE: 'false' } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const path = (rest: string) => `/${casino.id}${rest}`
  const partner = (url: string) => ({ kind: 'http', url, timeout_ms: 1_000 })
  /** Stores the URL as if it had been allowed when it was saved. */
  const keep = async (casinoId: string, url: string) => {
    const by = { secret: { given: signingSecret }, actor: 'test', requestId: 'test' }
    const wallet = { kind: 'http' as const, url, timeout_ms: 1_000 }
    await putSetting(service.deps, { casinoId, name: 'wallet', value: wallet, ...by })
    const fulfilment = { ...wallet, poll_minutes: 60 }
    await putSetting(service.deps, { casinoId, name: 'fulfilment', value: fulfilment, ...by })
    const definition = { url, description: null, eventTypes: [], secret: undefined }
    await putEndpoint(service.deps, { casinoId, endpointId: 'hook' }, definition, 20)
  }

  it('are refused when they are not https, or contain more or less than a target', async () => {
    for (const [n, url] of refusedUrls(canary.port).entries()) {
      const inputs = [
        ['/settings/wallet', partner(url)],
        ['/settings/fulfilment', partner(url)],
        ['/webhook-endpoints/hook', { url }],
      ] as const
      for (const [name, body] of someOf(inputs, n, 1)) {
        const reply = await operator.put(path(name), body)
        expect([reply.status, Object.keys(at(reply, 'errors') ?? {})], `${name} ${url}`).to.deep.equal([
          400,
          ['url'],
        ])
      }
      expect((await operator.post(path('/settings/wallet/test'), partner(url))).status, url).to.equal(400)
    }
    expect(canary.connections()).to.equal(0)
  })

  it('are refused when they lead to this machine or to a private network, in any spelling', async () => {
    for (const [n, host] of forbiddenHosts.entries()) {
      const url = `https://${host}:${canary.port}/`
      const calls = [
        () => operator.put(path('/settings/wallet'), partner(url)),
        () => operator.put(path('/settings/fulfilment'), partner(url)),
        () => operator.post(path('/settings/wallet/test'), { ...partner(url), secret: signingSecret }),
        () => operator.put(path('/webhook-endpoints/hook'), { url }),
      ]
      for (const call of someOf(calls, n, 1)) {
        const reply = await call()
        expect([reply.status, Object.keys(at(reply, 'errors') ?? {})], host).to.deep.equal([400, ['url']])
      }
    }
    expect(await service.database.casinoSetting.count()).to.equal(0)
    expect(await service.database.webhookEndpoint.count()).to.equal(0)
    expect(canary.connections()).to.equal(0)
  })

  it('do not reach this machine or a private network, even when stored earlier or using this machine’s host name', async () => {
    for (const host of [...forbiddenHosts, hostname()]) {
      const url = `https://${host}:${canary.port}/`
      await keep(casino.id, url)
      for (const name of ['/settings/wallet', '/settings/fulfilment']) {
        const saved = await operator.post(path(`${name}/test`))
        expect([at(saved, 'data.ok'), at(saved, 'data.detail')], host).to.deep.equal([false, forbidden])
      }
      const hook = await operator.post(path('/webhook-endpoints/hook/test'))
      expect([at(hook, 'data.delivered'), at(hook, 'data.problem')], host).to.deep.equal([false, 'no_answer'])
    }
    expect(canary.connections()).to.equal(0)
  })

  it('do not reach private addresses by names that change between a check and a call', async () => {
    const turns = [
      ['127.0.0.1'],
      ['::1'],
      ['169.254.169.254', '10.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fd00:ec2::254'],
    ]
    let asked = 0
    const resolve = () => {
      const found = turns[asked++ % turns.length] ?? []
      const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      return Promise.resolve({ addresses, ttlSeconds: 0 })
    }
    // With this clock, the result of a look-up is out of date before the next call.
    let nowMs = 0
    const rebinding = createHttpClient({
      allowPrivateAddresses: false,
      resolve,
      nowMs: () => (nowMs += 3_600_000),
    })
    const server = await startServer(createApp({ ...service.deps, sendRequest: rebinding.send }), {
      host: '127.0.0.1',
      port: 0,
    })
    try {
      const rebound = createOperator(createClient(server.url), casino.apiKey)
      const url = `https://rebound.example:${canary.port}/`
      for (let turn = 0; turn < turns.length; turn++) {
        const probe = await rebound.post(path('/settings/wallet/test'), {
          ...partner(url),
          secret: signingSecret,
        })
        expect(at(probe, 'data.detail'), String(turn)).to.equal(forbidden)
      }
      await rebound.put(path('/webhook-endpoints/hook'), { url })
      const hook = await rebound.post(path('/webhook-endpoints/hook/test'))
      expect(at(hook, 'data.problem')).to.equal('no_answer')
      expect([asked, canary.connections()]).to.deep.equal([turns.length + 1, 0])
    } finally {
      await server.stop()
      await rebinding.close()
    }
  })

  it('do not make workers send a credit, an order or an event to this machine', async () => {
    const other = await service.factory.casino()
    const own = createOperator(service.client, other.apiKey)
    const url = `https://[::ffff:127.0.0.1]:${canary.port}/`
    await keep(other.id, url)
    const { prizeId, playerId } = await service.factory.prize(other.id)
    const body = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', other.apiKey, body)).status).to.equal(200)
    service.startWorker()
    await eventually('the wallet is known to be none', async () =>
      Boolean(at(await own.get(`/${other.id}/settings/wallet`), 'data.paused_at')),
    )
    await eventually('a delivery has failed', async () => {
      const deliveries = await own.get(`/${other.id}/webhook-endpoints/hook/deliveries`)
      return fieldOf(listAt(deliveries), 'last_problem').some((problem) => problem !== null)
    })
    const deliveries = await own.get(`/${other.id}/webhook-endpoints/hook/deliveries`)
    const told = new Set(fieldOf(listAt(deliveries), 'last_problem').filter((problem) => problem !== null))
    expect([...told], 'as of a host that does not answer').to.deep.equal(['no_answer'])
    expect(
      await service.database.webhookDelivery.count({ where: { lastProblem: 'address_forbidden' } }),
    ).to.be.above(0)
    expect(canary.connections()).to.equal(0)
  })

  it('are not followed to the target of a redirect', async () => {
    const open = await startService()
    let redirects = 0
    let status = 302
    const target = await startCanary()
    const server = await startHttpServer((request, response) => {
      redirects += 1
      request.resume()
      response
        .writeHead(status, {
          Location: `http://127.0.0.1:${target.port}/`,
          Refresh: `0; url=http://127.0.0.1:${target.port}/`,
        })
        .end()
    })
    try {
      const { id, apiKey } = await open.factory.casino()
      const own = createOperator(open.client, apiKey)
      await own.put(`/${id}/webhook-endpoints/hook`, { url: server.url })
      for (status of [301, 302, 303, 307, 308]) {
        const hook = await own.post(`/${id}/webhook-endpoints/hook/test`)
        expect([at(hook, 'data.delivered'), at(hook, 'data.problem')]).to.deep.equal([false, 'redirected'])
        for (const name of ['wallet', 'fulfilment']) {
          const draft = { ...partner(server.url), secret: signingSecret }
          const probe = await own.post(`/${id}/settings/${name}/test`, draft)
          expect(at(probe, 'data.ok'), name).to.equal(false)
        }
      }
      expect([redirects, target.connections()]).to.deep.equal([15, 0])
    } finally {
      await server.stop()
      target.stop()
      await open.stop()
    }
  })

  it('of pictures are shown and never fetched, even where private addresses are allowed', async () => {
    const open = await startService()
    const target = await startCanary()
    try {
      const { id, apiKey } = await open.factory.casino()
      const own = createOperator(open.client, apiKey)
      const image_url = `http://127.0.0.1:${target.port}/x.png`
      expect(
        (await own.put(`/${id}/items/mug`, { name: 'Mug', kind: 'physical', image_url })).status,
      ).to.equal(200)
      const box = { name: 'Box', access: 'granted', image_url, entries: [{ item_id: 'mug', weight: 1 }] }
      expect((await own.put(`/${id}/boxes/box`, box)).status).to.equal(200)
      await own.post(`/${id}/grants`, { grants: [{ player_id: 'p', box_id: 'box', count: 1 }] })
      const opened = await open.client.post('/box/open', apiKey, { player_id: 'p', box_id: 'box' })
      expect(at(opened, 'prize.image_url')).to.equal(image_url)
      await own.get(`/${id}/boxes/box`)
      await open.client.send('GET', '/boxes/box', { headers: { Authorization: `Bearer ${apiKey}` } })
      open.startWorker()
      await open.drain()
      expect(target.connections()).to.equal(0)
    } finally {
      target.stop()
      await open.stop()
    }
  })
})

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
