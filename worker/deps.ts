import type { CallSlots, Holder, LineKind } from '../core/partner/call-slots.ts'
import { createCreditCashback } from '../core/cashback/credit-cashback.ts'
import type { CreditCashback } from '../core/cashback/credit-cashback.ts'
import { countRefusedEntries, createChainAudit } from '../core/audit/chain-audit.ts'
import { checkHeads } from '../core/audit/check-heads.ts'
import { createHeadMemory } from '../core/audit/head-memory.ts'
import { createBatcher } from '../core/batch/batcher.ts'
import type { Batcher } from '../core/batch/batcher.ts'
import { createPauseSetting } from '../core/casino/pause-setting.ts'
import type { PauseSetting } from '../core/casino/pause-setting.ts'
import { dropExpiredSecrets } from '../core/casino/drop-expired-secrets.ts'
import { createFindSettings } from '../core/casino/settings.ts'
import type { FindSettings } from '../core/casino/settings.ts'
import { createEnvelopeCipher } from '../core/crypto/envelope.ts'
import { revealRetiredSeeds } from '../core/fairness/reveal-seeds.ts'
import { createRotateDueSeeds } from '../core/fairness/rotate-due-seeds.ts'
import { createReportUnopened } from '../core/fairness/unopened-seeds.ts'
import type { UnopenedState } from '../core/fairness/unopened-seeds.ts'
import { createHttpClient } from '../core/partner/http-client.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import type { PartnerNames } from '../core/partner/names.ts'
import { createHandOver } from '../core/outbox/hand-over.ts'
import type { HandOver } from '../core/outbox/hand-over.ts'
import type { Clock } from '../core/platform/clock.ts'
import { createCompareClocks } from '../core/platform/compare-clocks.ts'
import type { CompareClocks } from '../core/platform/compare-clocks.ts'
import type { Config } from '../core/platform/config.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { openDatabase } from '../core/platform/database.ts'
import type { Database } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import type { Logger } from '../core/platform/logger.ts'
import { createFulfilOrder } from '../core/prize-order/fulfil-order.ts'
import type { FulfilOrder } from '../core/prize-order/fulfil-order.ts'
import { createApplyNews } from '../core/prize-order/shipment-news.ts'
import { expirePrizes } from '../core/prize/expire-prizes.ts'
import { createEraseWaitingPlayers } from '../core/privacy/erase-player.ts'
import { eraseOldDeliveries } from '../core/privacy/retain-deliveries.ts'
import { warnExpiring } from '../core/prize/warn-expiring.ts'
import type { JobPayload, JobReport } from '../core/queue/jobs.ts'
import { openQueueBackend } from '../core/queue/queue-backend.ts'
import type { QueueBackend } from '../core/queue/queue-backend.ts'
import { createQueues } from '../core/queue/queues.ts'
import type { Queues } from '../core/queue/queues.ts'
import { createDeliverWebhook } from '../core/webhook/deliver-webhook.ts'
import { createFindFulfilment } from './casino-providers.ts'
import { createFindWallets } from './casino-wallets.ts'
import { createSlotsOfKinds } from './call-slots.ts'
import { createJobActivity } from './job-activity.ts'
import type { JobActivity } from './job-activity.ts'
import { createWorkerMetrics } from './metrics.ts'
import type { WorkerMetrics } from './metrics.ts'

/** What a processor is: it does the work of one job, at most once, however often it is called. Each run is a holder. */
export type ProcessJob = (job: JobPayload, holder: Holder) => Promise<JobReport>

/** Everything the processors and the maintenance work with. */
export interface WorkerDeps {
  config: Config
  log: Logger
  /** What time it is: the database's, unless a test says otherwise. */
  clock: Clock
  databaseClock: DatabaseClock
  compareClocks: CompareClocks
  database: Database
  pingDatabase: () => Promise<void>
  backend: QueueBackend
  queues: Queues
  handOver: HandOver
  sendRequest: SendRequest
  partnerNames: PartnerNames
  findSettings: FindSettings
  pauseSetting: PauseSetting
  metrics: WorkerMetrics
  activity: JobActivity
  callSlots: Readonly<Record<LineKind, CallSlots>>
  fulfilOrder: FulfilOrder
  applyNews: Batcher<JobPayload, JobReport>
  creditCashback: CreditCashback
  deliverWebhook: ProcessJob
  rotateSeeds: () => Promise<number>
  expirePrizes: () => Promise<number>
  warnExpiring: () => Promise<number>
  eraseDeliveries: () => Promise<number>
  dropExpiredSecrets: () => Promise<number>
  chainAudit: () => Promise<number>
  revealSeeds: () => Promise<number>
}

