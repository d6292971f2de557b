import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createConnections } from '../../api/connections.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

describe('connections that make room for others', () => {
  const atTestEnd = atEndOfTest()

  it('are read first if they were not read for a moment, and closed if nothing comes', () => {
    const connections = createConnections({ perAddressMax: undefined, idleMs: -1, halfMs: 60_000 })
    const [idle, paused] = [new Socket(), new Socket()]
    for (const socket of [idle, paused]) {
      connections.add(socket)
      socket.resume()
    }
    paused.pause()
    const destroyed = () => [idle.destroyed, paused.destroyed]
    connections.makeRoom()
    expect([...destroyed(), paused.isPaused()]).to.deep.equal([true, false, false])
    connections.makeRoom()
    expect(destroyed()).to.deep.equal([true, true])
  })

  it('are read first too if they never had a request, which may have arrived', () => {
    const connections = createConnections({ perAddressMax: undefined, idleMs: -1, halfMs: -1 })
    const unread = new Socket()
    connections.add(unread)
    unread.pause()
    connections.makeRoom()
    expect([unread.destroyed, unread.isPaused()]).to.deep.equal([false, false])
    connections.makeRoom()
    expect(unread.destroyed).to.equal(true)
  })

  it('count the rest of a body that came after the answer as part of its request', async () => {
    const connections = createConnections({ perAddressMax: undefined, idleMs: 60_000, halfMs: -1 })
    const arrived: boolean[] = []
    const server = createServer((request, response) => {
      connections.begin(response)
      request.resume().once('close', () => arrived.push(request.complete))
      response.end()
      connections.end(response)
    })
    server.on('connection', (socket) => connections.add(socket))
    atTestEnd(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    atTestEnd(() => client.destroy())
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n')
    await once(client, 'data')
    client.write('{}')
    await eventually('the rest is there', () => arrived.length === 1)
    connections.makeRoom()
    const [socket] = connections.sockets()
    expect(socket?.destroyed, 'no other request has begun').to.equal(false)

    const before = socket?.bytesRead ?? 0
    client.write('POST / HT')
    await eventually('some of another one is there', () => (socket?.bytesRead ?? 0) > before)
    connections.makeRoom()
    expect(socket?.destroyed, 'another one has begun').to.equal(true)
  })
})

describe('a connection between two requests', () => {
  it('keeps nothing of one that has arrived and been answered', () => {
    const connections = createConnections({ perAddressMax: undefined, idleMs: 60_000, halfMs: 60_000 })
    const socket = new Socket()
    connections.add(socket)
    const begin = (complete: boolean) => {
      const req = Object.assign(new EventEmitter(), { socket, complete })
      const response = { req } as unknown as ServerResponse
      connections.begin(response)
      return { req, response }
    }
    const whole = begin(true)
    expect(connections.last(socket)).to.equal(whole.response)
    connections.end(whole.response)
    expect(connections.last(socket)).to.equal(undefined)

    const part = begin(false)
    connections.end(part.response)
    expect(connections.last(socket), 'the rest may be malformed').to.equal(part.response)
    part.req.emit('close')
    expect(connections.last(socket)).to.equal(undefined)

    const early = begin(false)
    connections.end(early.response)
    const next = begin(true)
    early.req.emit('close')
    expect(connections.last(socket)).to.equal(next.response)
  })
})
