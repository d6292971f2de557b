import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import type { OrderState } from './state.ts'

interface OrderSnapshot {
  id: string
  state: OrderState
  revision: number
  isAnnounced: boolean
}

/** The next step of an order that is ours to take; every other step is a person's or a partner's. */
export type FulfilmentStep = 'announce' | 'submit' | 'none'

/**
 * An order that was just placed is announced to the casino, which must confirm it; a confirmed one is submitted to the
 * fulfilment provider. Nothing else is done without somebody asking for it.
 */
export function decideFulfilmentStep(order: Pick<OrderSnapshot, 'state' | 'isAnnounced'>): FulfilmentStep {
  if (order.state === 'pending_confirmation') return order.isAnnounced ? 'none' : 'announce'
  return order.state === 'confirmed' ? 'submit' : 'none'
}

interface StepWrite {
  job: JobPayload
  order: OrderSnapshot
  step: FulfilmentStep
}

type Loaded = ReadonlyMap<string, OrderSnapshot>

/**
 * Takes orders one step further. The step, its event and the end of the work are one statement; doing it again changes
 * nothing. The built-in provider is `manual`: people send the parcel, so submitting is only recording it.
 */
export function createFulfilOrders(deps: {
  database: Database
  clock: Clock
}): (jobs: readonly JobPayload[]) => Promise<Settled<WorkResult>[]> {
  const change: Change<JobPayload, Loaded, StepWrite, WorkResult> = {
    load: (jobs) => loadOrders(deps.database, jobs),
    decide: (job, loaded) => {
      const order = loaded.get(job.outboxId)
      if (order === undefined) return { answer: 'nothing_to_do' }
      return { write: { job, order, step: decideFulfilmentStep(order) } }
    },
    store: (writes) => storeSteps(deps.database, deps.clock.now(), writes),
  }
  return (jobs) => loadDecideStore(change, jobs)
}

interface Row {
  outbox_id: bigint
  id: string
  state: OrderState
  revision: number
  is_announced: boolean
}

/** Only work that is still in the outbox is found: what is not, has been finished. */
async function loadOrders(database: Database, jobs: readonly JobPayload[]): Promise<Loaded> {
  const rows = await database.$queryRaw<Row[]>`
    SELECT outbox.id AS outbox_id, prize_order.id, prize_order.state, prize_order.revision,
           prize_order.announced_at IS NOT NULL AS is_announced
      FROM unnest(${jobs.map((job) => job.outboxId)}::bigint[]) AS input (id)
     CROSS JOIN LATERAL (
       SELECT id, object_id FROM outbox
        WHERE outbox.id = input.id AND outbox.job_name = 'fulfil-prize-order' OFFSET 0
     ) AS outbox
      JOIN prize_order ON prize_order.id = outbox.object_id`
  return new Map(
    rows.map((row) => [
      String(row.outbox_id),
      { id: row.id, state: row.state, revision: row.revision, isAnnounced: row.is_announced },
    ]),
  )
}

async function storeSteps(
  database: Database,
  now: Date,
  writes: readonly StepWrite[],
): Promise<ReadonlyMap<StepWrite, WorkResult>> {
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    WITH input AS (
      SELECT * FROM unnest(
        ${writes.map((w) => w.job.outboxId)}::bigint[],
        ${writes.map((w) => w.order.id)}::text[],
        ${writes.map((w) => w.order.revision)}::int[],
        ${writes.map((w) => w.step)}::text[]
      ) AS input (outbox_id, order_id, revision, step)
    ),
    order_locked AS (
      SELECT prize_order.id, prize_order.casino_id, prize_order.state, prize_order.revision,
             input.outbox_id, input.step
        FROM prize_order JOIN input ON prize_order.id = input.order_id
       WHERE prize_order.revision = input.revision
       ORDER BY prize_order.id
         FOR UPDATE OF prize_order
    ),
    order_stepped AS (
      UPDATE prize_order
         SET state = CASE step WHEN 'submit' THEN 'submitted' ELSE prize_order.state END,
             announced_at = CASE step WHEN 'announce' THEN ${now}::timestamptz ELSE prize_order.announced_at END,
             provider = CASE step WHEN 'submit' THEN 'manual' ELSE prize_order.provider END,
             revision = prize_order.revision + 1,
             updated_at = ${now}::timestamptz
        FROM order_locked WHERE prize_order.id = order_locked.id AND step <> 'none'
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'prize_order', id, revision + 1,
             CASE step WHEN 'submit' THEN 'prize_order.submitted' ELSE 'prize_order.confirmation_requested' END,
             state, CASE step WHEN 'submit' THEN 'submitted' ELSE state END, 'worker', ${now}::timestamptz
        FROM order_locked WHERE step <> 'none'
    ),
    work_locked AS (
      SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT outbox_id FROM order_locked)) ORDER BY id FOR UPDATE
    ),
    work_done AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM work_locked))
    )
    SELECT outbox_id AS id FROM order_locked`

  const stored = new Set(rows.map((row) => String(row.id)))
  return new Map(
    writes
      .filter((write) => stored.has(write.job.outboxId))
      .map((write) => [write, write.step === 'none' ? 'nothing_to_do' : 'done']),
  )
}
