import pg from 'pg'

const ignore = () => undefined

/**
 * A pool of connections each of which may be lost at any moment. The driver listens to the errors of an idle connection
 * only: one that is lent would end the process when its server goes away. Nothing is hidden by listening, since the loss
 * rejects the query that was under way, or the next one. `onIdleError` is told what nobody else would be.
 */
export class Pool extends pg.Pool {
  constructor(config: pg.PoolConfig, onIdleError: (error: Error) => void) {
    super(config)
    this.on('error', onIdleError)
    // Every queue and worker that shares it listens, too.
    this.setMaxListeners(0)
    this.on('connect', (client) => client.on('error', ignore))
  }
}
