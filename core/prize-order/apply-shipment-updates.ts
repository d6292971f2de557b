import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { shipmentStatuses } from '../partner/provider-outcome.ts'
import type { ShipmentStatus } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, text } from '../platform/sql.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideShipmentUpdate } from './decide-shipment-update.ts'
import type { UpdateOutcome } from './decide-shipment-update.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import type { ReceivedUpdate } from './receive-shipment-update.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

interface LoadedUpdate extends ReceivedUpdate {
  isStale: boolean
  isMore: boolean
}

export interface ApplyShipmentUpdatesDeps extends StoreChangesDeps {
  log: Logger
  /** Called for each update that was only noted, with its status. */
  onIgnored: (status: ShipmentStatus) => void
}

interface Loaded {
  orders: ReadonlyMap<string, OrderSnapshot>
  /** Updates without an outcome, by order, oldest first. */
  updates: ReadonlyMap<string, readonly LoadedUpdate[]>
}

/**
 * Applies shipment updates to orders. A legal update that is not older than the last applied one changes the order;
 * each gets an outcome. Those that operators must look at are logged and counted. One statement, idempotent.
 */
export function createApplyShipmentUpdates(
  deps: ApplyShipmentUpdatesDeps,
): (jobs: readonly JobPayload[]) => Promise<Settled<JobReport>[]> {
  const change: Change<JobPayload, Loaded, OrderChange, JobReport> = {
    load: async (jobs) => {
      const orders = await loadOrdersOfWork(deps.database, jobs)
      return { orders, updates: await loadUpdates(deps.database, [...orders.values()]) }
    },
    decide: ({ outboxId }, { orders, updates }) => {
      const order = orders.get(outboxId)
      if (order === undefined) return { answer: nothingToDo }
      const { plan, outcomes } = planUpdates(order, updates.get(order.id) ?? [])
      const who = { order, actor: 'provider', reason: null, requestId: null }
      return { write: { ...who, plan, updateOutcomes: outcomes, work: { outboxId, snoozeUntil: null } } }
    },
    store: async (changes) => {
      const stored = await storeOrderChanges(deps, 'updates', changes)
      for (const change of stored.keys()) reportIgnored(deps, change)
      return new Map([...stored.keys()].map((change) => [change, reportOf(change)]))
    },
  }
  return (jobs) => loadDecideStore(change, jobs)
}

const nothingToDo: JobReport = { result: 'nothing_to_do', outcome: 'nothing_to_do' }

/** The order's state, or `noted` if no update changed it. */
function reportOf({ plan: { steps } }: OrderChange): JobReport {
  const last = steps.at(-1)
  if (last === undefined) return nothingToDo
  return { result: 'done', outcome: last.event === 'news_ignored' ? 'noted' : last.to }
}

function reportIgnored({ log, onIgnored }: ApplyShipmentUpdatesDeps, { order, plan }: OrderChange): void {
  for (const { event, data } of plan.steps) {
    if (event !== 'news_ignored') continue
    const { casinoId, id: orderId } = order
    log.warn({ casinoId, orderId, ...data }, 'contradictory shipment update ignored')
    const status = shipmentStatuses.find((known) => known === data?.['status'])
    if (status !== undefined) onIgnored(status)
  }
}

/** One plan for all new updates, each decided on the result of the previous one. */
function planUpdates(order: OrderSnapshot, updates: readonly LoadedUpdate[]) {
  let informed = order
  let plan: OrderPlan = { steps: [] }
  const outcomes: { id: string; outcome: UpdateOutcome }[] = []
  const known = new Map<string, LoadedUpdate[]>()
  for (const update of updates) {
    const told = `${update.shipmentNumber} ${update.status} ${update.occurredAt.toISOString()}`
    const before = known.get(told) ?? []
    const decided = decideShipmentUpdate(informed, {
      ...update,
      isStale: update.isStale || before.some((earlier) => includesAll(earlier, update)),
      isMore: update.isMore || before.length > 0,
    })
    outcomes.push({ id: update.id, outcome: decided.outcome })
    if (decided.plan.steps.length === 0) continue
    known.set(told, [...before, update])
    plan = {
      ...plan,
      ...decided.plan,
      steps: [...plan.steps, ...decided.plan.steps],
      fields: { ...plan.fields, ...decided.plan.fields },
    }
    informed = { ...informed, ...decided.plan.fields, state: decided.plan.steps.at(-1)?.to ?? informed.state }
  }
  // The note describes only updates that were not applied.
  const isAllNoted = plan.steps.every(({ event }) => event === 'news_ignored')
  const { note, ...rest } = plan
  return { plan: isAllNoted && note !== undefined ? { ...rest, note } : rest, outcomes }
}

/** True if the earlier update holds everything that this one does. */
function includesAll(earlier: LoadedUpdate, { reason, carrier, trackingNumber }: LoadedUpdate): boolean {
  return (
    (reason ?? earlier.reason) === earlier.reason &&
    (carrier ?? earlier.carrier) === earlier.carrier &&
    (trackingNumber ?? earlier.trackingNumber) === earlier.trackingNumber
  )
}

const updatesPerOrderMax = 100

async function loadUpdates(database: Database, orders: readonly OrderSnapshot[]): Promise<Loaded['updates']> {
  const rows = await database.$queryRaw<LoadedUpdate[]>`
    SELECT received.id, received.order_id AS "orderId", received.shipment_number AS "shipmentNumber", received.status, received.reason,
           received.carrier, received.tracking_number AS "trackingNumber", received.occurred_at AS "occurredAt",
           known.is_stale AS "isStale", known.is_more AS "isMore"
      FROM ${batchInput(orders, {
        casino_id: text((order) => order.casinoId),
        order_id: text((order) => order.id),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM partner_event
        WHERE partner_event.casino_id = input.casino_id AND partner_event.order_id = input.order_id
          AND partner_event.outcome IS NULL
        ORDER BY occurred_at, received_at, id LIMIT ${updatesPerOrderMax}::int
     ) AS received
     CROSS JOIN LATERAL (
       SELECT coalesce(bool_or(
                known.occurred_at > received.occurred_at
                OR coalesce(received.reason, known.reason) IS NOT DISTINCT FROM known.reason
                   AND coalesce(received.carrier, known.carrier) IS NOT DISTINCT FROM known.carrier
                   AND coalesce(received.tracking_number, known.tracking_number) IS NOT DISTINCT FROM known.tracking_number
              ), false) AS is_stale,
              coalesce(bool_or(known.occurred_at = received.occurred_at), false) AS is_more
         FROM partner_event AS known
        WHERE known.casino_id = received.casino_id AND known.order_id = received.order_id
          AND known.shipment_number = received.shipment_number AND known.outcome IN ('applied', 'noted')
          AND (known.occurred_at > received.occurred_at
               OR known.occurred_at = received.occurred_at AND known.status = received.status)
     ) AS known`
  const byOrder = new Map<string, LoadedUpdate[]>()
  for (const row of rows) byOrder.set(row.orderId, [...(byOrder.get(row.orderId) ?? []), row])
  return byOrder
}
