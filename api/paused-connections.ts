import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicMs } from '../core/platform/clock.ts'

const defaultWakeEveryMs = 5
/** Two thousand refusals a second cost less than a tenth of a core. */
const wokenAtOnceMin = 10

/** So many callers that return at the same moment do no harm: their requests are a batch, and fit into a backlog. */
const toldMin = 256

/** The paused connections of one casino's callers for one operation. */
export interface Line {
  name: string
  /** How many more requests of these callers are of use now. */
  room: () => number
}

/** Connections that are not read for a moment. */
export interface PausedConnections {
  /**
   * Pauses the connection of a refused request as soon as the whole request has arrived. Returns the seconds, at least 1,
   * for which its caller should wait. If many are paused, it is not read before, unless others share it.
   */
  pauseRefused(request: IncomingMessage, line: Line, isShared?: boolean): number
  /** Pauses the connection of an accepted request when it has been answered, unless there is room for the next one by then. */
  pauseAnswered(response: ServerResponse, line: Line): void
  /** The number of connections that are not read now. */
  count(): number
}

interface PausedLine extends Line {
  /** Those that are read as soon as there is room, in their order. */
  ready: Set<Socket>
  /** Those of callers that were told to wait, in their order, and until when (monotonic). */
  told: Map<Socket, number>
}

/**
 * Bounds the cost of callers whose requests are not of use yet: their data waits in the kernel. The connections of a line
 * are read again, in their order, as soon as there is room for their requests. Many that were told to wait are not read
 * before: if they were, they would all be open when their callers return, a thousand or more at the same moment, and most
 * would be refused again.
 *
 * Beside that, two thousand connections a second are read again, of each line in turn, and refused if their backlog is
 * full: first of those that waited as told. Ten thousand, which is as many as there may be, are read within six seconds. Without
 * that limit, callers that ask again immediately, instead of after `Retry-After`, would be refused many thousand times a
 * second, and the process would do little else. A process that is short of time reads fewer.
 */
export function createPausedConnections(
  wakeEveryMs = defaultWakeEveryMs,
  nowMs: () => number = monotonicMs,
): PausedConnections {
  const lines = new Map<string, PausedLine>()
  let timer: NodeJS.Timeout | undefined

  function open(line: Line): PausedLine {
    const known = lines.get(line.name)
    if (known !== undefined) return known
    const opened = { ...line, ready: new Set<Socket>(), told: new Map<Socket, number>() }
    lines.set(line.name, opened)
    timer ??= setInterval(wake, wakeEveryMs).unref()
    return opened
  }

  function wake(): void {
    for (const line of lines.values()) wakeSome(line.ready, line.room())
    // Beside those with room, or else lines without any would never be read while others are busy.
    let woken = 0
    for (let unsuccessful = 0; woken < wokenAtOnceMin && unsuccessful < lines.size;) {
      const [line] = lines.values()
      if (line === undefined) break
      // The next one is of another line.
      lines.delete(line.name)
      lines.set(line.name, line)
      const now = nowMs()
      const count =
        wakeSome(line.told, 1, (socket) => (line.told.get(socket) ?? 0) <= now) || wakeSome(line.ready, 1)
      woken += count
      unsuccessful = count > 0 ? 0 : unsuccessful + 1
    }
    for (const { name, ready, told } of lines.values()) if (ready.size + told.size === 0) lines.delete(name)
    if (lines.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const count = () => [...lines.values()].reduce((sum, { ready, told }) => sum + ready.size + told.size, 0)

  return {
    count,
    pauseRefused: (request, line, isShared = false) => {
      const { socket } = request
      const { ready, told } = open(line)
      const before = count()
      const seconds = 1 + Math.floor((before / wokenAtOnceMin) * (wakeEveryMs / 1_000))
      told.delete(socket) // one that asks twice is the last one again
      if (isShared || before < toldMin) ready.add(socket)
      else told.set(socket, nowMs() + seconds * 1_000)
      // A pause before that would be undone: Node reads on to get the rest of the body out of the way.
      request.resume()
      request.once('close', () => {
        if (ready.has(socket) || told.has(socket)) socket.pause()
      })
      return seconds
    },
    pauseAnswered: (response, line) => {
      const { socket } = response.req
      response.once('close', () => {
        if (socket.destroyed || line.room() > 0) return
        open(line).ready.add(socket)
        socket.pause()
      })
    },
  }
}

/** Reads up to `max` of these connections again, the first ones, and takes them out; until one for which it is not time. */
function wakeSome(
  sockets: Set<Socket> | Map<Socket, number>,
  max: number,
  isTime: (socket: Socket) => boolean = () => true,
): number {
  let woken = 0
  for (const socket of sockets.keys()) {
    if (woken >= max || !isTime(socket)) break
    sockets.delete(socket)
    if (socket.destroyed) continue
    socket.resume()
    woken += 1
  }
  return woken
}
