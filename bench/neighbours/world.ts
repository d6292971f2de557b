import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The casino whose acts are measured: it has a history, and a key for everything of its own. */
export const noisyCasino = 'earlier'

/** What acts work with. */
export interface World {
  /** A session of their own: no act needs one of the service's connections. */
  database: pg.Client
  databaseUrl: string
  /** A request of the noisy casino; `path` is below its own when it does not begin with `//`. */
  send(method: string, path: string, body?: unknown): Promise<number>
  /** Where something listens that answers only after this many milliseconds. */
  startSlowReceiver(answersAfterMs: number): Promise<string>
  /** What the act has begun is ended with it. */
  atEnd(undo: () => Promise<unknown>): void
}

export interface WorldOptions {
  playUrl: string
  manageUrl: string
  adminKey: string
  databaseUrl: string
}

/** Opens the world for one act. `end` undoes what it has begun. */
export async function openWorld(options: WorldOptions): Promise<World & { end: () => Promise<void> }> {
  const database = new pg.Client({ connectionString: options.databaseUrl })
  await database.connect()
  const ends: (() => Promise<unknown>)[] = [() => database.end()]
  const key = await createKey(options)
  return {
    database,
    databaseUrl: options.databaseUrl,
    send: async (method, path, body) => {
      const isPlay = path.startsWith('//play')
      const url = isPlay
        ? `${options.playUrl}${path.slice('//play'.length)}`
        : `${options.manageUrl}${path.startsWith('//') ? path.slice(1) : `/admin/casinos/${noisyCasino}${path}`}`
      const response = await fetch(url, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined) // a connection that is closed is an answer, too
      await response?.arrayBuffer().catch(() => undefined)
      return response?.status ?? 0
    },
    startSlowReceiver: async (answersAfterMs) => {
      const server = createServer((request, response) => {
        request.resume()
        void delay(answersAfterMs, undefined, { ref: false }).then(() => response.end())
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      ends.push(() => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      })
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
      return `http://127.0.0.1:${address.port}`
    },
    atEnd: (undo) => ends.push(undo),
    end: async () => {
      for (const undo of ends.splice(0).reverse()) await undo()
    },
  }
}

/** A key for all of the noisy casino's own. */
async function createKey({ manageUrl, adminKey }: WorldOptions): Promise<string> {
  const response = await fetch(`${manageUrl}/admin/casinos/${noisyCasino}/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ scopes: ['play', 'manage'] }),
  })
  if (response.status !== 201) throw new Error(`no key for the noisy casino: ${await response.text()}`)
  return ((await response.json()) as { data: { api_key: string } }).data.api_key
}
