import type { Socket } from 'node:net'

const wakeEveryMs = 10
/** A thousand refusals a second cost a few hundredths of a core. */
const wokenAtOnceMax = 10

/** Connections on which somebody was refused, and which are not read for a moment. */
export interface RefusedConnections {
  rest(socket: Socket): void
}

/**
 * Bounds what refusing costs. Callers that ask again at once, instead of when they were told to, would be refused many
 * thousand times a second, and the process would do little else: those who were accepted would wait for it. So at most a
 * thousand refused connections a second are read again, in their order: a few within milliseconds, ten thousand, which is
 * as many as there may be, within ten seconds. A process that is short of time wakes fewer. What comes over the others
 * meanwhile waits in the kernel, and may well be accepted.
 */
export function createRefusedConnections(): RefusedConnections {
  const resting = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    let woken = 0
    for (const socket of resting) {
      if (woken >= wokenAtOnceMax) return
      resting.delete(socket)
      socket.resume()
      woken += 1
    }
    clearInterval(timer)
    timer = undefined
  }

  return {
    rest: (socket) => {
      if (socket.destroyed || resting.has(socket)) return
      socket.pause()
      resting.add(socket)
      timer ??= setInterval(wake, wakeEveryMs).unref()
    },
  }
}
