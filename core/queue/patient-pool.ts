import { setTimeout as delay } from 'node:timers/promises'
import { PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { BackendFactory, PostgresConnectionOptions } from 'bullmq'
import type pg from 'pg'
import type { Logger } from '../platform/logger.ts'
import { NotMigratedError } from '../platform/migrations.ts'
import { Pool } from '../platform/pool.ts'

const connectAgainMs = 250

/**
 * Waits for the database where BullMQ would give up: a request for a connection waits until the database answers or the
 * pool ends; queries fail as usual.
 */
export class PatientPool extends Pool {
  readonly #log: Logger

  constructor(config: pg.PoolConfig, log: Logger) {
    super(config, (error) => {
      log.warn({ err: error }, 'lost an idle queue connection')
    })
    this.#log = log
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return this.#connect()
    super.connect(callback) // how a pool serves its own queries
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.connect()
      } catch (error) {
        if (this.ending) throw error
        // Logged once: it may be retried several times a second. A missing migration has been logged already.
        if (attempt === 1 && !(error instanceof NotMigratedError))
          this.#log.warn({ err: error }, 'no queue connection yet')
        await delay(connectAgainMs)
      }
    }
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/**
 * BullMQ's PostgreSQL backend on such a pool; use it as `createPostgresBackend`. BullMQ's own takes a connection when a
 * queue or a worker is created, queries whether its tables exist, and remembers the outcome. If the connection is lost
 * in that moment, every later call gets the same error, and a worker repeats it without a pause in which the process
 * could do anything else, or notice a stop. Ours is ready when the pool has lent it a connection, which it does only
 * after checking the tables itself.
 */
export const createPatientBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
  { withBlockingConnection = false } = {},
) => {
  return new PostgresQueueBackend(
    new PatientConnection(options.connection),
    name,
    options,
    true,
    withBlockingConnection ? name : undefined, // a worker's connection shows the queue's name in pg_stat_activity
  )
}

class PatientConnection extends PostgresConnection {
  #ready: Promise<void> | undefined

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#lendOnce())
  }

  async #lendOnce(): Promise<void> {
    const client = await this.pool.connect()
    client.release()
  }
}
