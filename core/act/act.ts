import type { Money } from '../money.ts'
import type { Prisma } from '../platform/database.ts'
import type { ActAction, ActParams } from './decide-act.ts'
import type { ActState } from './state.ts'

/** An act, without its objects. */
export interface ActRecord {
  id: string
  casinoId: string
  action: ActAction
  params: ActParams
  state: ActState
  /** A sum of each currency. */
  amounts: readonly Money[]
  needsApproval: boolean
  counts: { objects: number; done: number; refused: number; skipped: number }
  /** `admin`, `operator:<username>` or `key:<id>`. */
  madeBy: string
  createdAt: Date
  /** Until then it can be started or approved. */
  expiresAt: Date
  reason: string | null
  requestId: string | null
  startedAt: Date | null
  decidedBy: string | null
  decidedAt: Date | null
  decisionReason: string | null
  stoppedBy: string | null
  stoppedAt: Date | null
  stopReason: string | null
  endedAt: Date | null
}

export function toAct(row: Prisma.ActModel): ActRecord {
  const { objectCount, doneCount, refusedCount, skippedCount, ...act } = row
  return {
    ...act,
    // Only this service writes them.
    action: act.action as ActAction,
    params: act.params as ActParams,
    state: act.state as ActState,
    amounts: fromAmountsJson(act.amounts),
    counts: { objects: objectCount, done: doneCount, refused: refusedCount, skipped: skippedCount },
  }
}

interface StoredAmount {
  /** As text: JSON numbers lose digits. */
  amountMinor: string
  currency: string
}

export function toAmountsJson(amounts: readonly Money[]): string {
  return JSON.stringify(
    amounts.map(({ amountMinor, currency }): StoredAmount => ({
      amountMinor: String(amountMinor),
      currency,
    })),
  )
}

function fromAmountsJson(stored: unknown): Money[] {
  return (stored as StoredAmount[]).map(({ amountMinor, currency }) => ({
    amountMinor: BigInt(amountMinor),
    currency,
  }))
}
