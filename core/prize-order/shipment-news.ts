import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { RewardsError } from '../errors.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { shipmentStatuses } from '../partner/provider-outcome.ts'
import type { ShipmentNews, ShipmentStatus } from '../partner/provider-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { erasedNewsId } from './erased-news.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideNews } from './decide-news.ts'
import type { NewsOutcome } from './decide-news.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

/** What a provider says of a shipment, under the provider's own id of the message. */
export interface ReceivedNews extends ShipmentNews {
  id: string
  orderId: string
  shipmentNumber: number
}

/** Clocks differ by minutes. One that is ahead by more would silence everything that is told afterwards. */
export const newsAheadMaxMs = 24 * 3_600_000

/**
 * Writes down what a provider says, once for each of its ids, with the work of acting on it. Whether anything follows is
 * decided by a worker. Of an order whose delivery details were erased, nothing is kept that leads to a person; the lock
 * keeps the order from being erased at the same moment. What was heard by asking has no id of the provider's: with
 * `isAnswer`, the same once more is the same piece. Throws `order_unknown`.
 */
export async function receiveNews(
  { database, clock, handOver }: { database: Database; clock: Clock; handOver: HandOver },
  casinoId: string,
  news: ReceivedNews,
  { isAnswer = false }: { isAnswer?: boolean } = {},
): Promise<void> {
  const rows = await database.$queryRaw<{ order_id: string; outbox_id: bigint | null }[]>`
    WITH known AS (
      SELECT id, delivery_key IS NULL AS is_erased FROM prize_order
       WHERE id = ${news.orderId}::text AND casino_id = ${casinoId}::text
         FOR SHARE
    ),
    received AS (
      INSERT INTO partner_event (casino_id, id, order_id, shipment_number, status, reason, carrier, tracking_number,
                                 occurred_at, received_at)
      SELECT ${casinoId}::text,
             CASE WHEN is_erased THEN ${erasedNewsId(sql`${news.id}::text`)} ELSE ${news.id}::text END,
             id, ${news.shipmentNumber}::int, ${news.status}::text,
             CASE WHEN NOT is_erased THEN ${news.reason}::text END, CASE WHEN NOT is_erased THEN ${news.carrier}::text END,
             CASE WHEN NOT is_erased THEN ${news.trackingNumber}::text END,
             ${instant(news.occurredAt)}, ${instant(clock.now())}
        FROM known
       WHERE NOT (${isAnswer}::boolean AND EXISTS (
               SELECT FROM partner_event AS heard
                WHERE heard.casino_id = ${casinoId}::text AND heard.order_id = known.id
                  AND heard.shipment_number = ${news.shipmentNumber}::int AND heard.status = ${news.status}::text
                  AND heard.occurred_at = ${instant(news.occurredAt)}
                  AND (is_erased
                       OR heard.reason IS NOT DISTINCT FROM ${news.reason}::text
                          AND heard.carrier IS NOT DISTINCT FROM ${news.carrier}::text
                          AND heard.tracking_number IS NOT DISTINCT FROM ${news.trackingNumber}::text)))
          ON CONFLICT DO NOTHING
      RETURNING order_id
    ),
    ${causedWork({ from: sql`received`, jobName: 'apply-shipment-news', objectId: sql`order_id` })}
    SELECT known.id AS order_id, work_due.id AS outbox_id
      FROM known LEFT JOIN work_due ON work_due.object_id = known.id`
  if (rows.length === 0) throw new RewardsError('order_unknown')
  handOver(
    rows.flatMap(({ order_id: objectId, outbox_id: id }) =>
      id === null ? [] : [{ jobName: 'apply-shipment-news' as const, outboxId: String(id), objectId }],
    ),
  )
}

/**
 * Writes down what a provider's answer says against an order that its updates have moved on: it changes nothing, and is
 * counted with the news that people must look into. It silences nothing that is told next, so it is older than all of it.
 */
export async function noteAnswer(
  { database, clock }: { database: Database; clock: Clock },
  { casinoId, id: orderId, shipmentNumber, createdAt }: OrderSnapshot,
  status: ShipmentStatus,
): Promise<void> {
  const id = `answered/${orderId}-${shipmentNumber}/${status}/${clock.now().toISOString()}`
  await database.$executeRaw`
    INSERT INTO partner_event (casino_id, id, order_id, shipment_number, status, occurred_at, received_at, outcome)
    VALUES (${casinoId}::text, ${id}::text, ${orderId}::text, ${shipmentNumber}::int, ${status}::text,
            ${instant(createdAt)}, ${instant(clock.now())}, 'noted')
        ON CONFLICT DO NOTHING`
}

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
