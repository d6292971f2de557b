import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import type { CashbackState } from './state.ts'

interface CashbackSnapshot {
  id: string
  state: CashbackState
  revision: number
  prizeId: string
  casinoId: string
  prizeRevision: number
}

interface CreditWrite {
  job: JobPayload
  cashback: CashbackSnapshot
  /** False when the cashback is settled already and only its work is to be crossed off. */
  isCredit: boolean
}

type Loaded = ReadonlyMap<string, CashbackSnapshot>

/**
 * Credits requested cashbacks to the players' wallets in our own ledger: the entries, the states of cashback and prize,
 * and the end of the work are one statement. Doing it again changes nothing.
 */
export function createCreditCashbacks(deps: {
  database: Database
  clock: Clock
}): (jobs: readonly JobPayload[]) => Promise<Settled<WorkResult>[]> {
  const change: Change<JobPayload, Loaded, CreditWrite, WorkResult> = {
    load: (jobs) => loadCashbacks(deps.database, jobs),
    decide: (job, loaded) => {
      const cashback = loaded.get(job.outboxId)
      if (cashback === undefined) return { answer: 'nothing_to_do' }
      return { write: { job, cashback, isCredit: isCreditable(cashback.state) } }
    },
    store: (writes) => storeCredits(deps.database, deps.clock.now(), writes),
  }
  return (jobs) => loadDecideStore(change, jobs)
}

function isCreditable(state: CashbackState): boolean {
  return state === 'requested' || state === 'processing'
}

interface Row {
  outbox_id: bigint
  id: string
  state: CashbackState
  revision: number
  prize_id: string
  casino_id: string
  prize_revision: number
}

/** Only work that is still in the outbox is found: what is not, has been finished. */
async function loadCashbacks(database: Database, jobs: readonly JobPayload[]): Promise<Loaded> {
  const rows = await database.$queryRaw<Row[]>`
    SELECT outbox.id AS outbox_id, cashback.id, cashback.state, cashback.revision, cashback.prize_id,
           cashback.casino_id, prize.revision AS prize_revision
      FROM unnest(${jobs.map((job) => job.outboxId)}::bigint[]) AS input (id)
     CROSS JOIN LATERAL (
       SELECT id, object_id FROM outbox
        WHERE outbox.id = input.id AND outbox.job_name = 'credit-cashback' OFFSET 0
     ) AS outbox
      JOIN cashback ON cashback.id = outbox.object_id
      JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id`
  return new Map(
    rows.map((row) => [
      String(row.outbox_id),
      {
        id: row.id,
        state: row.state,
        revision: row.revision,
        prizeId: row.prize_id,
        casinoId: row.casino_id,
        prizeRevision: row.prize_revision,
      },
    ]),
  )
}

async function storeCredits(
  database: Database,
  now: Date,
  writes: readonly CreditWrite[],
): Promise<ReadonlyMap<CreditWrite, WorkResult>> {
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    WITH input AS (
      SELECT * FROM unnest(
        ${writes.map((w) => w.job.outboxId)}::bigint[],
        ${writes.map((w) => w.cashback.id)}::text[],
        ${writes.map((w) => w.cashback.revision)}::int[],
        ${writes.map((w) => w.cashback.state)}::text[],
        ${writes.map((w) => w.cashback.casinoId)}::text[],
        ${writes.map((w) => w.cashback.prizeId)}::text[],
        ${writes.map((w) => w.cashback.prizeRevision)}::int[],
        ${writes.map((w) => w.isCredit)}::boolean[]
      ) AS input (outbox_id, cashback_id, revision, state, casino_id, prize_id, prize_revision, is_credit)
    ),
    prize_locked AS (
      SELECT input.*
        FROM input JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    ),
    cashback_locked AS (
      SELECT prize_locked.*, cashback.id, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM prize_locked JOIN cashback ON cashback.id = prize_locked.cashback_id
       WHERE cashback.revision = prize_locked.revision
       ORDER BY cashback.id
         FOR UPDATE OF cashback
    ),
    credited AS (
      SELECT * FROM cashback_locked WHERE is_credit
    ),
    cashback_credited AS (
      UPDATE cashback SET state = 'credited', revision = cashback.revision + 1, updated_at = ${now}::timestamptz
        FROM credited WHERE cashback.id = credited.id
    ),
    prize_cashed_back AS (
      UPDATE prize SET state = 'cashed_back', revision = prize.revision + 1, updated_at = ${now}::timestamptz
        FROM credited WHERE prize.casino_id = credited.casino_id AND prize.id = credited.prize_id
    ),
    ${postedEntries('cashback_credit', 'credited', now)},
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'cashback', id, revision + 1, 'cashback.credited', state, 'credited', 'worker', ${now}::timestamptz
        FROM credited
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1, 'prize.cashed_back', 'cashback_pending', 'cashed_back',
             'worker', ${now}::timestamptz
        FROM credited
    ),
    work_locked AS (
      SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT outbox_id FROM cashback_locked)) ORDER BY id FOR UPDATE
    ),
    work_done AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM work_locked))
    )
    SELECT outbox_id AS id FROM cashback_locked`

  const stored = new Set(rows.map((row) => String(row.id)))
  return new Map(
    writes
      .filter((write) => stored.has(write.job.outboxId))
      .map((write) => [write, write.isCredit ? 'done' : 'nothing_to_do']),
  )
}
