import { expireActs } from '../core/act/expire-acts.ts'
import { createChainAudit } from '../core/audit/chain-audit.ts'
import { createHeadMemory } from '../core/audit/head-memory.ts'
import { createKeepTrails } from '../core/audit/keep-trails.ts'
import { expirePrizes } from '../core/box/expire-prizes.ts'
import { dropExpiredSecrets } from '../core/casino/drop-expired-secrets.ts'
import { archiveEvents } from '../core/archive/archive-events.ts'
import { revealRetiredSeeds } from '../core/fairness/reveal-seeds.ts'
import { createRotateDueSeeds } from '../core/fairness/rotate-due-seeds.ts'
import { createReportUnopened } from '../core/fairness/unopened-seeds.ts'
import type { UnopenedState } from '../core/fairness/unopened-seeds.ts'
import { pruneAnswers } from '../core/idempotency/prune.ts'
import { lookAtLinesMs } from '../core/outbound/serve-lines.ts'
import type { LineServer } from '../core/outbound/serve-lines.ts'
import { pruneSessions } from '../core/operator/prune-sessions.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import { compareIdleMs } from '../core/platform/compare-clocks.ts'
import type { CompareClocks } from '../core/platform/compare-clocks.ts'
import type { Rest } from '../core/platform/lifecycle.ts'
import { createEraseWaitingPlayers } from '../core/privacy/erase-player.ts'
import { eraseOldDeliveries } from '../core/privacy/retain-deliveries.ts'
import { heartbeatIdleMs } from '../core/process/heartbeat.ts'
import { pruneMinutes } from '../core/process/prune-minutes.ts'
import { archivePrizes } from '../core/archive/archive-prizes.ts'
import { warnExpiring } from '../core/prize/warn-expiring.ts'
import { pruneWebhooks } from '../core/webhook/prune.ts'
import type { WorkerDeps } from './deps.ts'
import type { LoopName } from './loop-names.ts'
import { createFanOutLoop } from './maintenance/fan-out-events.ts'
import { relayOutbox } from './maintenance/relay-outbox.ts'
import type { IsRestOver } from './maintenance/watch-for-work.ts'
import { createWatchLiveness, watchLivenessIdleMs } from './maintenance/watch-liveness.ts'

/**
 * Work that a worker repeats, beside its jobs; see `startLoop`. A loop that looks often rests when there is nothing to do:
 * the end of a job ends its rest, and so does work for it (`watchForWork`).
 */
export interface Loop {
  name: LoopName
  idleMs: number
  rest?: Rest & { isOver: IsRestOver }
  /** Lets a turn run, or not, in which case it is no success; absent if turns always run. */
  guard?: CompareClocks['guard']
  runOnce: () => Promise<number>
}

/** Every loop of a worker. `onStuck` is called when its workers sleep and only a new process helps. */
export function createLoops(deps: WorkerDeps, lines: LineServer, onStuck: () => void): Loop[] {
  return [
    { name: 'compare-clocks', idleMs: compareIdleMs, runOnce: deps.compareClocks.runOnce },
    { name: 'heartbeat', idleMs: heartbeatIdleMs, runOnce: () => deps.heartbeat.beat() },
    ...createRevocable(deps),
    {
      name: 'serve-lines',
      idleMs: lookAtLinesMs,
      rest: { ...rest, isOver: ({ isInLine }) => isInLine },
      runOnce: lines.lookOnce,
    },
    ...createIrrevocable(deps).map((loop) => ({ ...loop, guard: deps.compareClocks.guard })),
    { name: 'watch-liveness', idleMs: watchLivenessIdleMs, runOnce: createWatchLiveness(deps, onStuck) },
  ]
}

/** Of the relay and the lines: `watchForWork` sees all of their work. */
const rest: Rest = { afterMs: 10_000, ms: 15_000 }
/** An endpoint that is enabled, or a replay, waits for this in a worker that has nothing else to do. */
const shortRest: Rest = { ...rest, ms: 5_000 }

