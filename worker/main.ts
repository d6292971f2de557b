import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions, startLoop, stopOnSignals } from '../core/platform/lifecycle.ts'
import type { Stoppable } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import type { JobWorker } from '../core/queue/queue-backend.ts'
import { createWorkerDeps } from './deps.ts'
import { startHealthServer } from './health-server.ts'
import { createHeartbeats } from './heartbeats.ts'
import { fanOutOnce } from './maintenance/fan-out-events.ts'
import { pruneIdempotencyOnce } from './maintenance/prune-idempotency.ts'
import { pruneWebhooksOnce } from './maintenance/prune-webhooks.ts'
import { relayOutbox } from './maintenance/relay-outbox.ts'
import { createWatchLiveness, watchLivenessIdleMs } from './maintenance/watch-liveness.ts'
import { startWorkers, stopWorkers } from './workers.ts'

const relayIdleMs = 250
const revealIdleMs = 5_000
const eraseIdleMs = 20_000
const chainIdleMs = 2_000
const rotateIdleMs = 10_000
const expireIdleMs = 5_000
const warnIdleMs = 20_000
const fanOutIdleMs = 250
const pruneIdleMs = 30_000

await runMain(serviceHelp('start:worker', 'a worker'), async (args) => {
  parseArgs({ args, options: serviceOptions })
  const config = readConfig()
  const { deps, close } = createWorkerDeps(config)
  const { log } = deps
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

  workers.push(...startWorkers(deps))
  const loops: Stoppable[] = []
  const start = (name: string, runOnce: () => Promise<number>, idleMs: number) => {
    loops.push(startLoop({ name, runOnce: heartbeats.watch(name, runOnce), idleMs, log }))
  }
  let isStopping = false
  const { stopNow } = stopOnSignals({
    log,
    timeoutMs: config.shutdownTimeoutMs,
    stop: async () => {
      isStopping = true
      await healthServer?.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
      await stopWorkers(workers, config.shutdownTimeoutMs / 2)
      await close()
    },
  })
  const endStuckWorker = () => {
    if (!isStopping) stopNow(exitCodes.failed)
  }
  start('relay-outbox', () => relayOutbox(deps), relayIdleMs)
  start('fan-out-events', () => fanOutOnce(deps), fanOutIdleMs)
  start('prune-webhooks', () => pruneWebhooksOnce(deps), pruneIdleMs)
  start('prune-idempotency', () => pruneIdempotencyOnce(deps), pruneIdleMs)
  start('rotate-seeds', deps.rotateSeeds, rotateIdleMs)
  start('reveal-seeds', deps.revealSeeds, revealIdleMs)
  start('expire-prizes', deps.expirePrizes, expireIdleMs)
  start('warn-expiring', deps.warnExpiring, warnIdleMs)
  start('chain-audit', deps.chainAudit, chainIdleMs)
  start('erase-deliveries', deps.eraseDeliveries, eraseIdleMs)
  start('drop-secrets', deps.dropExpiredSecrets, eraseIdleMs)
  start('watch-liveness', createWatchLiveness(deps, endStuckWorker), watchLivenessIdleMs)
  log.info({ queue: deps.backend.kind, url: healthServer?.url }, 'worker runs')
  return exitCodes.done
})
