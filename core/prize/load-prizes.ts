import type { Extent } from '../batch/load-decide-store.ts'
import { toStoredAnswer } from '../idempotency/idempotency.ts'
import type { KeyClaim, StoredAnswer, StoredAnswerRow } from '../idempotency/idempotency.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, int, sql, text } from '../platform/sql.ts'
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
  /** It is not live, and was not looked for in the archive. */
  isMissed: boolean
  stored: StoredAnswer | undefined
}

/** Without a prize, all are null. */
interface PrizeRow {
  player_id: string | null
  kind: string | null
  state: PrizeState | null
  cashback_amount_minor: bigint | null
  cashback_currency: string | null
  expires_at: Date | null
}

/** A live prize, if there is one, and the answer stored under the request's key, if there is one. */
export interface LoadedPrizeRow extends PrizeRow, StoredAnswerRow {}

const prizeColumns = sql`
           prize.player_id, prize.kind, prize.state,
           prize.cashback_amount_minor, prize.cashback_currency, prize.expires_at`

/** The columns of a `LoadedPrizeRow`, from joins with `prize` and with `idempotency_record` as `stored`. */
export const loadedPrizeColumns = sql`${prizeColumns},
           stored.operation AS stored_operation,
           stored.fingerprint AS stored_fingerprint,
           stored.response AS stored_response`

export function toLoadedPrize(row: LoadedPrizeRow): LoadedPrize {
  const [prize, stored] = [toPrize(row), toStoredAnswer(row)]
  return { prize, stored, isMissed: prize === undefined && stored === undefined }
}

/**
 * Loads the prize of each request, and the response stored under its idempotency key. Prizes that are not live are looked
 * for in the archive, but not in a shared batch: that takes a look at each month, for which other casinos would wait.
 */
export async function loadPrizes<Request extends PrizeRequest>(
  database: Database,
  requests: readonly Request[],
  extent: Extent,
): Promise<ReadonlyMap<Request, LoadedPrize>> {
  const rows = await database.$queryRaw<LoadedPrizeRow[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(requests, {
        casino_id: text((r) => r.casinoId),
        prize_id: text((r) => r.prizeId),
        key: text((r) => r.claim?.key ?? null),
        position: int((_, index) => index + 1),
      })}
    )
    SELECT ${loadedPrizeColumns}
      FROM input
      LEFT JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
      LEFT JOIN idempotency_record AS stored ON stored.casino_id = input.casino_id AND stored.key = input.key
     ORDER BY input.position`
  const loaded = new Map(
    requests.map((request, index) => {
      const row = rows[index]
      if (row === undefined) throw new Error('a request got no row')
      return [request, toLoadedPrize(row)]
    }),
  )
  const missed = requests.filter((request) => loaded.get(request)?.isMissed)
  if (extent === 'shared' || missed.length === 0) return loaded
  const archived = await loadArchived(database, missed)
  for (const [index, request] of missed.entries()) {
    loaded.set(request, { prize: archived[index], stored: undefined, isMissed: false })
  }
  return loaded
}

/**
 * The prizes of requests that are not live, in their order. What is archived has ended, so every decision about it is a
 * refusal, and it need not come back. One snapshot shows both places: a prize that has come back meanwhile is found too,
 * and is written only as far as it is live then.
 */
async function loadArchived(
  database: Database,
  requests: readonly PrizeRequest[],
): Promise<(PrizeSnapshot | undefined)[]> {
  const rows = await database.$queryRaw<PrizeRow[]>`
    SELECT ${prizeColumns}
      FROM ${batchInput(requests, {
        casino_id: text((r) => r.casinoId),
        prize_id: text((r) => r.prizeId),
        position: int((_, index) => index + 1),
      })}
      LEFT JOIN LATERAL (
        SELECT * FROM every_prize
         WHERE every_prize.casino_id = input.casino_id AND every_prize.id = input.prize_id LIMIT 1
      ) AS prize ON true
     ORDER BY input.position`
  return rows.map(toPrize)
}

function toPrize(row: PrizeRow): PrizeSnapshot | undefined {
  const { player_id: playerId, kind, state } = row
  if (playerId === null || kind === null || state === null) return undefined
  return {
    playerId,
    kind,
    state,
    cashbackAmountMinor: row.cashback_amount_minor,
    cashbackCurrency: row.cashback_currency,
    expiresAt: row.expires_at,
  }
}
