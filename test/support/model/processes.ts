import { openDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { sql } from '../../../core/platform/sql.ts'
import { createClient } from '../client.ts'
import { createTestEnv } from '../config.ts'
import { createFactory } from '../factory.ts'
import { startProcess } from '../processes.ts'
import type { ServiceProcess } from '../processes.ts'
import { wakeCasino } from './machine.ts'
import type { RunnableMachine } from './run-model.ts'

export interface Processes extends RunnableMachine {
  stop(): Promise<void>
}

const workersMax = 2

/**
 * The service as it runs in production: an API and up to two workers, each a process that is killed when it is to stop.
 * Their clock is the real one, so time that passes is time that rows are moved into the past.
 */
export async function startProcesses(backend: 'redis' | 'postgres'): Promise<Processes> {
  const env = await createTestEnv(backend)
  const log = createLogger('test', 'silent')
  const { database, close } = openDatabase({ url: env['DATABASE_URL'] ?? '', poolMax: 5, log })
  const factory = createFactory(database, env['HASH_SECRET'] ?? '')
  let api = await startProcess('api', env)
  let workers: ServiceProcess[] = []

  const startWorker = async () => {
    if (workers.length < workersMax) workers.push(await startProcess('worker', env))
  }
  return {
    database,
    client: () => createClient(api.url),
    now: () => new Date(),
    passTime: moveIntoPast,
    // The workers do it themselves.
    sweepPrizes: () => Promise.resolve(),
    countWorkers: () => workers.length,
    startWorker,
    stopWorker: async () => {
      await workers.shift()?.kill()
    },
    restartWorkers: async () => {
      const running = workers
      workers = []
      await Promise.all(running.map((worker) => worker.kill()))
      await startWorker()
    },
    killApi: async () => {
      await api.kill()
      api = await startProcess('api', env)
    },
    settleBoundMs: 60_000,
    createCasino: () => factory.casino(),
    stop: async () => {
      await Promise.all([...workers, api].map((process) => process.kill()))
      await close()
    },
  }

  /** Leases, snoozes and last days end so much earlier; work that is no longer snoozed is due. */
  async function moveIntoPast(casinoId: string, ms: number): Promise<void> {
    const by = sql`${ms}::float8 * interval '1 millisecond'`
    await database.$executeRaw`
      UPDATE prize SET expires_at = expires_at - ${by} WHERE casino_id = ${casinoId}::text AND expires_at IS NOT NULL`
    await database.$executeRaw`
      UPDATE prize_order SET attempt_until = attempt_until - ${by}, next_poll_at = next_poll_at - ${by},
                             announced_at = announced_at - ${by}
       WHERE casino_id = ${casinoId}::text`
    await database.$executeRaw`
      UPDATE cashback SET attempt_until = attempt_until - ${by}
       WHERE casino_id = ${casinoId}::text AND attempt_until IS NOT NULL`
    await database.$executeRaw`
      UPDATE webhook_delivery SET attempt_until = attempt_until - ${by}
       WHERE casino_id = ${casinoId}::text AND attempt_until IS NOT NULL`
    await database.$executeRaw`
      UPDATE outbox SET snoozed_until = snoozed_until - ${by}, due_at = due_at - ${by}
       WHERE snoozed_until IS NOT NULL
         AND object_id IN (SELECT id FROM prize_order WHERE casino_id = ${casinoId}::text
                            UNION ALL SELECT id FROM cashback WHERE casino_id = ${casinoId}::text
                            UNION ALL SELECT id FROM webhook_delivery WHERE casino_id = ${casinoId}::text)`
    await wakeCasino(database, casinoId, new Date())
  }
}
