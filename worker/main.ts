import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions, startLoop, stopOnSignals } from '../core/platform/lifecycle.ts'
import type { Stoppable } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { logPlainText } from '../core/platform/plain-text.ts'
import { refuseEviction } from '../core/queue/eviction.ts'
import type { JobWorker } from '../core/queue/queue-backend.ts'
import { createWorkerDeps } from './deps.ts'
import { startHealthServer } from './health-server.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLoops } from './loops.ts'
import { waitForTables } from './wait-for-tables.ts'
import { startLines, startWorkers, stopWorkers } from './workers.ts'

await runMain(serviceHelp('start:worker', 'a worker'), async (args) => {
  parseArgs({ args, options: serviceOptions })
  const config = readConfig()
  const { deps, close } = createWorkerDeps(config)
  const { log } = deps
  logPlainText(log)
  refuseEviction(await deps.backend.evictionPolicy(), config)
  const heartbeats = createHeartbeats()
  const workers: JobWorker[] = []
  const findProblems = () => [
    ...heartbeats.findLate(),
    ...workers.filter((worker) => !worker.isRunning()).map((worker) => worker.name),
  ]
  // First of all: a taken port shows before any work is begun.
  const healthServer =
    config.workerPort === undefined
      ? undefined
      : await startHealthServer(deps, { host: config.host, port: config.workerPort }, findProblems)

  const loops: Stoppable[] = []
  const lines = startLines(deps)
  const stopping = new AbortController()
  const { stopNow } = stopOnSignals({
    log,
    timeoutMs: config.shutdownTimeoutMs,
    stop: async () => {
      stopping.abort()
      await healthServer?.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
      await stopWorkers(workers, lines, config.shutdownTimeoutMs / 2)
      await close()
    },
  })
  const endStuckWorker = () => {
    if (!stopping.signal.aborted) stopNow(exitCodes.failed)
  }
  if (!(await waitForTables(deps, stopping.signal))) return exitCodes.done
  await deps.compareClocks.tryOnce()
  workers.push(...startWorkers(deps))
  for (const { name, runOnce, idleMs } of createLoops(deps, lines, endStuckWorker)) {
    loops.push(startLoop({ name, runOnce: heartbeats.watch(name, runOnce), idleMs, log }))
  }
  log.info({ queue: deps.backend.kind, url: healthServer?.url }, 'worker runs')
  return exitCodes.done
})
