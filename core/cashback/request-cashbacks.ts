import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import type { Money } from '../money.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { relayAfterMs } from '../outbox/outbox.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bigint, bytea, instant, int, rowLocks, text } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { acceptedPrizes } from '../prize/accepted-prizes.ts'
import { loadPrizes } from '../prize/load-prizes.ts'
import type { LoadedPrize, PrizeRequest } from '../prize/load-prizes.ts'
import { decideCashback } from './decide-cashback.ts'

interface CashbackWrite extends Money {
  request: PrizeRequest
  cashbackId: string
  revision: number
}

export interface RequestCashbacksDeps {
  database: Database
  clock: Clock
  handOver: HandOver
  /** The body of the success answer, stored under the idempotency key. */
  successBody: string
}

/**
 * Records that players take prizes as cashback: the prize is taken, the cashback is requested, its amount is reserved in
 * the ledger, and crediting it is in the outbox, all in one statement. Refuses with `prize_unknown`, `prize_not_owned`,
 * `prize_not_cashable` or `idempotency_key_reused`.
 */
export function createRequestCashbacks(deps: RequestCashbacksDeps): LaneProcesses<PrizeRequest, Answer> {
  const change: SharedChange<PrizeRequest, ReadonlyMap<PrizeRequest, LoadedPrize>, CashbackWrite, Answer> = {
    load: (requests) => loadPrizes(deps.database, requests),
    decide: (request, loaded) => {
      const { prize, stored } = loaded.get(request) ?? {}
      const replay = replayOf('prize_cashback', request.claim, stored)
      if (replay) return { answer: replay }
      const now = deps.clock.now()
      const decided = decideCashback(request.playerId, prize, now)
      return { write: { request, cashbackId: newId('cbk', now), ...decided } }
    },
    store: (writes) => storeCashbacks(deps, writes, rowLocks.wait),
    storeFree: (writes) => storeCashbacks(deps, writes, rowLocks.skip),
  }
  return processesOf(change)
}

async function storeCashbacks(
  { database, clock, handOver, successBody }: RequestCashbacksDeps,
  writes: readonly CashbackWrite[],
  locks: RowLocks,
): Promise<ReadonlyMap<CashbackWrite, Answer>> {
  const now = clock.now()
  const rows = await database.$queryRaw<{ cashback_id: string; outbox_id: bigint }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(writes, {
        casino_id: text((w) => w.request.casinoId),
        prize_id: text((w) => w.request.prizeId),
        player_id: text((w) => w.request.playerId),
        revision: int((w) => w.revision),
        cashback_id: text((w) => w.cashbackId),
        amount_minor: bigint((w) => String(w.amountMinor)),
        currency: text((w) => w.currency),
        actor: text((w) => w.request.actor),
        request_id: text((w) => w.request.requestId),
        key: text((w) => w.request.claim?.key ?? null),
        fingerprint: bytea((w) => w.request.claim?.fingerprint ?? null),
      })}
    ),
    ${acceptedPrizes('prize_cashback', successBody, locks)},
    prize_taken AS (
      UPDATE prize SET state = 'cashback_pending', revision = prize.revision + 1, updated_at = ${instant(now)}
        FROM accepted WHERE prize.casino_id = accepted.casino_id AND prize.id = accepted.prize_id
    ),
    cashback_requested AS (
      INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, created_at, updated_at)
      SELECT cashback_id, casino_id, prize_id, player_id, amount_minor, currency, 'requested', ${instant(now)}, ${instant(now)}
        FROM accepted
    ),
    ${postedEntries('cashback_reserve', 'accepted', now)},
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, request_id,
                         created_at)
      SELECT casino_id, 'prize', prize_id, revision + 1, 'prize.cashback_pending', 'won', 'cashback_pending', actor,
             request_id, ${instant(now)}
        FROM accepted
       UNION ALL
      SELECT casino_id, 'cashback', cashback_id, 1, 'cashback.requested', NULL, 'requested', actor, request_id, ${instant(now)}
        FROM accepted
    ),
    work_due AS (
      INSERT INTO outbox (job_name, object_id, due_at)
      SELECT 'credit-cashback', cashback_id, now() + ${relayAfterMs}::float8 * interval '1 millisecond' FROM accepted
      RETURNING id, object_id
    )
    SELECT object_id AS cashback_id, id AS outbox_id FROM work_due`

  handOver(
    rows.map((row) => ({
      jobName: 'credit-cashback',
      outboxId: String(row.outbox_id),
      objectId: row.cashback_id,
    })),
  )
  const stored = new Set(rows.map((row) => row.cashback_id))
  return new Map(
    writes
      .filter((write) => stored.has(write.cashbackId))
      .map((write) => [write, { body: successBody, replayed: false }]),
  )
}
