import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const defaultWakeEveryMs = 5
/** Two thousand refusals a second cost less than a tenth of a core. */
const wokenAtOnceMin = 10

/** The paused connections of one casino's callers for one operation. */
export interface Line {
  name: string
  /** How many more requests of these callers are of use now. */
  room: () => number
}

/** Connections that are not read for a moment. */
export interface PausedConnections {
  /**
   * Pauses the connection of a refused request as soon as the whole request has arrived. Returns the seconds after which
   * it is read again if all goes well, at least 1: a caller that returns sooner waits.
   */
  pauseRefused(request: IncomingMessage, line: Line): number
  /** Pauses the connection of an accepted request when it has been answered, unless there is room for the next one by then. */
  pauseAnswered(response: ServerResponse, line: Line): void
  /** The number of connections that are not read now. */
  count(): number
}

/**
 * Bounds the cost of callers whose requests are not of use yet: their data waits in the kernel. The connections of a line
 * are read again, in their order, as soon as there is room for their requests.
 *
 * Beside that, two thousand connections a second are read again, of each line in turn, and refused if their backlog is
 * full. If there is one line, a few are read within milliseconds, and ten thousand, which is as many as there may be,
 * within five seconds. Without that limit, callers that ask again immediately, instead of after `Retry-After`, would be refused
 * many thousand times a second, and the process would do little else. A process that is short of time reads fewer.
 */
export function createPausedConnections(wakeEveryMs = defaultWakeEveryMs): PausedConnections {
  const lines = new Map<string, Line & { sockets: Set<Socket> }>()
  let timer: NodeJS.Timeout | undefined

  function add(socket: Socket, line: Line): ReadonlySet<Socket> {
    const known = lines.get(line.name)
    const sockets = known?.sockets ?? new Set()
    if (known === undefined) lines.set(line.name, { ...line, sockets })
    sockets.add(socket)
    timer ??= setInterval(wake, wakeEveryMs).unref()
    return sockets
  }

  function wake(): void {
    for (const line of lines.values()) wakeSome(line, line.room())
    // Beside those with room, or else lines without any would never be read while others are busy.
    let woken = 0
    while (woken < wokenAtOnceMin) {
      const [line] = lines.values()
      if (line === undefined) break
      // The next one is of another line.
      lines.delete(line.name)
      lines.set(line.name, line)
      woken += wakeSome(line, 1)
    }
    if (lines.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function wakeSome({ name, sockets }: { name: string; sockets: Set<Socket> }, max: number): number {
    let woken = 0
    for (const socket of sockets) {
      if (woken >= max) break
      sockets.delete(socket)
      if (socket.destroyed) continue
      socket.resume()
      woken += 1
    }
    if (sockets.size === 0) lines.delete(name)
    return woken
  }

  const count = () => [...lines.values()].reduce((sum, { sockets }) => sum + sockets.size, 0)

  return {
    count,
    pauseRefused: (request, line) => {
      const { socket } = request
      const sockets = add(socket, line)
      // A pause before that would be undone: Node reads on to get the rest of the body out of the way.
      request.resume()
      request.once('close', () => {
        if (sockets.has(socket)) socket.pause()
      })
      return Math.max(1, Math.ceil((count() / wokenAtOnceMin) * (wakeEveryMs / 1_000)))
    },
    pauseAnswered: (response, line) => {
      const { socket } = response.req
      response.once('close', () => {
        if (socket.destroyed || line.room() > 0) return
        add(socket, line)
        socket.pause()
      })
    },
  }
}
