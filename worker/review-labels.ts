const codes = [
  'amount_mismatch',
  'wallet_contradicted',
  'wallet_changed',
  'result_lost',
  'not_called',
  'timeout',
  'connection_lost',
  'connection_refused',
  'name_unknown',
  'tls_failed',
  'answer_too_large',
  'answer_malformed',
  'answer_invalid',
  'refusal_unlisted',
  'url_invalid',
  'address_forbidden',
] as const
const classesOfStatus = ['status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const

/** The problems for which operators review cashbacks, as labels: docs/integrate/wallets.md explains the problems. */
export const reviewLabels = [...codes, ...classesOfStatus, 'other'] as const
export type ReviewLabel = (typeof reviewLabels)[number]

/**
 * The label under which a cashback's problem is counted. There are too many statuses to begin each of them at 0, so they
 * are counted by their class; a problem that this list lacks is `other`.
 */
export function labelOfProblem(problem: string): ReviewLabel {
  const label = problem.replace(/^(status_\d)\d\d$/, '$1xx')
  return reviewLabels.find((known) => known === label) ?? 'other'
}
