import pg from 'pg'
import { monotonicMs } from './clock.ts'

/** The connections of a pool, and the statements that wait for one. */
export interface PoolUse {
  busy: number
  idle: number
  max: number
  waiting: number
}

const ignore = () => undefined

/** Planning takes the server about half a millisecond for each of the statements of a busy connection. */
const plansKeptMs = 5_000

/**
 * A pool of connections each of which may be lost at any moment. The driver listens to the errors of idle connections
 * only: one in use would end the process when its server goes away. Listening hides nothing, since the loss rejects the
 * query in progress, or the next one. `onIdleError` gets the errors that would otherwise go unreported.
 */
export class Pool extends pg.Pool {
  readonly #plansKeptMs: number
  /** When the oldest plan of a connection was made, at the earliest. */
  readonly #plannedAtMs = new WeakMap<pg.PoolClient, number>()

  constructor(config: pg.PoolConfig, onIdleError: (error: Error) => void, keptMs = plansKeptMs) {
    super(config)
    this.#plansKeptMs = keptMs
    this.on('error', onIdleError)
    // Every queue and worker that shares it listens, too.
    this.setMaxListeners(0)
    this.on('connect', (client) => {
      client.on('error', ignore)
      this.#plannedAtMs.set(client, monotonicMs())
    })
  }

  /**
   * A connection whose plans suit the present size of the tables. By itself the server keeps a plan until the table is
   * analysed, up to a minute after it has begun to grow. A plan that was made while it had two rows would until then read
   * all rows for each of a batch. Behind a pooler, only the session that gets this statement plans again, and the next
   * statement may get another.
   */
  async connectWithRecentPlans(): Promise<pg.PoolClient> {
    const client = await this.connect()
    const nowMs = monotonicMs()
    if (nowMs - (this.#plannedAtMs.get(client) ?? nowMs) < this.#plansKeptMs) return client
    try {
      await client.query('DISCARD PLANS')
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#plannedAtMs.set(client, nowMs)
    return client
  }

  inUse(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this
    return { busy: totalCount - idleCount, idle: idleCount, max: options.max, waiting: waitingCount }
  }
}

/** For arrays of text. */
const parseTexts = parserOf(1009) as (text: string) => (string | null)[]
const parseBytes = parserOf(pg.types.builtins.BYTEA) as (text: string) => Buffer

/** Those whose values Prisma gives differently from the driver. */
const parsers: Readonly<Record<number, Parser>> = {
  [pg.types.builtins.INT8]: BigInt,
  // Arrays of int8.
  1016: (text) => parseTexts(text).map((value) => (value === null ? null : BigInt(value))),
  [pg.types.builtins.BYTEA]: (text) => {
    const { buffer, byteOffset, byteLength } = parseBytes(text)
    return new Uint8Array(buffer, byteOffset, byteLength)
  },
}

/** The types of values in the rows of our own statements. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') => parsers[type] ?? parserOf(type, format),
}

function parserOf(type: number, format?: 'text' | 'binary'): Parser {
  // The driver's types know no arrays.
  const { getTypeParser } = pg.types as {
    getTypeParser: (type: number, format?: 'text' | 'binary') => Parser
  }
  return getTypeParser(type, format)
}

type Parser = (text: string) => unknown
