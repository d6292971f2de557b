import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { expect } from 'chai'
import { createReadingTurns } from '../../api/reading-turns.ts'
import { startServer } from '../../api/server.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

describe('the reading of connections in turns', () => {
  const atTestEnd = atEndOfTest()

  it('lets a turn have at most 256 requests, and later ones about 64 each until all are answered', async () => {
    const turns: number[] = []
    let isOpen = false
    const server = await startServer(
      (_request, response) => {
        if (!isOpen) {
          isOpen = true
          turns.push(0)
          setImmediate(() => (isOpen = false))
        }
        turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
        response.end('ok')
        return Promise.resolve()
      },
      { host: '127.0.0.1', port: 0 },
    )
    atTestEnd(() => server.stop())
    let answered = 0
    const sockets = await Promise.all(
      Array.from({ length: 600 }, async () => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        atTestEnd(() => socket.destroy())
        socket.on('data', () => answered++)
        await once(socket, 'connect')
        return socket
      }),
    )
    for (const again of [1, 2]) {
      turns.length = 0
      for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await eventually('all are answered', () => answered === again * 600)
      const [first, ...others] = turns
      expect(first).to.be.at.most(256)
      expect(Math.max(...others), 'some may come a turn late').to.be.at.most(2 * 64)
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
    for (let count = 0; count < 255; count++) turns.count()
    expect(paused(), 'after 255 requests').to.deep.equal([false, false, true])
    turns.count()
    expect(paused(), 'after 256').to.deep.equal([true, false, true])
    await eventually('it is read again', () => !idle.isPaused())
    expect(paused()).to.deep.equal([false, false, true])
    for (let count = 0; count < 255; count++) turns.count()
    expect(paused(), 'after 255 requests of another turn').to.deep.equal([false, false, true])
  })

  it('reads those first that are oldest', async () => {
    const read: number[] = []
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const socket = new Socket()
      const resume = socket.resume.bind(socket)
      return Object.assign(socket, { resume: () => (read.push(index), resume()) })
    })
    const turns = createReadingTurns({ sockets: () => sockets, unanswered: () => [] })
    for (let count = 0; count < 256; count++) turns.count()
    await eventually('some are read', () => read.length > 0)
    await eventually('all are read', () => read.length === 200)
    expect(read).to.deep.equal(Array.from(sockets.keys()))
  })
})
