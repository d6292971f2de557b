import { compareIdleMs } from '../core/platform/compare-clocks.ts'
import type { WorkerDeps } from './deps.ts'
import { lookAtLinesMs } from './serve-lines.ts'
import type { LineServer } from './serve-lines.ts'
import { createFanOutLoop } from './maintenance/fan-out-events.ts'
import { pruneIdempotencyOnce } from './maintenance/prune-idempotency.ts'
import { pruneWebhooksOnce } from './maintenance/prune-webhooks.ts'
import { relayOutbox } from './maintenance/relay-outbox.ts'
import { createWatchLiveness, watchLivenessIdleMs } from './maintenance/watch-liveness.ts'

/** What a worker does again and again, beside its jobs; see `startLoop`. */
interface Loop {
  name: string
  idleMs: number
  runOnce: () => Promise<number>
}

/** Every loop of a worker. `onStuck` is called when its workers sleep and only a new process helps. */
export function createLoops(deps: WorkerDeps, lines: LineServer, onStuck: () => void): Loop[] {
  return [
    { name: 'compare-clocks', idleMs: compareIdleMs, runOnce: deps.compareClocks.runOnce },
    ...createRevocable(deps),
    { name: 'serve-lines', idleMs: lookAtLinesMs, runOnce: lines.lookOnce },
    ...createIrrevocable(deps).map((loop) => ({
      ...loop,
      runOnce: deps.compareClocks.guard(loop.runOnce),
    })),
    { name: 'watch-liveness', idleMs: watchLivenessIdleMs, runOnce: createWatchLiveness(deps, onStuck) },
  ]
}

/** What these do may be done too early or twice, and nothing is lost. */
function createRevocable(deps: WorkerDeps): Loop[] {
  return [
    { name: 'relay-outbox', idleMs: 250, runOnce: () => relayOutbox(deps) },
    { name: 'fan-out-events', idleMs: 250, runOnce: createFanOutLoop(deps) },
    { name: 'chain-audit', idleMs: 2_000, runOnce: deps.chainAudit },
  ]
}

/** Time decides what these do, and nothing brings it back: they stop while the machine's clock is off. */
function createIrrevocable(deps: WorkerDeps): Loop[] {
  return [
    { name: 'prune-webhooks', idleMs: 30_000, runOnce: () => pruneWebhooksOnce(deps) },
    { name: 'prune-idempotency', idleMs: 30_000, runOnce: () => pruneIdempotencyOnce(deps) },
    { name: 'rotate-seeds', idleMs: 10_000, runOnce: deps.rotateSeeds },
    { name: 'reveal-seeds', idleMs: 5_000, runOnce: deps.revealSeeds },
    { name: 'expire-prizes', idleMs: 5_000, runOnce: deps.expirePrizes },
    { name: 'warn-expiring', idleMs: 20_000, runOnce: deps.warnExpiring },
    { name: 'erase-deliveries', idleMs: 20_000, runOnce: deps.eraseDeliveries },
    { name: 'drop-secrets', idleMs: 20_000, runOnce: deps.dropExpiredSecrets },
  ]
}
