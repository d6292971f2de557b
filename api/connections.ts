import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroupOf } from '../core/casino/allowed-addresses.ts'
import { monotonicMs } from '../core/platform/clock.ts'

export interface ConnectionsOptions {
  /** More than these from one address are refused; undefined where all come from a proxy's. */
  perAddressMax: number | undefined
  /** So long after its last answer a connection may be closed when there are too many. */
  idleMs: number
  /** So long a request may take to arrive before its connection may be closed for others. */
  halfMs: number
}

export interface Connections {
  /** False if its address already has the maximum. Otherwise it counts until it is closed. */
  add(socket: Socket): boolean
  begin(response: ServerResponse): void
  /** The request has been answered, and nothing more is done for it. */
  end(response: ServerResponse): void
  /**
   * Closes connections to make room for others: first those without a complete request, whose clients lose next to
   * nothing; without such connections, those that have been idle for a while.
   */
  makeRoom(): void
  sockets(): Iterable<Socket>
  /** The answer to its last request, unless that has arrived completely and been answered. */
  last(socket: Socket): ServerResponse | undefined
  /** The answers that have begun and not ended: of all open connections, or of this one, in the order of its requests. */
  unanswered(socket?: Socket): readonly ServerResponse[]
}

/** The use of a connection. */
interface Use {
  /** Those of requests that are not answered yet. */
  unanswered: ServerResponse[]
  /** That of the last request while it may still be arriving or is not answered: an idle connection keeps neither in memory. */
  last: ServerResponse | undefined
  /** How many bytes had come when a request was last answered; more than these belong to the next one. */
  bytesAnswered: number
  /** When it was opened, its last request began, or its last answer was ready. */
  usedAtMs: number
}

/**
 * Tracks the open connections and their use. Requests are kept with their connection, and not in a Set of all: V8 links each
 * table of a Set or Map to the next one, so those that are due to be collected would keep requests of long ago in memory, to be
 * copied by collection after collection.
 */
export function createConnections({ perAddressMax, idleMs, halfMs }: ConnectionsOptions): Connections {
  const uses = new Map<Socket, Use>()
  const countOf = new Map<string, number>()

  function closeAll(isClosed: (use: Use, socket: Socket) => boolean, spared: ReadonlySet<Socket>): number {
    const closed = [...uses].filter(([socket, use]) => !spared.has(socket) && isClosed(use, socket))
    for (const [socket] of closed) socket.destroy()
    return closed.length
  }

  /**
   * Their next requests may have arrived (paused-connections.ts, reading-turns.ts): they are read now, and closed the next
   * time if there is none.
   */
  function readUnread(): ReadonlySet<Socket> {
    const unread = new Set([...uses.keys()].filter((socket) => socket.isPaused()))
    for (const socket of unread) socket.resume()
    return unread
  }

  function forgetLast(use: Use, response: ServerResponse, bytesAnswered = use.bytesAnswered): void {
    if (use.last !== response) return
    use.last = undefined
    use.bytesAnswered = bytesAnswered
  }

  return {
    add: (socket) => {
      const group = addressGroupOf(socket.remoteAddress ?? '')
      const count = countOf.get(group) ?? 0
      if (perAddressMax !== undefined && count >= perAddressMax) return false
      countOf.set(group, count + 1)
      const use: Use = { unanswered: [], last: undefined, bytesAnswered: 0, usedAtMs: monotonicMs() }
      uses.set(socket, use)
      socket.once('close', () => {
        uses.delete(socket)
        use.unanswered = [] // the table of this Map outlives it too
        use.last = undefined
        const left = (countOf.get(group) ?? 1) - 1
        if (left === 0) countOf.delete(group)
        else countOf.set(group, left)
      })
      return true
    },
    begin: (response) => {
      const use = uses.get(response.req.socket)
      if (use === undefined) return
      use.unanswered.push(response)
      use.last = response
      use.usedAtMs = monotonicMs()
    },
    end: (response) => {
      const { socket } = response.req
      const use = uses.get(socket)
      if (use === undefined) return
      use.unanswered = use.unanswered.filter((other) => other !== response)
      use.bytesAnswered = socket.bytesRead
      use.usedAtMs = monotonicMs()
      if (response.req.complete) {
        forgetLast(use, response)
        return
      }
      // Answered before the rest of its body, which is not the beginning of the next request.
      response.req.once('close', () => {
        forgetLast(use, response, socket.bytesRead)
      })
    },
    makeRoom: () => {
      const nowMs = monotonicMs()
      const isHalf = ({ unanswered, last, bytesAnswered, usedAtMs }: Use, { bytesRead }: Socket) => {
        const isArriving =
          unanswered.length > 0
            ? last?.req.complete === false
            : bytesAnswered === 0 || bytesRead > bytesAnswered
        return isArriving && nowMs - usedAtMs > halfMs
      }
      const isIdle = ({ unanswered, usedAtMs }: Use) => unanswered.length === 0 && nowMs - usedAtMs > idleMs
      const unread = readUnread()
      if (closeAll(isHalf, unread) === 0) closeAll(isIdle, unread)
    },
    sockets: () => uses.keys(),
    last: (socket) => uses.get(socket)?.last,
    unanswered: (socket) =>
      socket === undefined
        ? [...uses.values()].flatMap((use) => use.unanswered)
        : (uses.get(socket)?.unanswered ?? []),
  }
}
