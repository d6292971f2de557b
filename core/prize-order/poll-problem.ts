import type { StatusOutcome } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderState } from './state.ts'

/** What asking a provider about a parcel shows, and people must look into. */
export const pollProblems = ['parcel_unknown', 'provider_silent'] as const
export type PollProblem = (typeof pollProblems)[number]

/** Longer than a weekend. A parcel that is on its way may be for weeks; one that is to be packed is not. */
export const silentAfterMs = 3 * 24 * 3_600_000

const unsentStates: readonly OrderState[] = ['submitted', 'processing']

export function isPollProblem(problem: string | null): problem is PollProblem {
  return pollProblems.some((known) => known === problem)
}

/**
 * What an answer to the question about a parcel says of its order: that the provider knows nothing of it, or that for days
 * it has said nothing new, or nothing at all. Null when all is well.
 */
export function findPollProblem(
  { state, updatedAt }: Pick<OrderSnapshot, 'state' | 'updatedAt'>,
  outcome: StatusOutcome,
  now: Date,
): PollProblem | null {
  if (outcome.kind === 'parcel_unknown') return 'parcel_unknown'
  if (outcome.kind === 'news' && outcome.news !== null) return null
  const isSilent = unsentStates.includes(state) && now.getTime() - updatedAt.getTime() >= silentAfterMs
  return isSilent ? 'provider_silent' : null
}

/**
 * Writes a problem into an order that still is what was asked about, or takes one away. Other problems are none of ours; a
 * provider that cannot be reached does not take back that it knows nothing. Any step of the order takes it away, too.
 */
export async function notePollProblem(
  database: Database,
  order: OrderSnapshot,
  outcome: StatusOutcome,
  now: Date,
): Promise<PollProblem | null> {
  const problem = findPollProblem(order, outcome, now)
  const isUnheard = outcome.kind !== 'news' && order.problem === 'parcel_unknown'
  const isOurs = order.problem === null || isPollProblem(order.problem)
  if (!isOurs || problem === order.problem || (isUnheard && problem !== 'parcel_unknown')) return null
  const count = await database.$executeRaw`
    UPDATE prize_order SET problem = ${problem}::text
     WHERE id = ${order.id}::text AND casino_id = ${order.casinoId}::text AND revision = ${order.revision}::int
       AND problem IS NOT DISTINCT FROM ${order.problem}::text`
  return count > 0 ? problem : null
}
