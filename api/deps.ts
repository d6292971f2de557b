import type { RecordAudit } from '../core/audit/audit.ts'
import { createRecordAudit } from '../core/audit/record-audit.ts'
import { createBatcher } from '../core/batch/batcher.ts'
import type { Batcher } from '../core/batch/batcher.ts'
import { createOpenBoxes } from '../core/box/open-boxes.ts'
import type { OpenBoxRequest } from '../core/box/load-openers.ts'
import { createLoadActiveSeeds } from '../core/fairness/seeds.ts'
import type { LoadActiveSeeds } from '../core/fairness/seeds.ts'
import { createFindSettings } from '../core/casino/settings.ts'
import type { FindSettings } from '../core/casino/settings.ts'
import { createFailedAttempts } from '../core/casino/failed-attempts.ts'
import type { FailedAttempts } from '../core/casino/failed-attempts.ts'
import { createFindCaller } from '../core/casino/find-caller.ts'
import type { FindCaller } from '../core/casino/find-caller.ts'
import { createKeyUsage } from '../core/casino/key-usage.ts'
import type { KeyUsage } from '../core/casino/key-usage.ts'
import { createRequestCashbacks } from '../core/cashback/request-cashbacks.ts'
import { createEnvelopeCipher } from '../core/crypto/envelope.ts'
import type { EnvelopeCipher } from '../core/crypto/envelope.ts'
import type { Answer } from '../core/idempotency/idempotency.ts'
import { createRateLimiter } from '../core/limit/rate-limiter.ts'
import type { RateLimiter } from '../core/limit/rate-limiter.ts'
import { createShareBuckets } from '../core/limit/share-buckets.ts'
import { createHandOver } from '../core/outbox/hand-over.ts'
import type { HandOver } from '../core/outbox/hand-over.ts'
import { createHttpClient } from '../core/partner/http-client.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Clock } from '../core/platform/clock.ts'
import { createCompareClocks } from '../core/platform/compare-clocks.ts'
import type { CompareClocks } from '../core/platform/compare-clocks.ts'
import type { Config } from '../core/platform/config.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { openDatabase } from '../core/platform/database.ts'
import type { Database } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import type { Logger } from '../core/platform/logger.ts'
import { createPlaceOrders } from '../core/prize-order/place-orders.ts'
import type { PlaceOrderRequest } from '../core/prize-order/place-orders.ts'
import type { PrizeRequest } from '../core/prize/load-prizes.ts'
import { openQueueBackend } from '../core/queue/queue-backend.ts'
import type { QueueBackend } from '../core/queue/queue-backend.ts'
import { createQueues } from '../core/queue/queues.ts'
import type { Queues } from '../core/queue/queues.ts'
import { createApiMetrics } from './metrics.ts'
import type { ApiMetrics } from './metrics.ts'
import { cashbackRecordedBody, orderRecordedBody, renderOpening } from './success-body.ts'

/** Everything the endpoints work with. */
export interface ApiDeps {
  config: Config
  log: Logger
  /** What time it is: the database's, unless a test says otherwise. */
  clock: Clock
  /** A clock that nobody sets, for how long ago something was in this process. */
  nowMs: () => number
  databaseClock: DatabaseClock
  compareClocks: CompareClocks
  database: Database
  pingDatabase: () => Promise<void>
  backend: QueueBackend
  queues: Queues
  sendRequest: SendRequest
  handOver: HandOver
  cipher: EnvelopeCipher
  metrics: ApiMetrics
  findCaller: FindCaller
  /** Wrong keys of casinos, guesses at the admin key and wrong signatures of partners, each by address. */
  failedAttempts: FailedAttempts
  adminAttempts: FailedAttempts
  failedSignatures: FailedAttempts
  keyUsage: KeyUsage
  rateLimiter: RateLimiter
  findSettings: FindSettings
  recordAudit: RecordAudit
  loadActiveSeeds: LoadActiveSeeds
  openBox: Batcher<OpenBoxRequest, Answer>
  placeOrder: Batcher<PlaceOrderRequest, Answer>
  requestCashback: Batcher<PrizeRequest, Answer>
}

/** Opens and connects everything, lazily: a database or Redis that is away does not keep the API from starting. */
export function createApiDeps(
  config: Config,
  overrides: { clock?: Clock; log?: Logger; nowMs?: () => number } = {},
): { deps: ApiDeps; close: () => Promise<void> } {
  const log = overrides.log ?? createLogger('api', config.logLevel, config)
  const {
    database,
    clock: databaseClock,
    ping,
    close,
  } = openDatabase({ url: config.databaseUrl, poolMax: config.databasePoolMax, log })
  const clock = overrides.clock ?? databaseClock
  const nowMs = overrides.nowMs ?? monotonicMs
  const backend = openQueueBackend(config.queue, log)
  const queues = createQueues({ backend, log })
  const httpClient = createHttpClient({ allowPrivateAddresses: config.allowPrivateAddresses })
  const { handOver, settle } = createHandOver({ database, queues, log, rescueAfterMs: config.rescueAfterMs })
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  const loadActiveSeeds = createLoadActiveSeeds({ database, clock, cipher })
  const metrics = createApiMetrics({ database, databaseClock, queues })

  const keyUsage = createKeyUsage({ database, clock, log })
  const rateLimiter = createRateLimiter({ shareBuckets: createShareBuckets(backend.runScript), log })

  const keyOfPrize = (request: PrizeRequest) => `${request.casinoId}\n${request.prizeId}`
  const deps: ApiDeps = {
    config,
    log,
    clock,
    nowMs,
    databaseClock,
    compareClocks: createCompareClocks({ databaseClock, pingDatabase: ping, log }),
    database,
    pingDatabase: ping,
    backend,
    queues,
    sendRequest: httpClient.send,
    handOver,
    cipher,
    metrics,
    loadActiveSeeds,
    findSettings: createFindSettings({ database, cipher, clock }),
    recordAudit: createRecordAudit({ database }),
    findCaller: createFindCaller({ database, clock, hashSecret: config.hashSecret, log }),
    failedAttempts: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    // Apart from each other: none must be in the way of another.
    adminAttempts: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    failedSignatures: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    keyUsage,
    rateLimiter,
    openBox: createBatcher({
      process: createOpenBoxes({ database, clock, loadActiveSeeds, renderBody: renderOpening }),
      exclusiveKeyOf: (request) => `${request.casinoId}\n${request.playerId}`,
      onBatch: metrics.observeBatch('box_open'),
    }),
    placeOrder: createBatcher({
      process: createPlaceOrders({ database, clock, cipher, handOver, successBody: orderRecordedBody }),
      exclusiveKeyOf: keyOfPrize,
      onBatch: metrics.observeBatch('prize_order'),
    }),
    requestCashback: createBatcher({
      process: createRequestCashbacks({ database, clock, handOver, successBody: cashbackRecordedBody }),
      exclusiveKeyOf: keyOfPrize,
      onBatch: metrics.observeBatch('prize_cashback'),
    }),
  }
  return {
    deps,
    close: async () => {
      await settle()
      await rateLimiter.stop()
      await keyUsage.stop()
      await httpClient.close()
      await queues.close()
      await backend.close()
      await close()
    },
  }
}
