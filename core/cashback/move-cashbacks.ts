import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { RewardsError } from '../errors.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { refuseChanged } from '../prize/decide-revision.ts'
import { decideCashbackMove } from './decide-resolution.ts'
import type { CashbackMove } from './decide-resolution.ts'
import { cashbackKeyOf, loadCashbacksToChange } from './load-cashbacks.ts'
import { storeCashbackMoves } from './store-changes.ts'

export interface MoveCashbackRequest {
  casinoId: string
  cashbackId: string
  move: CashbackMove
  /** Actor and reason, for the history: `admin` or `key:…`. */
  actor: string
  reason: string | null
  requestId: string
  claim?: HeldClaim | undefined
  /** Nothing is done if the object has another revision; undefined for any. */
  expectedRevision?: number | undefined
}

export interface MoveCashbacksDeps {
  database: Database
  clock: Clock
  handOver: HandOver
}

/**
 * Carries out operators' actions on cashbacks: the cashback, its prize, the ledger, their histories and the following
 * work are one statement. Returns each cashback after the action. A batch must not have two requests for one cashback.
 * Throws `cashback_unknown`, `revision_changed`, `transition_illegal` or `cashback_needs_resolution`.
 */
export function createMoveCashbacks(
  deps: MoveCashbacksDeps,
): (requests: readonly MoveCashbackRequest[]) => Promise<Settled<CashbackSnapshot>[]> {
  const change: Change<
    MoveCashbackRequest,
    { cashbacks: ReadonlyMap<string, CashbackSnapshot>; now: Date },
    CashbackChange,
    CashbackSnapshot
  > = {
    load: async (requests) => {
      const cashbacks = await loadCashbacksToChange(deps.database, requests)
      return { cashbacks, now: deps.clock.now() }
    },
    decide: ({ casinoId, cashbackId, move, expectedRevision, ...who }, { cashbacks, now }) => {
      const cashback = cashbacks.get(cashbackKeyOf(casinoId, cashbackId))
      if (cashback === undefined) throw new RewardsError('cashback_unknown')
      refuseChanged(expectedRevision, cashback)
      const plan = decideCashbackMove(move, cashback, now)
      return { write: { cashback, plan, ...who } }
    },
    store: async (changes) => {
      const stored = await storeCashbackMoves(deps, changes)
      deps.handOver([...stored.values()].flatMap(({ works }) => works))
      return new Map([...stored].map(([write, { cashback }]) => [write, cashback]))
    },
  }
  return (requests) => loadDecideStore(change, requests)
}
