import { setTimeout } from 'node:timers/promises'
import { ConfigError, readConfig } from '../core/platform/config.ts'
import { stopOnSignals } from '../core/platform/lifecycle.ts'
import { createApp } from './app.ts'
import { createApiDeps } from './deps.ts'
import { startServer } from './server.ts'

try {
  const config = readConfig()
  const { deps, close } = createApiDeps(config)
  let isStopping = false
  const server = await startServer(
    createApp(deps, () => isStopping),
    { ...config, onConnectionRefused: deps.metrics.observeRefusedConnection },
  )
  stopOnSignals({
    log: deps.log,
    timeoutMs: config.drainDelayMs + config.shutdownTimeoutMs,
    stop: async () => {
      isStopping = true
      // Load balancers ask now and then; until they know, what they still send is answered as ever.
      await setTimeout(config.drainDelayMs)
      await server.stop()
      await close()
    },
  })
  deps.log.info({ url: server.url, queue: deps.backend.kind }, 'API listens')
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(
    error instanceof ConfigError
      ? `Bad configuration: ${reason.replaceAll('\n', '; ')}`
      : `Cannot start: ${reason}`,
  )
  process.exit(1)
}
