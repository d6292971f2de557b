import { isReachable } from '../../core/platform/deadline.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint } from '../endpoint.ts'

/** `GET /healthz`: the process answers. Restart it when it does not. */
export const healthEndpoint: OpenEndpoint = () => Promise.resolve({ body: { status: 'ok' } })

/**
 * `GET /readyz`: the process can do its work. The database decides, and the machine's clock: while the queue backend is
 * away, requests are recorded all the same and their work waits in the outbox. Answers within seconds even when nothing
 * else does.
 */
export function createReadyEndpoint({
  pingDatabase,
  databaseClock,
  backend,
  isStopping,
}: Pick<ApiDeps, 'pingDatabase' | 'databaseClock' | 'backend'> & {
  isStopping: () => boolean
}): OpenEndpoint {
  return async () => {
    const [database, queue] = await Promise.all([
      isReachable(pingDatabase),
      isReachable(() => backend.ping()),
    ])
    const clock = databaseClock.state()
    const isReady = database && clock !== 'off' && !isStopping()
    return {
      status: isReady ? 200 : 503,
      body: {
        status: isReady ? 'ok' : 'error',
        database: database ? 'ok' : 'unavailable',
        queue: queue ? 'ok' : 'unavailable',
        clock,
      },
    }
  }
}

/** `GET /metrics`, for Prometheus. */
export function createMetricsEndpoint({ metrics }: Pick<ApiDeps, 'metrics'>): OpenEndpoint {
  return async () => ({
    body: await metrics.registry.metrics(),
    headers: { 'Content-Type': metrics.registry.contentType },
  })
}
