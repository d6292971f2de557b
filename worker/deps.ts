import { createSlotsOfKinds } from '../core/outbound/slots-of-kinds.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import { createPauseSetting } from '../core/casino/pause-setting.ts'
import { createFindSettings } from '../core/casino/settings.ts'
import { createEnvelopeCipher } from '../core/crypto/envelope.ts'
import { createHttpClient } from '../core/partner/http-client.ts'
import { tracedSend } from '../core/partner/traced-send.ts'
import { createHandOver } from '../core/outbox/hand-over.ts'
import type { Clock } from '../core/platform/clock.ts'
import { createCompareClocks } from '../core/platform/compare-clocks.ts'
import type { CompareClocks } from '../core/platform/compare-clocks.ts'
import type { Config } from '../core/platform/config.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import type { Logger } from '../core/platform/logger.ts'
import { createHeartbeat } from '../core/process/heartbeat.ts'
import type { Heartbeat } from '../core/process/heartbeat.ts'
import { createProcessCounts } from '../core/process/process-counts.ts'
import { openQueueBackend } from '../core/queue/queue-backend.ts'
import type { QueueBackend } from '../core/queue/queue-backend.ts'
import { createQueues } from '../core/queue/queues.ts'
import type { Queues } from '../core/queue/queues.ts'
import type { Tracer } from '../core/trace/tracer.ts'
import { createJobActivity } from './job-activity.ts'
import type { JobActivity } from './job-activity.ts'
import { createProcessors } from './jobs.ts'
import type { JobDeps, Processors } from './jobs.ts'
import { createWorkerMetrics } from './metrics.ts'

/** Everything the processors and the maintenance work with. */
export interface WorkerDeps extends JobDeps {
  config: Config
  databaseClock: DatabaseClock
  compareClocks: CompareClocks
  pingDatabase: () => Promise<void>
  backend: QueueBackend
  queues: Queues
  heartbeat: Heartbeat
  activity: JobActivity
  processors: Processors
}

export function createWorkerDeps(
  config: Config,
  overrides: { clock?: Clock; log?: Logger; tracer?: Tracer | undefined } = {},
): { deps: WorkerDeps; close: () => Promise<void> } {
  const log = overrides.log ?? createLogger('worker', config.logLevel, config)
  const {
    database,
    clock: databaseClock,
    ping,
    inUse,
    close,
  } = openDatabase({ url: config.databaseUrl, poolMax: config.databasePoolMax, log })
  const clock = overrides.clock ?? databaseClock
  const backend = openQueueBackend(config.queue, log)
  const counts = createProcessCounts(clock)
  const queues = createQueues({
    backend,
    log,
    onAdded: (name, count) => {
      counts.count(`${name}.in`, count)
    },
  })
  const { tracer } = overrides
  const { handOver, settle } = createHandOver({
    database,
    queues,
    log,
    tracer,
    rescueAfterMs: config.rescueAfterMs,
  })
  const httpClient = createHttpClient({ allowPrivateAddresses: config.allowPrivateAddresses })
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  const findSettings = createFindSettings({ database, cipher, clock })
  const pauseSetting = createPauseSetting({ database, clock, log })
  const metrics = createWorkerMetrics({ clock, databaseClock, pools: { worker: inUse } })
  const callSlots = createSlotsOfKinds({ totalMax: config.workerConcurrency, nowMs: monotonicMs })
  const jobDeps: JobDeps = {
    database,
    clock,
    log,
    tracer,
    cipher,
    handOver,
    findSettings,
    pauseSetting,
    metrics,
    callSlots,
    sendRequest: tracedSend(httpClient.send),
    partnerNames: httpClient.names,
  }
  const deps: WorkerDeps = {
    ...jobDeps,
    config,
    databaseClock,
    backend,
    queues,
    compareClocks: createCompareClocks({ databaseClock, pingDatabase: ping, log }),
    pingDatabase: ping,
    heartbeat: createHeartbeat({ database, clock, kind: 'worker', counts, log }),
    activity: createJobActivity((name, end) => {
      counts.count(`${name}.${end}`)
    }),
    processors: createProcessors(jobDeps),
  }
  return {
    deps,
    close: async () => {
      await settle()
      await httpClient.close()
      await queues.close()
      await backend.close()
      await close()
    },
  }
}
