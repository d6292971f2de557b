import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createRefusedConnections } from '../../api/refused-connections.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

describe('a connection with a refused request', () => {
  const atTestEnd = atEndOfTest()

  /** Refuses everything, and counts it. */
  async function listen(wakeEveryMs?: number): Promise<{ port: number; seen: string[] }> {
    const connections = createRefusedConnections(wakeEveryMs)
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(503).end()
      connections.pause(request)
    })
    server.listen(0, '127.0.0.1')
    atTestEnd(() => server.close())
    await once(server, 'listening')
    return { port: (server.address() as AddressInfo).port, seen }
  }

  /** Sends POSTs over one connection, and waits for the answer to each but the last. */
  async function sendAll(port: number, paths: readonly string[]): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    atTestEnd(() => socket.destroy())
    for (const [index, path] of paths.entries()) {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
      if (index < paths.length - 1) await once(socket, 'data')
    }
  }

  it('is left unread for a while, and other connections are served meanwhile', async () => {
    const { port, seen } = await listen(1e9)
    await sendAll(port, ['/1', '/again'])
    await sendAll(port, ['/2', '/again'])
    await sendAll(port, ['/3', '/again'])
    await eventually('the third is refused', () => seen.includes('/3'))
    expect(seen).to.deep.equal(['/1', '/2', '/3'])
  })

  it('is left unread for longer when other connections were refused just before', () => {
    const connections = createRefusedConnections(1e9)
    const rest = () => {
      const request = Object.assign(new EventEmitter(), { resume: () => undefined, socket: new Socket() })
      const seconds = connections.pause(request as unknown as IncomingMessage)
      request.emit('close')
      return seconds
    }
    const seconds = Array.from({ length: 3 }, rest)
    expect(seconds).to.deep.equal([50_000, 100_000, 150_000])
  })

  it('is read again soon, each time', async () => {
    const { port, seen } = await listen()
    await sendAll(port, ['/1', '/2', '/3', '/4'])
    await eventually('all of its requests are refused', () => seen.length === 4)
  })
})