/** Nothing is lost if these do their work too early or twice. */
function createRevocable(deps: WorkerDeps): Loop[] {
  return [
    {
      name: 'relay-outbox',
      idleMs: 250,
      rest: { ...rest, isOver: ({ isDue }) => isDue },
      runOnce: () => relayOutbox(deps),
    },
    {
      name: 'fan-out-events',
      idleMs: 250,
      rest: { ...shortRest, isOver: ({ lastEventId }, before) => lastEventId !== before?.lastEventId },
      runOnce: createFanOutLoop(deps),
    },
    { name: 'chain-audit', idleMs: 2_000, runOnce: createAuditTurn(deps) },
  ]
}

/** The time decides the work of these, which cannot be undone: they stop while the machine's clock is off. */
function createIrrevocable(deps: WorkerDeps): Loop[] {
  const { rotate, reveal } = createSeedTurns(deps)
  const erasePlayers = createEraseWaitingPlayers(deps)
  const eraseDeliveries = async () => (await erasePlayers()) + (await eraseOldDeliveries(deps))
  return [
    { name: 'prune-webhooks', idleMs: 30_000, runOnce: () => pruneWebhooks(deps) },
    {
      name: 'prune-idempotency',
      idleMs: 30_000,
      runOnce: () => pruneAnswers(deps, deps.config.keepIdempotencyMs),
    },
    { name: 'prune-sessions', idleMs: 60_000, runOnce: () => pruneSessions(deps) },
    { name: 'prune-minutes', idleMs: 60_000, runOnce: () => pruneMinutes(deps) },
    { name: 'rotate-seeds', idleMs: 10_000, runOnce: rotate },
    { name: 'reveal-seeds', idleMs: 10_000, runOnce: reveal },
    { name: 'expire-acts', idleMs: 10_000, runOnce: () => expireActs(deps) },
    { name: 'expire-prizes', idleMs: 5_000, runOnce: () => expirePrizes(deps) },
    { name: 'warn-expiring', idleMs: 20_000, runOnce: () => warnExpiring(deps) },
    { name: 'erase-deliveries', idleMs: 20_000, runOnce: eraseDeliveries },
    { name: 'drop-secrets', idleMs: 20_000, runOnce: () => dropExpiredSecrets(deps) },
    ...createArchiving(deps),
  ]
}

/** The archive is off unless the operator sets a time. */
function createArchiving(deps: WorkerDeps): Loop[] {
  const { archiveAfterMs } = deps.config
  if (archiveAfterMs === undefined) return []
  return [
    { name: 'archive-events', idleMs: 60_000, runOnce: () => archiveEvents(deps, archiveAfterMs) },
    { name: 'archive-prizes', idleMs: 60_000, runOnce: () => archivePrizes(deps, archiveAfterMs) },
  ]
}

/** Runs of the loops that keep seeds; they report seeds that this worker cannot open. */
export function createSeedTurns(deps: WorkerDeps): Record<'rotate' | 'reveal', () => Promise<number>> {
  const { metrics, log, config } = deps
  const createReport = (...states: UnopenedState[]) =>
    createReportUnopened({ log, states, onCount: metrics.observeUnopenedSeeds })
  const rotate = createRotateDueSeeds(
    { ...deps, reportUnopened: createReport('active', 'next') },
    { afterDraws: config.rotateSeedAfterDraws, afterMs: config.rotateSeedAfterMs },
  )
  const reportUnopened = createReport('retired')
  return { rotate, reveal: () => revealRetiredSeeds({ ...deps, reportUnopened }) }
}

function createAuditTurn({
  database,
  clock,
  log,
  config,
  backend,
  metrics,
}: WorkerDeps): () => Promise<number> {
  const { hashSecret } = config
  const memory = createHeadMemory({ hashSecret, runScript: backend.runScript, log })
  const chainAudit = createChainAudit({ database, log, hashSecret, memory })
  const keepTrails = createKeepTrails({ database, log, memory, nowMs: monotonicMs, chainAudit })
  return async () => {
    const beganAt = clock.now()
    const { moved, waitingSince, ...found } = await keepTrails()
    metrics.observeAudit({ ...found, chainedUntil: waitingSince ?? beganAt })
    return moved
  }
}
