import { askReadiness } from '../../core/platform/readiness.ts'
import { chooseEncoding } from '../choose-encoding.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint } from '../endpoint.ts'

/** `GET /healthz`: the process answers. Restart it when it does not. */
export const healthEndpoint: OpenEndpoint = () => Promise.resolve({ body: { status: 'ok' } })

/**
 * `GET /readyz`: the process can do its work. The database decides, with the tables of this version in it, and the
 * machine's clock: while the queue backend is away, requests are recorded all the same and their work waits in the outbox.
 * Answers within seconds even when nothing else does.
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
    const readiness = await askReadiness({ database: pingDatabase, queue: () => backend.ping() })
    const clock = databaseClock.state()
    const isReady = readiness.database === 'ok' && clock !== 'off' && !isStopping()
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ok' : 'error', ...readiness, clock } }
  }
}

/** `GET /metrics`, for Prometheus. */
export function createMetricsEndpoint({ metrics }: Pick<ApiDeps, 'metrics'>): OpenEndpoint {
  return async ({ acceptEncoding }) => {
    const encoding = chooseEncoding(acceptEncoding, ['gzip'])
    return {
      body: (await metrics.scrape())[encoding],
      headers: {
        'Content-Type': metrics.registry.contentType,
        Vary: 'Accept-Encoding',
        ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      },
    }
  }
}
