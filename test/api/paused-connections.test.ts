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
    const connections = createPausedConnections(wakeEveryMs === undefined ? {} : { wakeEveryMs })
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

  /** Pauses connections that do not exist. `turns` gets the label of each that is read again, turn by turn. */
  function pauseMany(
    connections: PausedConnections,
    count: number,
    line: Line,
    { turns = [], isShared = false, label = line.name }: Partial<Many> = {},
  ): Refused[] {
    return Array.from({ length: count }, () => {
      const resume = () => {
        if (!openTurns.has(turns)) {
          openTurns.add(turns)
          turns.push([])
          setImmediate(() => openTurns.delete(turns))
        }
        turns.at(-1)?.push(label)
      }
      const socket = Object.assign(new Socket(), { resume })
      return { socket, seconds: refuse(connections, socket, line, isShared) }
    })
  }
  interface Many {
    turns: string[][]
    isShared: boolean
    label: string
  }
  interface Refused {
    socket: Socket
    seconds: number
  }
  const openTurns = new Set<string[][]>()

  /** Refuses a request of this connection, and lets it end. Returns the seconds for which its caller should wait. */
  function refuse(connections: PausedConnections, socket: Socket, line: Line, isShared = false): number {
    const request = Object.assign(new EventEmitter(), { resume: () => undefined, socket })
    const seconds = connections.pauseRefused(request as unknown as IncomingMessage, line, isShared)
    request.emit('close')
    return seconds
  }

  /** Paused connections with a clock that the test moves. */
  function startClock() {
    const clock = { ms: 0 }
    return { clock, connections: createPausedConnections({ nowMs: () => clock.ms }) }
  }

  /** Resolves after a turn in which a connection of another line was read. */
  async function untilNextTurn(connections: PausedConnections): Promise<void> {
    const turns: string[][] = []
    pauseMany(connections, 1, { name: 'mark', room: () => 1 }, { turns })
    await eventually('another is read', () => turns.length > 0)
  }

  const ways = {
    'after a refused request': (connections: PausedConnections, request: IncomingMessage) =>
      connections.pauseRefused(request, full, false),
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

  it('is left unread for longer when other connections were refused just before, each for one turn of a line', () => {
    const connections = createPausedConnections({ wakeEveryMs: 1e9 })
    const secondsOf = (count: number, line: Line) =>
      pauseMany(connections, count, line).map(({ seconds }) => seconds)
    expect(secondsOf(3, full)).to.deep.equal([1, 100_000, 200_000])
    expect(secondsOf(3, { ...full, name: 'other' }), 'two lines').to.deep.equal([1, 200_000, 400_000])
    expect(secondsOf(1, { ...full, name: 'third' }), 'not for those of longer lines').to.deep.equal([1])
  })

  describe('of a refused caller, of whose line 256 or more wait', () => {
    const roomy: Line = { name: 'roomy', room: () => 1_000 }

    it('is not read before its caller should return, with room too, and then ten in a turn', async () => {
      const { clock, connections } = startClock()
      const turns: string[][] = []
      pauseMany(connections, 256, roomy)
      const refused = pauseMany(connections, 30, roomy, { turns })
      expect(new Set(refused.map(({ seconds }) => seconds))).to.deep.equal(new Set([1]))
      for (clock.ms of [0, 500, 999]) await untilNextTurn(connections)
      expect(turns).to.deep.equal([])
      expect(connections.count()).to.equal(30)
      clock.ms = 1_000
      await eventually('all are read again', () => turns.flat().length === 30)
      expect(turns.map(({ length }) => length)).to.deep.equal([10, 10, 10])
      expect(connections.count()).to.equal(0)
    })

    it('is read with those for which there is room if it is a proxy’s, or if 255 wait, however many of other lines', async () => {
      const { connections } = startClock()
      const turns: string[][] = []
      pauseMany(connections, 600, { ...full, name: 'other' })
      pauseMany(connections, 256, roomy, { turns })
      pauseMany(connections, 1, roomy, { turns, label: 'of a caller' })
      pauseMany(connections, 1, roomy, { turns, isShared: true, label: 'of a proxy' })
      await eventually('a turn is over', () => turns.length > 0)
      expect(turns.flat()).to.deep.equal([...Array<string>(256).fill('roomy'), 'of a proxy'])
    })

    it('waits two thousand a second, and no longer', () => {
      const { clock, connections } = startClock()
      pauseMany(connections, 256 + 4_000, full)
      const secondsOf = () => pauseMany(connections, 1, full).map(({ seconds }) => seconds)
      expect(secondsOf()).to.deep.equal([2])
      pauseMany(connections, 5_998, full)
      expect(secondsOf()).to.deep.equal([4])
      clock.ms = 500
      expect(secondsOf()).to.deep.equal([5])
    })

    it('no longer counts once it is closed', async () => {
      const { connections } = startClock()
      const refused = pauseMany(connections, 10_000, full)
      for (const { socket } of refused) socket.destroy()
      await eventually('none is counted', () => connections.count() === 0)
      for (let again = 0; again < 12; again++) {
        const [next] = pauseMany(connections, 1, full)
        expect(next?.seconds).to.equal(1)
        next?.socket.destroy()
      }
      await eventually('none is counted again', () => connections.count() === 0)
    })

    it('delays no other one when its caller asks twice', async () => {
      const { clock, connections } = startClock()
      const turns: string[][] = []
      pauseMany(connections, 256, full, { isShared: true })
      const [twice] = pauseMany(connections, 1, full, { turns, label: 'twice' })
      pauseMany(connections, 1, full, { turns, label: 'once' })
      expect(connections.count()).to.equal(258)
      clock.ms = 900
      if (twice !== undefined) refuse(connections, twice.socket, full)
      expect(connections.count()).to.equal(258)
      clock.ms = 1_000
      await eventually('the other one is read', () => turns.length > 0)
      expect(turns.flat()).to.deep.equal(['once'])
    })

    it('is not read before those that were refused earlier, also when most of these have gone', async () => {
      const { clock, connections } = startClock()
      const turns: string[][] = []
      const first = pauseMany(connections, 256 + 8_000, full, { turns, label: 'gone' })
      pauseMany(connections, 1, full, { turns, label: 'earlier' })
      for (const { socket } of first) socket.destroy()
      await eventually('they are gone', () => connections.count() === 1)
      pauseMany(connections, 256, full, { isShared: true })
      const [later] = pauseMany(connections, 1, full, { turns, label: 'later' })
      expect(later?.seconds).to.equal(4)
      clock.ms = 3_999
      await untilNextTurn(connections)
      expect(turns).to.deep.equal([])
      clock.ms = 4_000
      await eventually('both are read', () => turns.flat().length === 2)
      expect(turns.flat()).to.deep.equal(['earlier', 'later'])
    })

    it('does not hold up those of the line that wait for room', async () => {
      const { clock, connections } = startClock()
      const turns: string[][] = []
      pauseMany(connections, 256, full, { turns, label: 'for room' })
      pauseMany(connections, 40, full, { turns, label: 'for the time' })
      clock.ms = 1_000
      await eventually('some are read again', () => turns.length > 0)
      expect(turns[0]).to.deep.equal([
        ...Array<string>(10).fill('for room'),
        ...Array<string>(10).fill('for the time'),
      ])
    })
  })

  it('is read again in one turn with as many others as there is room for, and ten', async () => {
    const turns: string[][] = []
    const room = () => [50, 0][turns.length] ?? 100
    pauseMany(createPausedConnections(), 80, { name: 'busy', room }, { turns })
    await eventually('all are read again', () => turns.flat().length === 80)
    expect(turns.map(({ length }) => length)).to.deep.equal([50 + 10, 10, 10])
  })

  it('is read again although other lines always have room', async () => {
    const connections = createPausedConnections()
    const turns: string[][] = []
    pauseMany(connections, 200, { name: 'roomy', room: () => 20 }, { turns })
    pauseMany(connections, 3, full, { turns })
    await eventually('some are read again', () => turns.length > 0)
    expect(turns[0]?.filter((name) => name === 'full')).to.have.length(3)
  })

  it('takes turns with those of other lines', async () => {
    const connections = createPausedConnections()
    const turns: string[][] = []
    pauseMany(connections, 40, full, { turns })
    pauseMany(connections, 2, { ...full, name: 'other' }, { turns })
    await eventually('some are read again', () => turns.length > 0)
    expect(turns[0]?.slice(0, 4)).to.deep.equal(['full', 'other', 'full', 'other'])
  })
})
