import { expirePrizes } from '../../../core/box/expire-prizes.ts'
import { warnExpiring } from '../../../core/prize/warn-expiring.ts'
import { startService } from '../service.ts'
import type { TestWorker } from '../service.ts'
import { wakeCasino } from './machine.ts'
import type { RunnableMachine } from './run-model.ts'

export interface InProcess extends RunnableMachine {
  stop(): Promise<void>
}

const workersMax = 2

/** The service in this process, with a clock that goes as the model says, and up to two workers. */
export async function startMachine(backend: 'redis' | 'postgres'): Promise<InProcess> {
  let now = new Date()
  const service = await startService({ backend, clock: { now: () => now } })
  const { database, client, factory } = service
  let workers: TestWorker[] = []

  const startWorker = () => {
    if (workers.length < workersMax) workers.push(service.startWorker())
    return Promise.resolve()
  }
  const stopWorker = async () => {
    const worker = workers.shift()
    await worker?.stop()
  }
  return {
    database,
    client: () => client,
    now: () => now,
    passTime: async (casinoId, ms) => {
      now = new Date(now.getTime() + ms)
      await wakeCasino(database, casinoId, now)
    },
    sweepPrizes: async () => {
      const [worker] = workers
      if (worker === undefined) return
      while ((await expirePrizes(worker.deps)) > 0);
      while ((await warnExpiring(worker.deps)) > 0);
    },
    countWorkers: () => workers.length,
    startWorker,
    stopWorker,
    restartWorkers: async () => {
      const running = workers
      workers = []
      await Promise.all(running.map((worker) => worker.stop()))
      await startWorker()
    },
    settleBoundMs: 60_000,
    createCasino: () => factory.casino(),
    stop: () => service.stop(),
  }
}
