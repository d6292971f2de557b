import { setTimeout } from 'node:timers/promises'
import { isAdminKey } from '../core/casino/api-key.ts'
import { compareIdleMs } from '../core/platform/compare-clocks.ts'
import type { Config } from '../core/platform/config.ts'
import { startLoop, stopOnSignals } from '../core/platform/lifecycle.ts'
import { createLogger } from '../core/platform/logger.ts'
import { logPlainText } from '../core/platform/plain-text.ts'
import { heartbeatIdleMs } from '../core/process/heartbeat.ts'
import { replicaIdleMs } from '../core/platform/replica.ts'
import type { Signals } from '../core/platform/signals.ts'
import { refuseEviction } from '../core/queue/eviction.ts'
import { tracedLog } from '../core/trace/log-fields.ts'
import { openTracer } from '../core/trace/open-tracer.ts'
import { createApp } from './app.ts'
import { createApiDeps } from './deps.ts'
import type { ApiDeps } from './deps.ts'
import type { RouteSurface } from './route.ts'
import { startServer } from './server.ts'
import type { RunningServer, ServerOptions } from './server.ts'

/** Starts a process of the API, which serves the surfaces of its configuration until a signal stops it. */
export async function runApi(config: Config, signals: Signals): Promise<void> {
  const log = createLogger('api', config.logLevel, tracedLog(config))
  const service = config.surfaces.has('play') ? 'api' : 'manage'
  const tracer = await openTracer(config.tracing, { service, log })
  const { deps, close } = createApiDeps(config, { log, tracer })
  let isStopping = false
  const started = startServing(config, deps, () => isStopping)
  stopOnSignals({
    log: deps.log,
    signals,
    started,
    timeoutMs: config.drainDelayMs + config.shutdownTimeoutMs,
    stop: async () => {
      const { server, otherServer, loops } = await started
      isStopping = true
      // Load balancers ask now and then; until they know, their requests are answered as before.
      await setTimeout(config.drainDelayMs)
      await server.stop()
      await otherServer?.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
      await deps.heartbeat.stop()
      await close()
      await tracer?.stop()
    },
  })
  const { server, otherServer } = await started
  const otherUrl =
    otherServer === undefined
      ? {}
      : { [config.surfaces.has('manage') ? 'adminUrl' : 'metricsUrl']: otherServer.url }
  deps.log.info(
    { url: server.url, ...otherUrl, surfaces: [...config.surfaces], queue: deps.backend.kind },
    'API listens',
  )
}

async function startServing(config: Config, deps: ApiDeps, hasStopped: () => boolean) {
  const { surfaces, adminPort, metricsPort } = config
  logPlainText(deps.log)
  refuseEviction(await deps.backend.evictionPolicy(), config)
  if (!isAdminKey(config.adminApiKey)) {
    deps.log.warn(
      'the admin key lacks the standard form, so it is not recognised in URLs and bodies: make one with node tools/make-secrets.mjs',
    )
  }
  if (config.isProduction && surfaces.has('play') && surfaces.has('manage')) {
    deps.log.warn(
      'players and management share this process: SURFACES=play for this one and npm run start:manage keep them apart',
    )
  }
  await deps.compareClocks.tryOnce()
  const onConnectionRefused = deps.metrics.observeRefusedConnection
  const serve = (served: ReadonlySet<RouteSurface>, options: Partial<ServerOptions> = {}) =>
    startServer(createApp(deps, hasStopped, served), { ...config, onConnectionRefused, ...options })
  const isSplit = adminPort !== undefined && surfaces.size > 1
  const onlyManages = !surfaces.has('play') && adminPort !== undefined
  const server = onlyManages
    ? await serve(surfaces, { port: adminPort })
    : await serve(isSplit ? new Set(['play']) : surfaces)
  let otherServer: RunningServer | undefined
  if (isSplit) {
    otherServer = await serve(new Set(['manage']), { port: adminPort })
  } else if (metricsPort !== undefined && !surfaces.has('manage')) {
    // Where management is served, its port has all metrics.
    otherServer = await startServer(createApp(deps, hasStopped, new Set(['metrics'])), {
      host: config.host,
      port: metricsPort,
      connectionsMax: metricsConnectionsMax,
    })
  }
  const { log, replica } = deps
  const loops = [
    startLoop({
      name: 'compare-clocks',
      runOnce: deps.compareClocks.runOnce,
      idleMs: compareIdleMs,
      log,
    }),
    startLoop({ name: 'heartbeat', runOnce: () => deps.heartbeat.beat(), idleMs: heartbeatIdleMs, log }),
    ...(replica === undefined
      ? []
      : [
          startLoop({
            name: 'compare-replica',
            runOnce: () => replica.runOnce(),
            idleMs: replicaIdleMs,
            log,
          }),
        ]),
  ]
  return { server, otherServer, loops }
}

/** A few Prometheus servers. */
const metricsConnectionsMax = 50
