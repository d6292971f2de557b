/** The members of `NoAnswerReason` that reveal something about an address. */
const causes: readonly string[] = [
  'name_unknown',
  'connection_refused',
  'connection_lost',
  'tls_failed',
  'timeout',
]

/**
 * A partner's problem as casinos see it: one code for every cause of a missing answer. The casino chooses the URL, so
 * the cause would reveal hosts and ports: a closed one refuses, a filtered one times out, an open one fails at TLS. The
 * database and the metrics keep the cause, for operators.
 */
export function publicProblem<Problem extends string | null>(problem: Problem): Problem | 'no_answer' {
  return problem !== null && causes.includes(problem) ? 'no_answer' : problem
}

/**
 * The same for a webhook receiver. A name with only private addresses counts as a host that does not answer, or casinos
 * could probe the names of a private network.
 */
export function publicReceiverProblem<Problem extends string | null>(
  problem: Problem,
): Problem | 'no_answer' {
  return problem === 'address_forbidden' ? 'no_answer' : publicProblem(problem)
}
