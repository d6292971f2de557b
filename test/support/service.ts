import { createApp } from '../../api/app.ts'
import { createApiDeps } from '../../api/deps.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { startServer } from '../../api/server.ts'
import type { Clock } from '../../core/platform/clock.ts'
import { readConfig } from '../../core/platform/config.ts'
import type { Database } from '../../core/platform/database.ts'
import { startLoop } from '../../core/platform/lifecycle.ts'
import { createLogger } from '../../core/platform/logger.ts'
import type { Logger } from '../../core/platform/logger.ts'
import { openTracer } from '../../core/trace/open-tracer.ts'
import type { Tracer } from '../../core/trace/tracer.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import type { WorkerDeps } from '../../worker/deps.ts'
import { createFanOutLoop } from '../../worker/maintenance/fan-out-events.ts'
import { relayOutbox } from '../../worker/maintenance/relay-outbox.ts'
import { startLines, startWorkers, stopWorkers } from '../../worker/workers.ts'
import { createTestEnv } from './config.ts'
import type { Env } from './config.ts'
import { usualBackend } from './environment.ts'
import { untilTransactionsEnd } from './ended-transactions.ts'
import { eventually } from './eventually.ts'
import { createFactory } from './factory.ts'
import type { Factory } from './factory.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'

/** A running worker inside the test process. */
export interface TestWorker {
  deps: WorkerDeps
  stop(): Promise<void>
}

/** A running API inside the test process, with a database of its own. */
export interface TestService {
  env: Env
  url: string
  deps: ApiDeps
  database: Database
  factory: Factory
  client: Client
  /** Starts a worker on the same database and queues; it stops with the service. */
  startWorker(options?: { lookAtLinesMs?: number }): TestWorker
  /** Resolves when nothing is left to do now: the outbox is empty, except for snoozed work. Needs a worker. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the API as `api/main.ts` does, on a free port, with a database of its own unless `env` brings one. Without a
 * worker: work stays in the outbox until one is started.
 */
export async function startService(
  options: {
    backend?: 'redis' | 'postgres'
    env?: Env
    clock?: Clock
    nowMs?: () => number
    log?: Logger
  } = {},
): Promise<TestService> {
  const env = await createTestEnv(options.backend ?? usualBackend, options.env)
  const config = readConfig(env)
  const log = options.log ?? createLogger('api', config.logLevel, config)
  const tracer = await openTracer(config.tracing, { service: 'api', log })
  const overrides = {
    tracer,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.nowMs === undefined ? {} : { nowMs: options.nowMs }),
    ...(options.log === undefined ? {} : { log: options.log }),
  }
  // A scrape shows what has just been done.
  const { deps, close } = createApiDeps(config, { ...overrides, keepScrapedMs: 0 })
  // As the program does: before its first connection, Redis refuses all commands.
  await deps.backend.evictionPolicy()
  const server = await startServer(createApp(deps), config)
  const workers: TestWorker[] = []
  return {
    env,
    url: server.url,
    deps,
    database: deps.database,
    factory: createFactory(deps.database, config.hashSecret),
    client: createFeedClient(deps.database, createClient(server.url, { basePath: config.basePath })),
    startWorker: (lines) => {
      const worker = startTestWorker(env, overrides, lines)
      workers.push(worker)
      return worker
    },
    drain: () => drainOutbox(deps.database),
    stop: async () => {
      for (const worker of workers) await worker.stop()
      await server.stop()
      await close()
      await tracer?.stop()
    },
  }
}

/** A client for which the feed of events has what was written before. */
function createFeedClient(database: Database, client: Client): Client {
  return {
    ...client,
    send: async (method, path, init) => {
      if (method === 'GET' && /\/events(\?|$)/.test(path)) await untilTransactionsEnd(database)
      return client.send(method, path, init)
    },
  }
}

/** Starts a worker as `worker/main.ts` does. Its loops look more often, that of the lines as often as asked for. */
export function startTestWorker(
  env: Env,
  overrides: { clock?: Clock; log?: Logger; tracer?: Tracer | undefined } = {},
  { lookAtLinesMs = 50 }: { lookAtLinesMs?: number } = {},
): TestWorker {
  const { deps, close } = createWorkerDeps(readConfig(env), overrides)
  const workers = startWorkers(deps)
  const lines = startLines(deps)
  const serving = startLoop({
    name: 'serve-lines',
    runOnce: lines.lookOnce,
    idleMs: lookAtLinesMs,
    log: deps.log,
  })
  const relay = startLoop({
    name: 'relay-outbox',
    runOnce: () => relayOutbox(deps),
    idleMs: 50,
    log: deps.log,
  })
  const fanOut = startLoop({
    name: 'fan-out-events',
    runOnce: createFanOutLoop(deps),
    idleMs: 50,
    log: deps.log,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await relay.stop()
    await serving.stop()
    await fanOut.stop()
    await stopWorkers(workers, lines, 2_000)
    await close()
  }
  return { deps, stop: () => (stopping ??= stop()) }
}

export async function drainOutbox(database: Database): Promise<void> {
  await eventually(
    'the outbox is empty but for what rests',
    async () => (await database.outbox.count({ where: { snoozedUntil: null } })) === 0,
  )
}
