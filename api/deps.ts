import { createRecordAudit } from '../core/audit/record-audit.ts'
import type { Batcher } from '../core/batch/batcher.ts'
import { createLaneBatcher } from '../core/batch/lane-batcher.ts'
import { createOpenBoxes } from '../core/box/open-boxes.ts'
import type { OpenBoxRequest } from '../core/box/load-openers.ts'
import { shareHolderOf } from '../core/casino/sandbox.ts'
import { createSeenKeys } from '../core/casino/seen-keys.ts'
import type { SeenKeys } from '../core/casino/seen-keys.ts'
import { createFailedAttempts } from '../core/casino/failed-attempts.ts'
import type { FailedAttempts } from '../core/casino/failed-attempts.ts'
import { createRequestCashbacks } from '../core/cashback/request-cashbacks.ts'
import { createEnvelopeCipher } from '../core/crypto/envelope.ts'
import type { EnvelopeCipher } from '../core/crypto/envelope.ts'
import type { Answer } from '../core/idempotency/idempotency.ts'
import { createRunProbe } from '../core/limit/probe-slots.ts'
import type { RunProbe } from '../core/limit/probe-slots.ts'
import { createRateLimiter } from '../core/limit/rate-limiter.ts'
import type { RateLimiter } from '../core/limit/rate-limiter.ts'
import { createShareBuckets } from '../core/limit/share-buckets.ts'
import { createIdentityProvider } from '../core/operator/identity-provider.ts'
import type { IdentityProvider } from '../core/operator/identity-provider.ts'
import { callSlots, createCodeAttempts, createSignInGuard } from '../core/operator/sign-in-guard.ts'
import type { SignInGuard } from '../core/operator/sign-in-guard.ts'
import { createHttpClient } from '../core/partner/http-client.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import { tracedSend } from '../core/partner/traced-send.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Clock } from '../core/platform/clock.ts'
import { createCompareClocks } from '../core/platform/compare-clocks.ts'
import type { CompareClocks } from '../core/platform/compare-clocks.ts'
import type { Config } from '../core/platform/config.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import type { Logger } from '../core/platform/logger.ts'
import type { Surface } from '../core/platform/surfaces.ts'
import { createPlaceOrders } from '../core/prize-order/place-orders.ts'
import type { PlaceOrderRequest } from '../core/prize-order/place-orders.ts'
import type { PrizeRequest } from '../core/prize/load-prizes.ts'
import { createHeartbeat } from '../core/process/heartbeat.ts'
import type { Heartbeat } from '../core/process/heartbeat.ts'
import { createProcessCounts } from '../core/process/process-counts.ts'
import { openQueueBackend } from '../core/queue/queue-backend.ts'
import type { QueueBackend } from '../core/queue/queue-backend.ts'
import { createQueues } from '../core/queue/queues.ts'
import type { Queues } from '../core/queue/queues.ts'
import type { Tracer } from '../core/trace/tracer.ts'
import { createApiMetrics } from './metrics.ts'
import type { ApiMetrics } from './metrics.ts'
import { openReplica } from './open-replica.ts'
import { createRequestSlots, readPoolMax } from './request-slots.ts'
import type { RequestSlots } from './request-slots.ts'
import { cashbackRecorded, orderRecorded, renderOpening } from './success-body.ts'
import { createSurfaceDeps } from './surface-deps.ts'
import type { SurfaceDeps } from './surface-deps.ts'

/** Probes and scrapes: two connections for a scrape, which takes no more, and one for a probe. */
const watchPoolMax = 3

/**
 * The dependencies of the endpoints: those of players' requests and, in `manage`, the ones that other requests use
 * instead.
 */
export interface ApiDeps extends SurfaceDeps, RequestSlots {
  config: Config
  log: Logger
  /** Undefined where tracing is off. */
  tracer: Tracer | undefined
  /** The current time: the database's, unless a test sets another. */
  clock: Clock
  /** A clock that is never set, for how long ago something was in this process. */
  nowMs: () => number
  databaseClock: DatabaseClock
  compareClocks: CompareClocks
  manage: SurfaceDeps
  /** For reads, instead of players' connections: the catalogue and the evidence of draws. */
  reads: Pick<SurfaceDeps, 'database' | 'recordAudit'>
  replica: ReturnType<typeof openReplica>
  pingDatabase: () => Promise<void>
  heartbeat: Heartbeat
  backend: QueueBackend
  queues: Queues
  sendRequest: SendRequest
  /** Bounds the calls of partners that people ask for. */
  runProbe: RunProbe
  cipher: EnvelopeCipher
  metrics: ApiMetrics
  /** Wrong keys of casinos, guesses at the admin key and wrong signatures of partners, each by address. */
  failedAttempts: FailedAttempts
  adminAttempts: FailedAttempts
  failedSignatures: FailedAttempts
  /** Wrong passwords and codes of operators. */
  signInGuard: SignInGuard
  codeAttempts: FailedAttempts
  /** Refusals by identity providers, and of people who come from there. */
  singleSignOnGuard: SignInGuard
  /** Where operators may sign in instead; undefined where none is configured. */
  identityProvider: IdentityProvider | undefined
  rateLimiter: RateLimiter
  seenKeys: SeenKeys
  openBox: Batcher<OpenBoxRequest, Answer>
  placeOrder: Batcher<PlaceOrderRequest, Answer>
  requestCashback: Batcher<PrizeRequest, Answer>
}

