import type { IncomingMessage } from 'node:http'
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
  begin(request: IncomingMessage): void
  /** The request has been answered, and nothing more is done for it. */
  end(request: IncomingMessage): void
  /**
   * Closes connections to make room for others: first those without a complete request, whose clients lose next to
   * nothing; without such connections, those that have been idle for a while.
   */
  makeRoom(): void
  sockets(): Iterable<Socket>
}

/** The use of a connection. */
interface Use {
  /** Requests that have begun and are not answered; the last of them is the one that may still arrive. */
  unanswered: number
  last: IncomingMessage | undefined
  /** How many bytes had come when a request was last answered; more than these belong to the next one. */
  bytesAnswered: number
  /** When it was opened, its last request began, or its last answer was ready. */
  usedAtMs: number
}

/** Tracks the open connections and their use. */
export function createConnections({ perAddressMax, idleMs, halfMs }: ConnectionsOptions): Connections {
  const uses = new Map<Socket, Use>()
  const countOf = new Map<string, number>()

  function closeWhere(isClosed: (use: Use, socket: Socket) => boolean): number {
    const closed = [...uses].filter(([socket, use]) => isClosed(use, socket))
    for (const [socket] of closed) socket.destroy()
    return closed.length
  }

  return {
    add: (socket) => {
      const group = addressGroupOf(socket.remoteAddress ?? '')
      const count = countOf.get(group) ?? 0
      if (perAddressMax !== undefined && count >= perAddressMax) return false
      countOf.set(group, count + 1)
      uses.set(socket, { unanswered: 0, last: undefined, bytesAnswered: 0, usedAtMs: monotonicMs() })
      socket.once('close', () => {
        uses.delete(socket)
        const left = (countOf.get(group) ?? 1) - 1
        if (left === 0) countOf.delete(group)
        else countOf.set(group, left)
      })
      return true
    },
    begin: (request) => {
      const use = uses.get(request.socket)
      if (use === undefined) return
      use.unanswered += 1
      use.last = request
      use.usedAtMs = monotonicMs()
    },
    end: (request) => {
      const use = uses.get(request.socket)
      if (use === undefined) return
      use.unanswered -= 1
      use.bytesAnswered = request.socket.bytesRead
      use.usedAtMs = monotonicMs()
    },
    makeRoom: () => {
      const nowMs = monotonicMs()
      const isHalf = ({ unanswered, last, bytesAnswered, usedAtMs }: Use, { bytesRead }: Socket) => {
        const isArriving =
          unanswered > 0 ? last?.complete === false : last === undefined || bytesRead > bytesAnswered
        return isArriving && nowMs - usedAtMs > halfMs
      }
      if (closeWhere(isHalf) > 0) return
      closeWhere(({ unanswered, usedAtMs }) => unanswered === 0 && nowMs - usedAtMs > idleMs)
    },
    sockets: () => uses.keys(),
  }
}
