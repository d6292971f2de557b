import { ConfigError, readConfig } from '../core/platform/config.ts'
import { startLoop, stopOnSignals } from '../core/platform/lifecycle.ts'
import { createWorkerDeps } from './deps.ts'
import { relayOutbox } from './maintenance/relay-outbox.ts'
import { startWorkers, stopWorkers } from './workers.ts'

const relayIdleMs = 250

try {
  const config = readConfig()
  const { deps, close } = createWorkerDeps(config)
  const workers = startWorkers(deps)
  const relay = startLoop({
    name: 'relay-outbox',
    runOnce: () => relayOutbox(deps),
    idleMs: relayIdleMs,
    log: deps.log,
  })
  stopOnSignals({
    log: deps.log,
    timeoutMs: config.shutdownTimeoutMs,
    stop: async () => {
      await relay.stop()
      await stopWorkers(workers, config.shutdownTimeoutMs / 2)
      await close()
    },
  })
  deps.log.info({ queue: deps.backend.kind }, 'worker runs')
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(
    error instanceof ConfigError
      ? `Bad configuration: ${reason.replaceAll('\n', '; ')}`
      : `Cannot start: ${reason}`,
  )
  process.exit(1)
}
