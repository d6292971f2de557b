import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { createReadingTurns } from '../../api/reading-turns.ts'
import type { ReadingTurns } from '../../api/reading-turns.ts'
import { startServer } from '../../api/server.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

describe('the reading of connections in turns', () => {
  const atTestEnd = atEndOfTest()

  it('lets a turn have at most 1,024 requests, and later ones about 128 each until all are answered', async () => {
    const turns: number[] = []
    let isOpen = false
    const server = await startServer(
      (_request, response) => {
        if (!isOpen) {
          isOpen = true
          turns.push(0)
          void setImmediate().then(() => (isOpen = false))
        }
        turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
        response.end('ok')
        return Promise.resolve()
      },
      { host: '127.0.0.1', port: 0 },
    )
    atTestEnd(() => server.stop())
    let answered = 0
    const connectOne = async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      atTestEnd(() => socket.destroy())
      socket.on('data', () => answered++)
      await once(socket, 'connect')
      return socket
    }
    const sockets: Socket[] = []
    // More in parallel than the kernel's backlog for a listener would be tried again after a second.
    while (sockets.length < 1_600) {
      sockets.push(...(await Promise.all(Array.from({ length: 400 }, connectOne))))
    }
    for (const again of [1, 2]) {
      turns.length = 0
      for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await eventually('all are answered', () => answered === again * 1_600)
      const [first, ...others] = turns
      expect(first).to.be.at.most(1_024)
      expect(Math.max(...others), 'some may come a turn late').to.be.at.most(2 * 128)
    }
  })

  it('leaves no connection unread that has a request under way, nor reads one that waits for something else', async () => {
    const [idle, busy, waiting] = [new Socket(), new Socket(), new Socket()]
    waiting.pause()
    const turns = createReadingTurns({
      sockets: () => [idle, busy, waiting],
      unanswered: (socket) => (socket === busy ? [new ServerResponse(new IncomingMessage(busy))] : []),
    })
    const paused = () => [idle, busy, waiting].map((socket) => socket.isPaused())
    countMany(turns, 1_023)
    expect(paused(), 'after 1,023 requests').to.deep.equal([false, false, true])
    countMany(turns, 1)
    expect(paused(), 'after 1,024').to.deep.equal([true, false, true])
    await eventually('it is read again', () => !idle.isPaused())
    expect(paused()).to.deep.equal([false, false, true])
    countMany(turns, 1_023)
    expect(paused(), 'after 1,023 requests of another turn').to.deep.equal([false, false, true])
  })

  it('counts no request behind another one of its connection', () => {
    const [idle, pipelining] = [new Socket(), new Socket()]
    const response = () => new ServerResponse(new IncomingMessage(pipelining))
    const begun = [response()]
    const turns = createReadingTurns({
      sockets: () => [idle, pipelining],
      unanswered: (socket) => (socket === pipelining ? begun : []),
    })
    for (let count = 0; count < 3_000; count++) {
      turns.count(pipelining)
      begun.push(response())
    }
    expect(idle.isPaused()).to.equal(false)
    countMany(turns, 1_023)
    expect(idle.isPaused(), 'its first one counts').to.equal(true)
  })

  it('does not read a connection whose request came otherwise, and which waits for something else since', async () => {
    const [early, idle] = [new Socket(), new Socket()]
    const turns = createReadingTurns({ sockets: () => [early, idle], unanswered: () => [] })
    countMany(turns, 1_024)
    early.resume()
    turns.count(early)
    early.pause()
    await eventually('the other one is read', () => !idle.isPaused())
    expect(early.isPaused()).to.equal(true)
  })

  it('reads those first that are oldest, and leaves none unread a second time for others that are ahead', async () => {
    const read: number[] = []
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const socket = new Socket()
      const resume = socket.resume.bind(socket)
      return Object.assign(socket, { resume: () => (read.push(index), resume()) })
    })
    const turns = createReadingTurns({ sockets: () => sockets, unanswered: () => [] })
    countMany(turns, 1_024)
    await setImmediate()
    const countPaused = () => sockets.filter((socket) => socket.isPaused()).length
    expect([read.length, countPaused()]).to.deep.equal([128, 72])
    countMany(turns, 1_024)
    expect(countPaused(), 'after as many requests of the next turn').to.equal(72)
    await eventually('all are read', () => read.length === 200)
    expect(read).to.deep.equal(Array.from(sockets.keys()))
    countMany(turns, 1_024)
    await setImmediate()
    countMany(turns, 1_024)
    expect(countPaused(), 'later').to.equal(72)
  })
})

function countMany(turns: ReadingTurns, requests: number): void {
  for (let count = 0; count < requests; count++) turns.count(new Socket())
}
