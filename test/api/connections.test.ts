import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { createConnections } from '../../api/connections.ts'

describe('connections that make room for others', () => {
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

  it('count the rest of a body that came after the answer as part of its request', () => {
    const connections = createConnections({ perAddressMax: undefined, idleMs: 60_000, halfMs: -1 })
    const socket = new Socket()
    let bytesRead = 0
    Object.defineProperty(socket, 'bytesRead', { get: () => bytesRead })
    connections.add(socket)
    const req = Object.assign(new EventEmitter(), { socket, complete: false })
    const response = { req } as unknown as ServerResponse
    connections.begin(response)
    bytesRead = 100
    connections.end(response)
    bytesRead = 150
    Object.assign(req, { complete: true }).emit('close')
    connections.makeRoom()
    expect(socket.destroyed, 'no other request has begun').to.equal(false)
    bytesRead = 160
    connections.makeRoom()
    expect(socket.destroyed, 'another one has begun').to.equal(true)
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
