import { readConfig } from '../../core/platform/config.ts'
import { stopOnSignals } from '../../core/platform/lifecycle.ts'
import { watchSignals } from '../../core/platform/signals.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { creditCashback } from './credit-cashback.ts'
import { fulfilOrder } from './fulfil-order.ts'
import { openPrisma } from './prisma.ts'
import { openQueueConnection } from './queues.ts'
import type { CashbackJob, OrderJob } from './queues.ts'

const config = readConfig()
const log = createLogger('worker', config.logLevel)
const prisma = openPrisma(config)
const queueConnection = openQueueConnection(config)
const options = { concurrency: config.workerConcurrency }
const workers = [
  queueConnection.createWorker<OrderJob>(
    'fulfil-prize-order',
    (job) => fulfilOrder(prisma, job.data.orderId),
    options,
  ),
  queueConnection.createWorker<CashbackJob>(
    'credit-cashback',
    (job) => creditCashback(prisma, job.data.cashbackId),
    options,
  ),
]
for (const worker of workers) {
  worker.on('failed', (job, error) => {
    log.error({ err: error, jobId: job?.id }, 'job failed')
  })
  worker.on('error', (error) => {
    log.warn({ err: error }, 'worker error')
  })
}
stopOnSignals({
  signals: watchSignals(),
  log,
  timeoutMs: config.shutdownTimeoutMs,
  stop: async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await queueConnection.close()
    await prisma.$disconnect()
  },
})
