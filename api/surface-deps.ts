import type { RecordAudit } from '../core/audit/audit.ts'
import { createRecordAudit } from '../core/audit/record-audit.ts'
import { createFindCaller } from '../core/casino/find-caller.ts'
import type { FindCaller } from '../core/casino/find-caller.ts'
import { createKeyUsage } from '../core/casino/key-usage.ts'
import type { KeyUsage } from '../core/casino/key-usage.ts'
import { createAdmitPlayers } from '../core/casino/player-quota.ts'
import type { AdmitPlayers } from '../core/casino/player-quota.ts'
import { createReserveQuota } from '../core/casino/reserve-quota.ts'
import { createFindSettings } from '../core/casino/settings.ts'
import type { FindSettings } from '../core/casino/settings.ts'
import type { EnvelopeCipher } from '../core/crypto/envelope.ts'
import { createLoadActiveSeeds } from '../core/fairness/seeds.ts'
import type { LoadActiveSeeds } from '../core/fairness/seeds.ts'
import { findSession } from '../core/operator/sessions.ts'
import { signInWaysOf } from '../core/operator/sign-in-ways.ts'
import type { SignedIn } from '../core/operator/sessions.ts'
import { createHandOver } from '../core/outbox/hand-over.ts'
import type { HandOver } from '../core/outbox/hand-over.ts'
import type { Clock } from '../core/platform/clock.ts'
import type { Config } from '../core/platform/config.ts'
import type { Database } from '../core/platform/database.ts'
import type { Logger } from '../core/platform/logger.ts'
import type { ReserveQuota } from '../core/platform/reserve-quota.ts'
import type { Queues } from '../core/queue/queues.ts'
import type { Tracer } from '../core/trace/tracer.ts'

/**
 * The dependencies that each surface has for itself, because they use connections to the database: players never wait
 * for a connection that other callers' statements hold, even if one process serves both surfaces.
 */
export interface SurfaceDeps {
  database: Database
  findCaller: FindCaller
  /** The operator who is signed in with a token; undefined for a token that is invalid or has ended. */
  findSession: (token: string) => Promise<SignedIn | undefined>
  keyUsage: KeyUsage
  findSettings: FindSettings
  reserveQuota: ReserveQuota
  admitPlayers: AdmitPlayers
  recordAudit: RecordAudit
  loadActiveSeeds: LoadActiveSeeds
  handOver: HandOver
}

/** `close` ends the running work; the database is the caller's. */
export function createSurfaceDeps(deps: {
  config: Config
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
  queues: Queues
  log: Logger
  tracer: Tracer | undefined
}): { deps: SurfaceDeps; close: () => Promise<void> } {
  const { config, database, clock, log } = deps
  const { handOver, settle } = createHandOver({ ...deps, rescueAfterMs: config.rescueAfterMs })
  const keyUsage = createKeyUsage({ database, clock, log })
  const ways = signInWaysOf(config)
  return {
    deps: {
      database,
      findCaller: createFindCaller({ database, clock, hashSecret: config.hashSecret, log }),
      findSession: (token) =>
        findSession({ database, hashSecret: config.hashSecret, ways }, clock.now(), token),
      keyUsage,
      findSettings: createFindSettings(deps),
      reserveQuota: createReserveQuota({ database, quotas: config.quotas }),
      admitPlayers: createAdmitPlayers({ database, quotas: config.quotas }),
      recordAudit: createRecordAudit({ database, hashSecret: config.hashSecret }),
      loadActiveSeeds: createLoadActiveSeeds(deps),
      handOver,
    },
    close: async () => {
      await settle()
      await keyUsage.stop()
    },
  }
}
