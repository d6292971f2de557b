import { toStoredAnswer } from '../idempotency/idempotency.ts'
import type { KeyClaim, StoredAnswer, StoredAnswerRow } from '../idempotency/idempotency.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, int, text } from '../platform/sql.ts'
import type { PrizeSnapshot } from './prize.ts'
import type { PrizeState } from './state.ts'

/** A player's request to order a prize or to take its cashback. */
export interface PrizeRequest {
  casinoId: string
  playerId: string
  prizeId: string
  claim: KeyClaim | undefined
  /** Actor, for the history: `key:…`. */
  actor: string
  requestId: string
}

export interface LoadedPrize {
  prize: PrizeSnapshot | undefined
  stored: StoredAnswer | undefined
}

interface Row extends StoredAnswerRow {
  player_id: string | null
  kind: string
  state: PrizeState
  revision: number
  cashback_amount_minor: bigint | null
  cashback_currency: string | null
  expires_at: Date | null
}

/** Loads the prize of each request, and the response stored under its idempotency key. */
export async function loadPrizes<Request extends PrizeRequest>(
  database: Database,
  requests: readonly Request[],
): Promise<ReadonlyMap<Request, LoadedPrize>> {
  const rows = await database.$queryRaw<Row[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(requests, {
        casino_id: text((r) => r.casinoId),
        prize_id: text((r) => r.prizeId),
        key: text((r) => r.claim?.key ?? null),
        position: int((_, index) => index + 1),
      })}
    )
    SELECT prize.player_id, prize.kind, prize.state, prize.revision,
           prize.cashback_amount_minor, prize.cashback_currency, prize.expires_at,
           stored.operation AS stored_operation,
           stored.fingerprint AS stored_fingerprint,
           stored.response AS stored_response
      FROM input
      LEFT JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
      LEFT JOIN idempotency_record AS stored ON stored.casino_id = input.casino_id AND stored.key = input.key
     ORDER BY input.position`
  return new Map(
    requests.map((request, index) => {
      const row = rows[index]
      if (row === undefined) throw new Error('a request got no row')
      return [request, toLoadedPrize(row)]
    }),
  )
}

function toLoadedPrize(row: Row): LoadedPrize {
  return {
    prize:
      row.player_id === null
        ? undefined
        : {
            playerId: row.player_id,
            kind: row.kind,
            state: row.state,
            revision: row.revision,
            cashbackAmountMinor: row.cashback_amount_minor,
            cashbackCurrency: row.cashback_currency,
            expiresAt: row.expires_at,
          },
    stored: toStoredAnswer(row),
  }
}