export function createWorkerDeps(
  config: Config,
  overrides: { clock?: Clock; log?: Logger } = {},
): { deps: WorkerDeps; close: () => Promise<void> } {
  const log = overrides.log ?? createLogger('worker', config.logLevel, config)
  const {
    database,
    clock: databaseClock,
    ping,
    close,
  } = openDatabase({ url: config.databaseUrl, poolMax: config.databasePoolMax, log })
  const clock = overrides.clock ?? databaseClock
  const backend = openQueueBackend(config.queue, log)
  const queues = createQueues({ backend, log })
  const { handOver, settle } = createHandOver({ database, queues, log, rescueAfterMs: config.rescueAfterMs })
  const httpClient = createHttpClient({ allowPrivateAddresses: config.allowPrivateAddresses })
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  const findSettings = createFindSettings({ database, cipher, clock })
  const pauseSetting = createPauseSetting({ database, clock, log })
  const metrics = createWorkerMetrics(databaseClock)
  const seedDeps = { database, clock, cipher, log }
  const reportUnopened = (...states: UnopenedState[]) =>
    createReportUnopened({
      log,
      states,
      onCount: (state, count) => {
        metrics.observeUnopenedSeeds(state, count)
      },
    })
  const rotateSeeds = createRotateDueSeeds(
    { ...seedDeps, reportUnopened: reportUnopened('active', 'next') },
    { afterDraws: config.rotateSeedAfterDraws, afterMs: config.rotateSeedAfterMs },
  )
  const eraseWaitingPlayers = createEraseWaitingPlayers({ database, clock, log })
  const { hashSecret } = config
  const memory = createHeadMemory({ hashSecret, runScript: backend.runScript, log })
  const chainAudit = createChainAudit({ database, log, hashSecret, memory })
  const reportUnrevealed = reportUnopened('retired')
  const exclusiveKeyOf = (job: JobPayload) => job.objectId
  const callSlots = createSlotsOfKinds(config)
  const deps: WorkerDeps = {
    config,
    log,
    clock,
    databaseClock,
    compareClocks: createCompareClocks({ databaseClock, pingDatabase: ping, log }),
    database,
    pingDatabase: ping,
    backend,
    queues,
    handOver,
    sendRequest: httpClient.send,
    partnerNames: httpClient.names,
    findSettings,
    pauseSetting,
    metrics,
    activity: createJobActivity(),
    callSlots,
    fulfilOrder: createFulfilOrder({
      database,
      clock,
      log,
      cipher,
      handOver,
      findFulfilment: createFindFulfilment({ findSettings, sendRequest: httpClient.send, clock }),
      pauseProvider: (casinoId, setting, reason) => pauseSetting(casinoId, 'fulfilment', setting, reason),
      slots: callSlots.provider,
      names: httpClient.names,
      random: Math.random,
      onCall: (outcome, seconds) => {
        metrics.observeProviderCall(outcome, seconds)
      },
      onIgnored: (status) => {
        metrics.observeIgnoredNews(status)
      },
    }),
    applyNews: createBatcher({
      process: createApplyNews({
        database,
        clock,
        log,
        handOver,
        onIgnored: (status) => {
          metrics.observeIgnoredNews(status)
        },
      }),
      exclusiveKeyOf,
    }),
    creditCashback: createCreditCashback({
      database,
      clock,
      log,
      findWallets: createFindWallets({ findSettings, sendRequest: httpClient.send, clock }),
      pauseWallet: (casinoId, wallet, reason) => pauseSetting(casinoId, 'wallet', wallet, reason),
      slots: callSlots.wallet,
      names: httpClient.names,
      random: Math.random,
      onCall: (outcome, seconds) => {
        metrics.observeWalletCall(outcome, seconds)
      },
      onReview: (problem) => {
        metrics.observeReview(problem)
      },
    }),
    deliverWebhook: createDeliverWebhook({
      database,
      clock,
      log,
      cipher,
      sendRequest: httpClient.send,
      slots: callSlots.webhook,
      names: httpClient.names,
      random: Math.random,
      onCall: (outcome, seconds) => {
        metrics.observeWebhookCall(outcome, seconds)
      },
      onDisabled: (reason) => {
        metrics.observeEndpointDisabled(reason)
      },
    }),
    rotateSeeds,
    revealSeeds: () => revealRetiredSeeds({ ...seedDeps, reportUnopened: reportUnrevealed }),
    expirePrizes: () => expirePrizes({ database, clock, log }),
    warnExpiring: () => warnExpiring({ database, clock, log, findSettings }),
    chainAudit: async () => {
      const { moved, broken, waitingSince } = await chainAudit()
      metrics.observeAudit({
        refused: await countRefusedEntries(database),
        lostHeads: (await checkHeads({ database, memory, log })).length,
        broken,
        waitingForMs: waitingSince === null ? 0 : Math.max(0, clock.now().getTime() - waitingSince.getTime()),
      })
      return moved
    },
    eraseDeliveries: async () =>
      (await eraseWaitingPlayers()) + (await eraseOldDeliveries({ database, clock, log, findSettings })),
    dropExpiredSecrets: () => dropExpiredSecrets({ database, clock, log }),
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
