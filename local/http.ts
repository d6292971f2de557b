import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Where this machine reaches the API, on any address that it listens on. */
export function localUrl({ host, port, basePath }: { host: string; port: number; basePath: string }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${basePath}`
}

/** Rejects with one line when the API could not listen there, so that we need not start anything to find out. */
export function assertPortIsFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined
      reject(
        new Error(
          code === 'EADDRINUSE'
            ? `port ${port} is taken: stop what uses it, or set PORT to another one`
            : `cannot listen on ${host} port ${port} (${String(code)}): set HOST or PORT`,
        ),
      )
    })
    probe.listen(port, host, () => {
      probe.close(() => {
        resolve()
      })
    })
  })
}

const readyTimeoutMs = 30_000
const requestTimeoutMs = 2_000
const pollMs = 50

/** Resolves when the API says that it can work. Rejects after a bound, or when the signal says that we stop. */
export async function waitUntilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + readyTimeoutMs
  while (performance.now() < giveUpAt) {
    signal.throwIfAborted()
    if (await isReady(baseUrl)) return
    await delay(pollMs)
  }
  throw new Error(`the API was not ready after ${readyTimeoutMs / 1000} seconds`)
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(requestTimeoutMs) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
