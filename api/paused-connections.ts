import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicMs } from '../core/platform/clock.ts'

const defaultWakeEveryMs = 5
/** Two thousand a second; refusing as many takes less than a tenth of a core. */
const wokenPerTurn = 10
/** So many callers of a line may return in the same moment: their requests are a few batches, and fit into its backlog. */
const returningTogetherMax = 256
/** The least that a refused caller is asked to wait. */
const retryAfterMinMs = 1_000

/** The paused connections of one casino's callers for one operation. */
export interface Line {
  name: string
  /** How many more requests of these callers are of use now. */
  room: () => number
}

/** Connections that are not read for a moment. */
export interface PausedConnections {
  /**
   * Pauses the connection of a refused request as soon as the whole request has arrived. Returns the whole seconds, at
   * least 1, for which its caller should wait. If 256 others of the line, or more, are paused, the connection is not read
   * sooner, unless it is a proxy's (`isShared`).
   */
  pauseRefused(request: IncomingMessage, line: Line, isShared: boolean): number
  /** Pauses the connection of an accepted request when it has been answered, unless there is room for the next one by then. */
  pauseAnswered(response: ServerResponse, line: Line): void
  /** The number of connections that wait here. */
  count(): number
}

/** Connections of a line that are read again in their order. */
interface Queue extends Line {
  /** Each with the time before which it is not read; none has a later one than the next. */
  sockets: Map<Socket, number>
  lastMs: number
}

/** Queues by the names of their lines, in the order in which they take turns. */
type Queues = Map<string, Queue>

/**
 * Bounds the cost of callers whose requests are not of use yet: their data waits in the kernel. The connections of a line
 * are read again, in their order, as soon as there is room for their requests. Beside that, two thousand a second are read
 * again, of each line in turn, and refused if their backlog is full: lines without room would else never be read.
 *
 * Connections of many refused callers are read from the time at which these should return, two thousand a second too, of
 * each line in turn. If they were read sooner, all of them would be open by then, thousands of callers would return in the same
 * moments, and most would be refused again. If there is one line, ten thousand are read within six seconds.
 *
 * Without these limits, callers that ask again immediately, instead of after `Retry-After`, would be refused many thousand
 * times a second, and the process would do little else. A process that is short of time reads fewer.
 */
export function createPausedConnections({
  wakeEveryMs = defaultWakeEveryMs,
  nowMs = monotonicMs,
}: { wakeEveryMs?: number; nowMs?: () => number } = {}): PausedConnections {
  const untilRoom: Queues = new Map()
  const untilTime: Queues = new Map()
  /** The last queue of each connection, which may have left it. */
  const queueOf = new WeakMap<Socket, Queue>()
  let timer: NodeJS.Timeout | undefined

  /** Returns the time before which the connection is not read. */
  function join(queues: Queues, socket: Socket, line: Line, notBeforeMs: number): number {
    if (!queueOf.has(socket)) socket.once('close', () => queueOf.get(socket)?.sockets.delete(socket))
    queueOf.get(socket)?.sockets.delete(socket)
    const queue = queues.get(line.name) ?? { ...line, sockets: new Map<Socket, number>(), lastMs: -Infinity }
    queue.lastMs = Math.max(queue.lastMs, notBeforeMs)
    queue.sockets.set(socket, queue.lastMs)
    queues.set(line.name, queue)
    queueOf.set(socket, queue)
    timer ??= setInterval(wake, wakeEveryMs).unref()
    return queue.lastMs
  }

  function wake(): void {
    const now = nowMs()
    for (const queue of untilRoom.values()) wakeSome(queue, queue.room(), now)
    wakeInTurn(untilRoom, now)
    wakeInTurn(untilTime, now)
    if (untilRoom.size + untilTime.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const sizeOf = (queues: Queues, line: Line) => queues.get(line.name)?.sockets.size ?? 0
  /** How long it takes until all that wait in a line's queue are read, if others of the same length take turns with it. */
  const turnsMs = (queues: Queues, line: Line) =>
    (Math.min(sizeOf(queues, line) * queues.size, countAll(queues)) / wokenPerTurn) * wakeEveryMs

  return {
    count: () => countAll(untilRoom) + countAll(untilTime),
    pauseRefused: (request, line, isShared) => {
      const { socket } = request
      const isTimed = !isShared && sizeOf(untilRoom, line) + sizeOf(untilTime, line) >= returningTogetherMax
      const queues = isTimed ? untilTime : untilRoom
      const waitMs = Math.max(retryAfterMinMs, turnsMs(queues, line))
      const now = nowMs()
      const notBeforeMs = join(queues, socket, line, isTimed ? now + waitMs : -Infinity)
      // A pause before that would be undone: Node reads on to get the rest of the body out of the way.
      request.resume()
      request.once('close', () => {
        if (queueOf.get(socket)?.sockets.has(socket) === true) socket.pause()
      })
      return Math.floor(Math.max(waitMs, notBeforeMs - now) / 1_000)
    },
    pauseAnswered: (response, line) => {
      const { socket } = response.req
      response.once('close', () => {
        if (socket.destroyed || line.room() > 0) return
        join(untilRoom, socket, line, -Infinity)
        socket.pause()
      })
    },
  }
}

/** Reads some again, of each queue in turn, and forgets queues that are empty. */
function wakeInTurn(queues: Queues, nowMs: number): void {
  let left = wokenPerTurn
  let failures = 0
  while (left > 0 && failures < queues.size) {
    const [queue] = queues.values()
    if (queue === undefined) break
    const woken = wakeSome(queue, 1, nowMs)
    left -= woken
    failures = woken > 0 ? 0 : failures + 1
    // The next one is of another queue.
    queues.delete(queue.name)
    queues.set(queue.name, queue)
  }
  for (const { name, sockets } of queues.values()) if (sockets.size === 0) queues.delete(name)
}

/** Reads the first ones of a queue again, up to `max`, and takes them out; until one for which it is not time. */
function wakeSome({ sockets }: Queue, max: number, nowMs: number): number {
  let woken = 0
  for (const [socket, notBeforeMs] of sockets) {
    if (woken >= max || notBeforeMs > nowMs) break
    sockets.delete(socket)
    socket.resume()
    woken += 1
  }
  return woken
}

function countAll(queues: Queues): number {
  return [...queues.values()].reduce((sum, { sockets }) => sum + sockets.size, 0)
}
