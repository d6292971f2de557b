import pg from 'pg'

/** The connections of a pool, and the statements that wait for one. */
export interface PoolUse {
  busy: number
  idle: number
  max: number
  waiting: number
}

const ignore = () => undefined

/**
 * A pool of connections each of which may be lost at any moment. The driver listens to the errors of idle connections
 * only: one in use would end the process when its server goes away. Listening hides nothing, since the loss rejects the
 * query in progress, or the next one. `onIdleError` gets the errors that would otherwise go unreported.
 */
export class Pool extends pg.Pool {
  constructor(config: pg.PoolConfig, onIdleError: (error: Error) => void) {
    super(config)
    this.on('error', onIdleError)
    // Every queue and worker that shares it listens, too.
    this.setMaxListeners(0)
    this.on('connect', (client) => client.on('error', ignore))
  }

  inUse(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this
    return { busy: totalCount - idleCount, idle: idleCount, max: options.max, waiting: waitingCount }
  }
}
