import { createServer } from 'node:http'
import { systemClock } from '../../core/platform/clock.ts'
import { createFindCaller } from '../../core/casino/find-caller.ts'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { readConfig } from '../../core/platform/config.ts'
import { openDatabase } from '../../core/platform/database.ts'
import { stopOnSignals } from '../../core/platform/lifecycle.ts'
import { watchSignals } from '../../core/platform/signals.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { createApp } from './app.ts'
import { createOpenBox } from './open-box.ts'
import { createPlaceOrder } from './place-order.ts'
import { openPrisma } from './prisma.ts'
import { openQueueConnection, openQueues } from './queues.ts'
import { createRequestCashback } from './request-cashback.ts'

const config = readConfig()
const log = createLogger('api', config.logLevel)
const prisma = openPrisma(config)
// The look-up of keys, which both services cache.
const keys = openDatabase({ url: config.databaseUrl, poolMax: 1, log })
const queueConnection = openQueueConnection(config)
const queues = openQueues(queueConnection, config.keepCompletedJobs)
const app = createApp({
  log,
  findCaller: createFindCaller({
    database: keys.database,
    clock: systemClock,
    hashSecret: config.hashSecret,
    log,
  }),
  placeOrder: createPlaceOrder({ prisma, queues, cipher: createEnvelopeCipher(config.encryptionKeys) }),
  requestCashback: createRequestCashback({ prisma, queues }),
  openBox: createOpenBox({ prisma }),
})
const handle = app.callback()
const server = createServer((request, response) => void handle(request, response))
server.listen(config.port, config.host)
stopOnSignals({
  signals: watchSignals(),
  log,
  timeoutMs: config.shutdownTimeoutMs,
  stop: async () => {
    server.close()
    server.closeAllConnections()
    await Promise.all([queues.orders.close(), queues.cashbacks.close()])
    await queueConnection.close()
    await prisma.$disconnect()
    await keys.close()
  },
})
