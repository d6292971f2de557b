import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createPausedConnections } from '../../api/paused-connections.ts'
import type { Line, PausedConnections } from '../../api/paused-connections.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

const full: Line = { name: 'full', room: () => 0 }

describe('a connection that is not read for a moment', () => {
  const atTestEnd = atEndOfTest()

  /** Answers everything, pauses the connections in this way, and counts. */
  async function listen(
    pause: (connections: PausedConnections, request: IncomingMessage, response: ServerResponse) => void,
    wakeEveryMs?: number,
  ): Promise<{ port: number; seen: string[] }> {
    const connections = createPausedConnections(wakeEveryMs)
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(request.url ?? '')
      pause(connections, request, response)
      request.resume().once('end', () => response.end())
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

  /** Pauses connections that do not exist. `turns` gets the lines of those that are read again, turn by turn. */
  function pauseMany(
    connections: PausedConnections,
    count: number,
    line: Line,
    turns: string[][] = [],
  ): number[] {
    return Array.from({ length: count }, () => {
      const resume = () => {
        if (!openTurns.has(turns)) {
          openTurns.add(turns)
          turns.push([])
          setImmediate(() => openTurns.delete(turns))
        }
        turns.at(-1)?.push(line.name)
      }
      const socket = Object.assign(new Socket(), { resume })
      const request = Object.assign(new EventEmitter(), { resume: () => undefined, socket })
      const seconds = connections.pauseRefused(request as unknown as IncomingMessage, line)
      request.emit('close')
      return seconds
    })
  }
  const openTurns = new Set<string[][]>()

  const ways = {
    'after a refused request': (connections: PausedConnections, request: IncomingMessage) =>
      connections.pauseRefused(request, full),
    'after an accepted request': (
      connections: PausedConnections,
      _request: IncomingMessage,
      response: ServerResponse,
    ) => {
      connections.pauseAnswered(response, full)
    },
  }
  for (const [when, pause] of Object.entries(ways)) {
    it(`does not stop other connections from being served, ${when}`, async () => {
      const { port, seen } = await listen(pause, 1e9)
      await sendAll(port, ['/1', '/again'])
      await sendAll(port, ['/2', '/again'])
      await sendAll(port, ['/3', '/again'])
      await eventually('the third is seen', () => seen.includes('/3'))
      expect(seen).to.deep.equal(['/1', '/2', '/3'])
    })

    it(`is read again soon without room too, each time, ${when}`, async () => {
      const { port, seen } = await listen(pause)
      await sendAll(port, ['/1', '/2', '/3', '/4'])
      await eventually('all of its requests are seen', () => seen.length === 4)
    })
  }

  it('is read without a pause when there is room by the time of the answer', async () => {
    let room = 0
    const { port, seen } = await listen((connections, request, response) => {
      connections.pauseAnswered(response, { name: 'room', room: () => room })
      room = request.url === '/1' ? 1 : 0
    }, 1e9)
    await sendAll(port, ['/1', '/2', '/3'])
    await sendAll(port, ['/other'])
    await eventually('the next one is read', () => seen.includes('/2'))
    await eventually('a later one of another connection, too', () => seen.includes('/other'))
    expect(seen).not.to.include('/3')
  })

  it('is left unread for longer when other connections were refused just before', () => {
    expect(pauseMany(createPausedConnections(1e9), 3, full)).to.deep.equal([100_000, 200_000, 300_000])
  })

  it('is read again in one turn with as many others as there is room for, and ten', async () => {
    const turns: string[][] = []
    const room = () => [50, 0][turns.length] ?? 100
    pauseMany(createPausedConnections(), 80, { name: 'busy', room }, turns)
    await eventually('all are read again', () => turns.flat().length === 80)
    expect(turns.map(({ length }) => length)).to.deep.equal([50 + 10, 10, 10])
  })

  it('is read again although other lines always have room', async () => {
    const connections = createPausedConnections()
    const turns: string[][] = []
    pauseMany(connections, 400, { name: 'roomy', room: () => 20 }, turns)
    pauseMany(connections, 3, full, turns)
    await eventually('some are read again', () => turns.length > 0)
    expect(turns[0]?.filter((name) => name === 'full')).to.have.length(3)
  })

  it('takes turns with those of other lines', async () => {
    const connections = createPausedConnections()
    const turns: string[][] = []
    pauseMany(connections, 40, full, turns)
    pauseMany(connections, 2, { ...full, name: 'other' }, turns)
    await eventually('some are read again', () => turns.length > 0)
    expect(turns[0]?.slice(0, 4)).to.deep.equal(['full', 'other', 'full', 'other'])
  })
})
