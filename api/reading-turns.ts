import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

/** As many as a backlog holds for one casino; callers that return after their answers are fewer. */
const requestsPerTurnMax = 1_024
/** Refusing these takes about as long as the rest of a turn under full load. */
const readPerTurn = 128

/**
 * Keeps requests that arrive together, on thousands of connections, from keeping everything else waiting: Node reads all of
 * them in one turn of the event loop, and the database's answers come after it. Once a turn has had as many requests as a
 * backlog holds, the connections that have not been read wait for later turns, which read some of them each, in the order
 * of their age.
 */
export interface ReadingTurns {
  /** Call when a request begins, with its connection. Those behind another one of the same connection do not count. */
  count(socket: Socket): void
}

export function createReadingTurns(connections: Pick<Connections, 'sockets' | 'unanswered'>): ReadingTurns {
  const unread = new Set<Socket>()
  /** Those that this turn reads: they wait no second time, although others may be ahead of them. */
  const resumed = new Set<Socket>()
  let isScheduled = false
  let requests = 0

  function nextTurn(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      requests = 0
      resumed.clear()
      readSome()
    })
  }

  function readSome(): void {
    for (const socket of unread) {
      if (resumed.size === readPerTurn) break
      unread.delete(socket)
      resumed.add(socket)
      socket.resume()
    }
    if (resumed.size > 0) nextTurn()
  }

  /** Not those that wait for something else already (paused-connections.ts), nor those of which a request is under way. */
  function leaveOthersUnread(): void {
    for (const socket of connections.sockets()) {
      if (socket.isPaused() || resumed.has(socket) || connections.unanswered(socket).length > 0) continue
      socket.pause()
      unread.add(socket)
    }
  }

  return {
    count: (socket) => {
      unread.delete(socket)
      if (connections.unanswered(socket).length > 1) return
      nextTurn()
      requests++
      if (requests === requestsPerTurnMax) leaveOthersUnread()
    },
  }
}
