import type { StatusOutcome } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderState } from './state.ts'

/** Problems that polling finds, and that operators must look into. */
export const pollProblems = ['parcel_unknown', 'provider_silent'] as const
export type PollProblem = (typeof pollProblems)[number]

/** Longer than a weekend. A parcel may be on its way for weeks, but not be packed for weeks. */
export const silentAfterMs = 3 * 24 * 3_600_000

const unsentStates: readonly OrderState[] = ['submitted', 'processing']

export function isPollProblem(problem: string | null): problem is PollProblem {
  return pollProblems.some((known) => known === problem)
}

/**
 * The problem that a poll's answer shows: the provider does not know the parcel, or has reported nothing new for days.
 * Null if there is none.
 */
export function findPollProblem(
  { state, updatedAt }: Pick<OrderSnapshot, 'state' | 'updatedAt'>,
  outcome: StatusOutcome,
  now: Date,
): PollProblem | null {
  if (outcome.kind === 'parcel_unknown') return 'parcel_unknown'
  if (outcome.kind === 'shipment_update' && outcome.update !== null) return null
  const isSilent = unsentStates.includes(state) && now.getTime() - updatedAt.getTime() >= silentAfterMs
  return isSilent ? 'provider_silent' : null
}

/**
 * Stores a poll problem in an order that is still as loaded, or clears one. Other problems are left alone. An
 * unreachable provider does not clear `parcel_unknown`. Any step of the order clears it too.
 */
export async function storePollProblem(
  database: Database,
  order: OrderSnapshot,
  outcome: StatusOutcome,
  now: Date,
): Promise<PollProblem | null> {
  const problem = findPollProblem(order, outcome, now)
  const isUnheard = outcome.kind !== 'shipment_update' && order.problem === 'parcel_unknown'
  const isOurs = order.problem === null || isPollProblem(order.problem)
  if (!isOurs || problem === order.problem || (isUnheard && problem !== 'parcel_unknown')) return null
  const { id, casinoId, revision, problem: loaded } = order
  const { count } = await database.prizeOrder.updateMany({
    where: { id, casinoId, revision, problem: loaded },
    data: { problem },
  })
  return count > 0 ? problem : null
}
