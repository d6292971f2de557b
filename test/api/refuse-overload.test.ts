import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { createApp } from '../../api/app.ts'
import { createRefuseOverload } from '../../api/refuse-overload.ts'
import { startServer } from '../../api/server.ts'
import type { RunningServer } from '../../api/server.ts'
import { createBatcher } from '../../core/batch/batcher.ts'
import { createLaneBatcher } from '../../core/batch/lane-batcher.ts'
import type { OpenBoxRequest } from '../../core/box/load-openers.ts'
import type { Answer } from '../../core/idempotency/idempotency.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { exampleOfAnswer } from '../support/api-document.ts'
import { createClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const noop = () => undefined
/** Some answer to an opening. */
const openedBox = JSON.stringify(exampleOfAnswer('/box/open', 'post', 200))

describe('an operation whose backlog is full', () => {
  let service: TestService
  let casino: TestCasino
  let server: RunningServer
  let client: Client
  let undocumented: Client
  let release: () => void = () => undefined
  /** Takes one opening, and no other until it is released. */
  const openBox = createBatcher<OpenBoxRequest, Answer>({
    process: (inputs) =>
      new Promise((resolve) => {
        release = () => {
          resolve(inputs.map(() => ({ value: { response: openedBox, replayed: false } })))
        }
      }),
    exclusiveKeyOf: (request) => request.playerId,
    batchSizeMax: 1,
    inFlightMax: 1,
    backlogMax: 2,
  })

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    server = await startServer(createApp({ ...service.deps, openBox }), { host: '127.0.0.1', port: 0 })
    atEnd(() => server.stop())
    client = createClient(server.url)
    undocumented = createClient(server.url, { isDocumented: false }) // these replies are not real openings
  })

  const open = (player: number) =>
    undocumented.post('/box/open', casino.apiKey, { player_id: player, box_id: 'b' })

  it('is refused before key and body are checked, and no other operation is refused', async () => {
    const first = open(1)
    await eventually('one is worked on', () => openBox.depth() === 1)
    const waiting = [open(2), open(3)]
    await eventually('the backlog is full', () => openBox.isFull())

    const refused = [
      await client.post('/box/open', casino.apiKey, { player_id: 4, box_id: 'b' }),
      await client.post('/box/open', 'no key', {}),
      await client.send('POST', '/box/open', { body: 'x'.repeat(70_000) }),
    ]
    for (const reply of refused) {
      expect(reply.status).to.equal(503)
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'The service is overloaded, try again later',
      })
      expect(reply.headers.get('X-Error-Code')).to.equal('overloaded')
      expect(reply.headers.get('Retry-After')).to.equal('1')
      expect(reply.headers.get('X-Request-Id')).to.match(/^req_/)
    }
    expect((await client.post('/prize/cashback', casino.apiKey, {})).status).to.equal(400)
    const metrics = (await client.send('GET', '/metrics')).text
    expect(metrics).to.contain('rewards_http_requests_total{method="POST",route="/box/open",status="503"} 3')
    const handled = 'rewards_http_request_duration_seconds_count{method="POST",route="/box/open"}'
    expect(metrics, 'they do not make the others look fast').to.contain(`${handled} 0\n`)

    await eventually('the accepted ones are answered', () => {
      release()
      return openBox.depth() === 0
    })
    const answers = await Promise.all([first, ...waiting])
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    const next = open(5)
    await eventually('it is accepted again', () => openBox.depth() === 1)
    release()
    expect((await next).status).to.equal(200)
  })

  it('lets the callers of accepted requests wait too while more wait than are of use, but no proxy', async () => {
    let room = 0
    const crowded = { ...openBox, isFull: () => false, room: () => room }
    const refuse = createRefuseOverload({ ...service.deps, openBox: crowded })
    const countPaused = async () => {
      const metrics = await service.deps.metrics.registry.metrics()
      return Number(/^rewards_http_connections_paused (\d+)$/m.exec(metrics)?.[1])
    }
    const isPausedAfter = (url: string, headers: Record<string, string> = {}) => {
      const request = Object.assign(new EventEmitter(), { url, headers, socket: new Socket() })
      const response = Object.assign(new EventEmitter(), { req: request })
      const isRefused = refuse(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      response.emit('close')
      return [isRefused, request.socket.isPaused()]
    }
    const pausedBefore = await countPaused()
    expect(isPausedAfter('/box/open')).to.deep.equal([false, true])
    expect((await countPaused()) - pausedBefore).to.equal(1)
    for (const header of ['x-forwarded-for', 'forwarded', 'via']) {
      expect(isPausedAfter('/box/open', { [header]: 'x' }), header).to.deep.equal([false, false])
    }
    expect(isPausedAfter('/prize/order')).to.deep.equal([false, false])
    expect(isPausedAfter('/healthz')).to.deep.equal([false, false])
    room = 1
    expect(isPausedAfter('/box/open')).to.deep.equal([false, false])
  })

  it('does not let a proxy wait until the time of Retry-After, as it lets many callers', async () => {
    const full = { ...openBox, isFull: () => true, room: () => 1_000 }
    const refuse = createRefuseOverload({ ...service.deps, openBox: full })
    const pausedAfterRefusal = (headers: Record<string, string> = {}, socket = new Socket()) => {
      const request = Object.assign(new EventEmitter(), { url: '/box/open', headers, socket, resume: noop })
      const response = { writeHead: noop, end: noop }
      refuse(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      request.emit('close')
      expect(socket.isPaused()).to.equal(true)
      return socket
    }
    for (let count = 0; count < 256; count++) pausedAfterRefusal()
    const caller = pausedAfterRefusal()
    let isCallerPaused: boolean | undefined
    const resume = () => {
      isCallerPaused = caller.isPaused()
    }
    pausedAfterRefusal({ 'x-forwarded-for': '192.0.2.1' }, Object.assign(new Socket(), { resume }))
    await eventually('the proxy is read again', () => isCallerPaused !== undefined)
    expect(isCallerPaused).to.equal(true)
  })

  it('is full only for the casino that fills it', async () => {
    const other = await service.factory.casino()
    const releases: (() => void)[] = []
    const laned = createLaneBatcher<OpenBoxRequest, Answer>({
      processShared: (inputs) =>
        new Promise((resolve) => {
          releases.push(() => {
            resolve(inputs.map(() => ({ value: { response: openedBox, replayed: false } })))
          })
        }),
      processAlone: () => Promise.reject(new Error('nothing is set aside')),
      processWaiting: () => Promise.reject(new Error('nothing waits')),
      isHeldUp: () => false,
      laneOf: (request) => request.casinoId,
      exclusiveKeyOf: (request) => `${request.casinoId} ${request.playerId}`,
      batchSizeMax: 1,
      inFlightMax: 1,
      backlogMax: 2,
    })
    const shared = await startServer(createApp({ ...service.deps, openBox: laned }), {
      host: '127.0.0.1',
      port: 0,
    })
    try {
      const caller = createClient(shared.url, { isDocumented: false })
      const openAs = ({ apiKey }: TestCasino, player: number) =>
        caller.post('/box/open', apiKey, { player_id: player, box_id: 'b' })
      const accepted = [openAs(casino, 1)]
      await eventually('one is worked on', () => laned.depth() === 1)
      accepted.push(openAs(casino, 2), openAs(casino, 3))
      await eventually('the casino has its share', () => laned.isFull(casino.id))
      expect((await openAs(casino, 4)).status).to.equal(503)
      expect((await caller.post('/box/open', casino.apiKey, 'no body')).status).to.equal(503)
      accepted.push(openAs(other, 1))
      await eventually('the other one is accepted', () => laned.depth() === 4)
      await eventually('they are answered', () => {
        releases.pop()?.()
        return laned.depth() === 0
      })
      expect((await Promise.all(accepted)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    } finally {
      await shared.stop()
    }
  })
})
