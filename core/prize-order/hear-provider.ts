import type { NotMade } from '../outbound/attempt.ts'
import type { ProviderAnswer, ShipmentStatus, StatusOutcome } from '../partner/provider-outcome.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { OrderSnapshot } from './order.ts'
import { notePollProblem } from './poll-problem.ts'
import { newsAheadMaxMs, noteAnswer, receiveNews } from './receive-news.ts'
import type { StoreChangesDeps } from './store-changes.ts'

export interface HearProviderDeps extends StoreChangesDeps {
  log: Logger
  /** Told of answers that contradict an order and changed nothing. */
  onIgnored: (status: ShipmentStatus) => void
}

/** What a provider has answered to the question about a parcel goes the way of all its news. */
export async function hearStatus(
  deps: HearProviderDeps,
  order: OrderSnapshot,
  outcome: StatusOutcome,
): Promise<void> {
  const { casinoId, id: orderId, shipmentNumber } = order
  const now = deps.clock.now()
  if (outcome.kind === 'news' && outcome.news !== null) {
    if (outcome.news.occurredAt.getTime() > now.getTime() + newsAheadMaxMs) {
      deps.log.warn({ casinoId, orderId }, 'a provider told news of the future')
    } else {
      const id = `polled/${orderId}-${shipmentNumber}/${newId('req')}`
      const heard = { ...outcome.news, id, orderId, shipmentNumber }
      await receiveNews(deps, casinoId, heard, { isAnswer: true })
    }
  }
  const problem = await notePollProblem(deps.database, order, outcome, now)
  if (problem !== null) deps.log.warn({ casinoId, orderId, problem }, 'a provider leaves an order')
}

/**
 * The order has ended, has another parcel or other work, so nobody waits for this answer any more. One that may mean that
 * a parcel travels is kept as news: what contradicts the order must not go unnoticed.
 */
export async function keepContradiction(
  deps: HearProviderDeps,
  { casinoId, id: orderId, shipmentNumber, partnerOccurredAt }: OrderSnapshot,
  answer: ProviderAnswer,
  calledAt: Date,
): Promise<void> {
  const status = statusIn(answer)
  if (status === undefined) return
  // Not later than it can have happened, or it would silence what the provider tells next. Its clock may be ahead of ours.
  const atMs = (status === 'processing' ? calledAt : deps.clock.now()).getTime()
  const occurredAt = new Date(Math.max(atMs, partnerOccurredAt?.getTime() ?? atMs))
  await receiveNews(deps, casinoId, {
    id: `answered/${orderId}-${shipmentNumber}/${occurredAt.toISOString()}`,
    orderId,
    shipmentNumber,
    status,
    occurredAt,
    reason: null,
    carrier: null,
    trackingNumber: null,
  })
}

/** The order's history has it already. */
export async function tellContradiction(
  deps: HearProviderDeps,
  order: OrderSnapshot,
  status: ShipmentStatus,
): Promise<void> {
  await noteAnswer(deps, order, status)
  const { casinoId, id: orderId, shipmentNumber } = order
  const details = { casinoId, orderId, status, shipment_number: shipmentNumber }
  deps.log.warn(details, 'news contradicts an order, and changed nothing')
  deps.onIgnored(status)
}

/** What an answer says of its parcel: who accepts it packs it. Undefined when it contradicts nothing. */
function statusIn({ call, outcome }: ProviderAnswer): ShipmentStatus | undefined {
  if (call === 'submit') return outcome.kind === 'accepted' ? 'processing' : undefined
  if (call === 'poll') return undefined
  if (outcome.kind === 'refused') return 'cancel_refused'
  return outcome.kind === 'cancelled' ? 'cancelled' : undefined
}

/** For the job. */
export function describeAnswer(answer: ProviderAnswer | NotMade): string {
  const outcome = 'kind' in answer ? answer : answer.outcome
  if (outcome.kind === 'news') return describeOutcome(outcome.kind, outcome.news?.status)
  if (outcome.kind === 'rejected') return describeOutcome(outcome.kind, outcome.code)
  return describeOutcome(outcome.kind, 'problem' in outcome ? outcome.problem : undefined)
}
