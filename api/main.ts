import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isAdminKey } from '../core/casino/api-key.ts'
import { compareIdleMs } from '../core/platform/compare-clocks.ts'
import { readConfig } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions, startLoop, stopOnSignals } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { logPlainText } from '../core/platform/plain-text.ts'
import { refuseEviction } from '../core/queue/eviction.ts'
import { createApp } from './app.ts'
import { createApiDeps } from './deps.ts'
import { startServer } from './server.ts'

await runMain(serviceHelp('start:api', 'the API'), async (args) => {
  parseArgs({ args, options: serviceOptions })
  const config = readConfig()
  const { deps, close } = createApiDeps(config)
  logPlainText(deps.log)
  refuseEviction(await deps.backend.evictionPolicy(), config)
  if (!isAdminKey(config.adminApiKey)) {
    deps.log.warn(
      'the admin key is not in the form by which keys are recognised where they do not belong: node tools/make-secrets.mjs makes one',
    )
  }
  let isStopping = false
  await deps.compareClocks.tryOnce()
  const server = await startServer(
    createApp(deps, () => isStopping),
    { ...config, onConnectionRefused: deps.metrics.observeRefusedConnection },
  )
  const comparing = startLoop({
    name: 'compare-clocks',
    runOnce: deps.compareClocks.runOnce,
    idleMs: compareIdleMs,
    log: deps.log,
  })
  stopOnSignals({
    log: deps.log,
    timeoutMs: config.drainDelayMs + config.shutdownTimeoutMs,
    stop: async () => {
      isStopping = true
      // Load balancers ask now and then; until they know, what they still send is answered as ever.
      await setTimeout(config.drainDelayMs)
      await server.stop()
      await comparing.stop()
      await close()
    },
  })
  deps.log.info({ url: server.url, queue: deps.backend.kind }, 'API listens')
  return exitCodes.done
})
