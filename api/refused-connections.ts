import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

const defaultWakeEveryMs = 10
/** Two thousand refusals a second cost less than a tenth of a core. */
const wokenAtOnceMax = 20

/** Connections on which a caller was refused, and which are not read for a moment. */
export interface RefusedConnections {
  /**
   * Pauses the connection as soon as the whole request has arrived. Returns the seconds after which it is read again if
   * all goes well, at least 1: a caller that returns sooner waits.
   */
  pause(request: IncomingMessage): number
}

/**
 * Bounds what refusing costs. Callers that ask again immediately, instead of after `Retry-After`, would be refused many
 * thousand times a second, and the process would do little else: accepted callers would wait for it. So at most two
 * thousand refused connections a second are read again, in their order: a few within milliseconds, ten thousand, which
 * is as many as there may be, within five seconds. A process that is short of time wakes fewer. Data that comes over
 * the others meanwhile waits in the kernel, and may well be accepted.
 */
export function createRefusedConnections(wakeEveryMs = defaultWakeEveryMs): RefusedConnections {
  const paused = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    let woken = 0
    for (const socket of paused) {
      if (woken >= wokenAtOnceMax) return
      paused.delete(socket)
      socket.resume()
      woken += 1
    }
    clearInterval(timer)
    timer = undefined
  }

  return {
    pause: (request) => {
      const { socket } = request
      paused.add(socket)
      timer ??= setInterval(wake, wakeEveryMs).unref()
      // A pause before that would be undone: Node reads on to get the rest of the body out of the way.
      request.resume()
      request.once('close', () => {
        if (paused.has(socket)) socket.pause()
      })
      return Math.max(1, Math.ceil((paused.size / wokenAtOnceMax) * (wakeEveryMs / 1_000)))
    },
  }
}
