import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import type { Config } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions, stopOnSignals } from '../core/platform/lifecycle.ts'
import type { Stoppable } from '../core/platform/lifecycle.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { logPlainText } from '../core/platform/plain-text.ts'
import type { Signals } from '../core/platform/signals.ts'
import { refuseEviction } from '../core/queue/eviction.ts'
import type { JobWorker } from '../core/queue/queue-backend.ts'
import { tracedLog } from '../core/trace/log-fields.ts'
import { openTracer } from '../core/trace/open-tracer.ts'
import { createWorkerDeps } from './deps.ts'
import { startHealthServer } from './health-server.ts'
import type { HealthServer } from './health-server.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLoops } from './loops.ts'
import { startLoops } from './start-loops.ts'
import { waitForTables } from './wait-for-tables.ts'
import { startLines, startWorkers, stopWorkers } from './workers.ts'

/** Runs the worker, with the settings in the environment. */
export function runProgram(signals: Signals): Promise<void> {
  return runMain(serviceHelp('start:worker', 'a worker'), async (args) => {
    parseArgs({ args, options: serviceOptions })
    await runWorker(readConfig(), signals)
    return exitCodes.done
  })
}

async function runWorker(config: Config, signals: Signals): Promise<void> {
  const log = createLogger('worker', config.logLevel, tracedLog(config))
  const tracer = await openTracer(config.tracing, { service: 'worker', log })
  const { deps, close } = createWorkerDeps(config, { log, tracer })
  const heartbeats = createHeartbeats()
  const workers: JobWorker[] = []
  const loops: Stoppable[] = []
  const lines = startLines(deps)
  let healthServer: HealthServer | undefined
  let stopNow: (exitCode: ExitCode) => void = () => undefined

  const start = async () => {
    logPlainText(log)
    refuseEviction(await deps.backend.evictionPolicy(), config)
    const findProblems = () => [
      ...heartbeats.findLate(),
      ...workers.filter((worker) => !worker.isRunning()).map((worker) => worker.name),
    ]
    // First of all: a taken port shows before any work is begun.
    if (config.workerPort !== undefined) {
      const address = { host: config.host, port: config.workerPort }
      healthServer = await startHealthServer(deps, address, findProblems)
    }
    if (!(await waitForTables(deps, signals.stopping))) return
    await deps.compareClocks.tryOnce()
    workers.push(...startWorkers(deps))
    const endStuckWorker = () => {
      if (!signals.stopping.aborted) stopNow(exitCodes.failed)
    }
    loops.push(...startLoops(deps, createLoops(deps, lines, endStuckWorker), heartbeats))
    log.info({ queue: deps.backend.kind, url: healthServer?.url }, 'worker runs')
  }
  const started = start()
  ;({ stopNow } = stopOnSignals({
    log,
    signals,
    started,
    timeoutMs: config.shutdownTimeoutMs,
    stop: async () => {
      await healthServer?.stop()
      // Together: with a Redis that hangs, each takes seconds.
      await Promise.all([
        ...loops.map((loop) => loop.stop()),
        stopWorkers(workers, lines, config.shutdownTimeoutMs / 2),
      ])
      await deps.heartbeat.stop()
      await close()
      await tracer?.stop()
    },
  }))
  await started
}
