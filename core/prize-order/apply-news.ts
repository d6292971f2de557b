import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { shipmentStatuses } from '../partner/provider-outcome.ts'
import type { ShipmentStatus } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, text } from '../platform/sql.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideNews } from './decide-news.ts'
import type { NewsOutcome } from './decide-news.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import type { ReceivedNews } from './receive-news.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

interface LoadedNews extends ReceivedNews {
  isStale: boolean
  isMore: boolean
}

export interface ApplyNewsDeps extends StoreChangesDeps {
  log: Logger
  /** News that was only noted, by its status. */
  onIgnored: (status: ShipmentStatus) => void
}

interface Loaded {
  orders: ReadonlyMap<string, OrderSnapshot>
  /** What has not been looked at yet, by order, in the order in which it happened. */
  news: ReadonlyMap<string, readonly LoadedNews[]>
}

/**
 * Applies news to orders: what is legal and not older than what was applied before changes the order; of everything it
 * is written down what became of it. What people must know of is in the log and counted. One statement; doing it again
 * changes nothing.
 */
export function createApplyNews(
  deps: ApplyNewsDeps,
): (jobs: readonly JobPayload[]) => Promise<Settled<JobReport>[]> {
  const change: Change<JobPayload, Loaded, OrderChange, JobReport> = {
    load: async (jobs) => {
      const orders = await loadOrdersOfWork(deps.database, jobs)
      return { orders, news: await loadNews(deps.database, [...orders.values()]) }
    },
    decide: ({ outboxId }, { orders, news }) => {
      const order = orders.get(outboxId)
      if (order === undefined) return { answer: nothingToDo }
      const { plan, outcomes } = planNews(order, news.get(order.id) ?? [])
      const who = { order, actor: 'provider', reason: null, requestId: null }
      return { write: { ...who, plan, newsOutcomes: outcomes, work: { outboxId, snoozeUntil: null } } }
    },
    store: async (changes) => {
      const stored = await storeOrderChanges(deps, changes)
      for (const change of stored.keys()) tellIgnored(deps, change)
      return new Map([...stored.keys()].map((change) => [change, reportOf(change)]))
    },
  }
  return (jobs) => loadDecideStore(change, jobs)
}

const nothingToDo: JobReport = { result: 'nothing_to_do', outcome: 'nothing_to_do' }

/** Where the order is now, or that the news was only noted. */
function reportOf({ plan: { steps } }: OrderChange): JobReport {
  const last = steps.at(-1)
  if (last === undefined) return nothingToDo
  return { result: 'done', outcome: last.event === 'news_ignored' ? 'noted' : last.to }
}

function tellIgnored({ log, onIgnored }: ApplyNewsDeps, { order, plan }: OrderChange): void {
  for (const { event, data } of plan.steps) {
    if (event !== 'news_ignored') continue
    const { casinoId, id: orderId } = order
    log.warn({ casinoId, orderId, ...data }, 'news contradicts an order, and changed nothing')
    const status = shipmentStatuses.find((known) => known === data?.['status'])
    if (status !== undefined) onIgnored(status)
  }
}

/** One plan for all that is new, each piece decided after the one before it. */
function planNews(order: OrderSnapshot, news: readonly LoadedNews[]) {
  let informed = order
  let plan: OrderPlan = { steps: [] }
  const outcomes: { id: string; outcome: NewsOutcome }[] = []
  const known = new Map<string, LoadedNews[]>()
  for (const piece of news) {
    const told = `${piece.shipmentNumber} ${piece.status} ${piece.occurredAt.toISOString()}`
    const before = known.get(told) ?? []
    const decided = decideNews(informed, {
      ...piece,
      isStale: piece.isStale || before.some((earlier) => saysAll(earlier, piece)),
      isMore: piece.isMore || before.length > 0,
    })
    outcomes.push({ id: piece.id, outcome: decided.outcome })
    if (decided.plan.steps.length === 0) continue
    known.set(told, [...before, piece])
    plan = {
      ...plan,
      ...decided.plan,
      steps: [...plan.steps, ...decided.plan.steps],
      fields: { ...plan.fields, ...decided.plan.fields },
    }
    informed = { ...informed, ...decided.plan.fields, state: decided.plan.steps.at(-1)?.to ?? informed.state }
  }
  // Of what was applied the note says nothing.
  const isAllNoted = plan.steps.every(({ event }) => event === 'news_ignored')
  const { note, ...rest } = plan
  return { plan: isAllNoted && note !== undefined ? { ...rest, note } : rest, outcomes }
}

/** Whether what was told earlier holds all that this says. */
function saysAll(earlier: LoadedNews, { reason, carrier, trackingNumber }: LoadedNews): boolean {
  return (
    (reason ?? earlier.reason) === earlier.reason &&
    (carrier ?? earlier.carrier) === earlier.carrier &&
    (trackingNumber ?? earlier.trackingNumber) === earlier.trackingNumber
  )
}

const newsOfOrderMax = 100

async function loadNews(database: Database, orders: readonly OrderSnapshot[]): Promise<Loaded['news']> {
  const rows = await database.$queryRaw<LoadedNews[]>`
    SELECT news.id, news.order_id AS "orderId", news.shipment_number AS "shipmentNumber", news.status, news.reason,
           news.carrier, news.tracking_number AS "trackingNumber", news.occurred_at AS "occurredAt",
           known.is_stale AS "isStale", known.is_more AS "isMore"
      FROM ${batchInput(orders, {
        casino_id: text((order) => order.casinoId),
        order_id: text((order) => order.id),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM partner_event
        WHERE partner_event.casino_id = input.casino_id AND partner_event.order_id = input.order_id
          AND partner_event.outcome IS NULL
        ORDER BY occurred_at, received_at, id LIMIT ${newsOfOrderMax}::int
     ) AS news
     CROSS JOIN LATERAL (
       SELECT coalesce(bool_or(
                known.occurred_at > news.occurred_at
                OR coalesce(news.reason, known.reason) IS NOT DISTINCT FROM known.reason
                   AND coalesce(news.carrier, known.carrier) IS NOT DISTINCT FROM known.carrier
                   AND coalesce(news.tracking_number, known.tracking_number) IS NOT DISTINCT FROM known.tracking_number
              ), false) AS is_stale,
              coalesce(bool_or(known.occurred_at = news.occurred_at), false) AS is_more
         FROM partner_event AS known
        WHERE known.casino_id = news.casino_id AND known.order_id = news.order_id
          AND known.shipment_number = news.shipment_number AND known.outcome IN ('applied', 'noted')
          AND (known.occurred_at > news.occurred_at
               OR known.occurred_at = news.occurred_at AND known.status = news.status)
     ) AS known`
  const byOrder = new Map<string, LoadedNews[]>()
  for (const row of rows) byOrder.set(row.orderId, [...(byOrder.get(row.orderId) ?? []), row])
  return byOrder
}