/** Opens and connects everything, lazily: a database or Redis that is away does not keep the API from starting. */
export function createApiDeps(
  config: Config,
  overrides: {
    clock?: Clock
    log?: Logger
    tracer?: Tracer | undefined
    nowMs?: () => number
    keepScrapedMs?: number
  } = {},
): { deps: ApiDeps; close: () => Promise<void> } {
  const log = overrides.log ?? createLogger('api', config.logLevel, config)
  const pool = openDatabase({ url: config.databaseUrl, poolMax: config.databasePoolMax, log })
  const managePool = pool.openAnother(config.databasePoolMax)
  const readPool = pool.openAnother(readPoolMax)
  const watchPool = pool.openAnother(watchPoolMax)
  const { clock: databaseClock } = pool
  const clock = overrides.clock ?? databaseClock
  const nowMs = overrides.nowMs ?? monotonicMs
  const backend = openQueueBackend(config.queue, log)
  const counts = createProcessCounts(clock)
  const queues = createQueues({
    backend,
    log,
    onAdded: (name, count) => {
      counts.count(`${name}.in`, count)
    },
  })
  const httpClient = createHttpClient({ allowPrivateAddresses: config.allowPrivateAddresses })
  // The provider is the operator's own choice: it may well be in the same private network.
  const providerClient = createHttpClient({ allowPrivateAddresses: true })
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  const { tracer } = overrides
  const shared = { config, clock, cipher, queues, log, tracer }
  const play = createSurfaceDeps({ ...shared, database: pool.database })
  const manage = createSurfaceDeps({ ...shared, database: managePool.database })
  const { database, handOver, loadActiveSeeds } = play.deps
  const kind = config.surfaces.has('play') ? 'api' : 'manage'
  const replica = openReplica({ config, primary: managePool.database, log, nowMs })
  const metrics = createApiMetrics({
    onOperation: (operation, end) => {
      counts.count(`${operation}.${end}`)
    },
    program: kind,
    databaseClock,
    pools: { play: pool.inUse, manage: managePool.inUse, reads: readPool.inUse, watch: watchPool.inUse },
    replica,
    nowMs,
    keepScrapedMs: overrides.keepScrapedMs,
    ...(config.surfaces.has('manage')
      ? { state: { database: watchPool.database, pingDatabase: watchPool.ping, queues, log } }
      : {}),
  })
  const rateLimiter = createRateLimiter({ shareBuckets: createShareBuckets(backend.runScript), log })

  const casinoOf = (request: { casinoId: string }) => request.casinoId
  const keyOfPrize = (request: PrizeRequest) => `${request.casinoId}\n${request.prizeId}`
  const deps: ApiDeps = {
    ...play.deps,
    manage: manage.deps,
    reads: {
      database: readPool.database,
      recordAudit: createRecordAudit({ database: readPool.database, hashSecret: config.hashSecret }),
    },
    ...createRequestSlots(config),
    config,
    log,
    tracer,
    clock,
    nowMs,
    databaseClock,
    compareClocks: createCompareClocks({ databaseClock, pingDatabase: watchPool.ping, log }),
    replica,
    pingDatabase: watchPool.ping,
    heartbeat: createHeartbeat({
      database: watchPool.database,
      clock,
      kind,
      counts,
      log,
    }),
    backend,
    queues,
    sendRequest: tracedSend(httpClient.send),
    runProbe: createRunProbe(shareHolderOf),
    cipher,
    metrics,
    failedAttempts: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    // Counted separately, so that one kind of attempt never blocks another.
    adminAttempts: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    failedSignatures: createFailedAttempts({ nowMs, failuresMax: config.failedKeysPerMinute }),
    signInGuard: createSignInGuard({ nowMs, failuresMax: config.failedKeysPerMinute }),
    codeAttempts: createCodeAttempts({ nowMs }),
    singleSignOnGuard: createSignInGuard({
      nowMs,
      failuresMax: config.failedKeysPerMinute,
      slots: callSlots,
    }),
    identityProvider:
      config.singleSignOn === undefined
        ? undefined
        : createIdentityProvider(config.singleSignOn, { send: providerClient.send, nowMs }),
    rateLimiter,
    seenKeys: createSeenKeys(),
    openBox: createLaneBatcher({
      name: 'box_open',
      ...createOpenBoxes({ database, clock, loadActiveSeeds, responseTo: renderOpening }),
      laneOf: casinoOf,
      exclusiveKeyOf: (request) => `${request.casinoId}\n${request.playerId}`,
      onBatch: metrics.observeBatch('box_open'),
    }),
    placeOrder: createLaneBatcher({
      name: 'prize_order',
      ...createPlaceOrders({ database, clock, cipher, handOver, response: orderRecorded.body }),
      laneOf: casinoOf,
      exclusiveKeyOf: keyOfPrize,
      onBatch: metrics.observeBatch('prize_order'),
    }),
    requestCashback: createLaneBatcher({
      name: 'prize_cashback',
      ...createRequestCashbacks({ database, clock, handOver, response: cashbackRecorded.body }),
      laneOf: casinoOf,
      exclusiveKeyOf: keyOfPrize,
      onBatch: metrics.observeBatch('prize_cashback'),
    }),
  }
  return {
    deps,
    close: async () => {
      await play.close()
      await manage.close()
      await rateLimiter.stop()
      for (const one of [httpClient, providerClient, queues, backend]) await one.close()
      for (const one of [replica, watchPool, readPool, managePool, pool]) await one?.close()
    },
  }
}

/** The same with the connections of a surface or of players' reads, and with the parts that use them. */
export function depsOf(deps: ApiDeps, of: Surface | 'reads'): ApiDeps {
  return of === 'play' ? deps : { ...deps, ...deps[of] }
}
