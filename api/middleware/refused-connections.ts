import type { Socket } from 'node:net'
import { monotonicMs } from '../../core/platform/clock.ts'

/** What the answer's `Retry-After` asks for; nobody is held for longer. */
const restMsMax = 1_000
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
 * thousand refused connections a second are read again, in their order, and each after a second at the latest. Few are
 * read again within milliseconds. What comes over the others meanwhile waits in the kernel, and may well be accepted.
 */
export function createRefusedConnections(): RefusedConnections {
  const sinceMs = new Map<Socket, number>()
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    const longestAgoMs = monotonicMs() - restMsMax
    let woken = 0
    for (const [socket, since] of sinceMs) {
      if (woken >= wokenAtOnceMax && since > longestAgoMs) return
      sinceMs.delete(socket)
      socket.resume()
      woken += 1
    }
    clearInterval(timer)
    timer = undefined
  }

  return {
    rest: (socket) => {
      if (socket.destroyed || sinceMs.has(socket)) return
      socket.pause()
      sinceMs.set(socket, monotonicMs())
      timer ??= setInterval(wake, wakeEveryMs).unref()
    },
  }
}
