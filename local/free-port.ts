import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * A port of 127.0.0.1 that is free right now. Another process may take it before it is used: a caller that starts a
 * server on it must be ready to ask for another one.
 */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => {
        resolve(port)
      })
    })
  })
}

/** Others may take a free port between our looking and the server's binding it; three times in a row they do not. */
const attemptsMax = 3

/** Thrown by a `startOn` of `startOnFreePort` whose port was taken by another process. */
export class PortTakenError extends Error {}

/** Starts something on the given port, or on a free one, and then on another one when another process was quicker. */
export async function startOnFreePort<Server>(
  port: number | undefined,
  startOn: (port: number) => Promise<Server>,
): Promise<Server> {
  if (port !== undefined) return startOn(port)
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await findFreePort())
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === attemptsMax) throw error
    }
  }
}
