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
})
