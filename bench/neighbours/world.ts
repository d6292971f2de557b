import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The casino whose acts are measured. It has a history, and a key with all scopes. */
export const noisyCasino = 'earlier'

/** The tools that acts work with. */
export interface World {
  /** A separate session, so that no act uses one of the service's connections. */
  database: pg.Client
  databaseUrl: string
  /** Sends a request of the noisy casino; a `path` that does not begin with `//` is below its own path. */
  send(method: string, path: string, body?: unknown): Promise<number>
  /** Starts a server that answers after this many milliseconds; its URL. */
  startSlowReceiver(answersAfterMs: number): Promise<string>
  /** Registers the undoing of something that the act has begun. */
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

/** A key of the noisy casino with all scopes. */
async function createKey({ manageUrl, adminKey }: WorldOptions): Promise<string> {
  const response = await fetch(`${manageUrl}/admin/casinos/${noisyCasino}/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ scopes: ['play', 'manage'] }),
  })
  if (response.status !== 201) throw new Error(`no key for the noisy casino: ${await response.text()}`)
  return ((await response.json()) as { data: { api_key: string } }).data.api_key
}
