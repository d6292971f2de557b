/** Of `NoAnswerReason`, what says something of an address where nobody answered. */
const causes: readonly string[] = [
  'name_unknown',
  'connection_refused',
  'connection_lost',
  'tls_failed',
  'timeout',
]

/**
 * What a casino is told of a problem with its partner: the same for every cause that there was no answer. It chooses the
 * URL, so the cause would tell which hosts and ports there are: one that is closed refuses, one that is shielded times out,
 * one that is open fails at TLS. The database and the metrics keep the cause, for operators.
 */
export function toldProblem<Problem extends string | null>(problem: Problem): Problem | 'no_answer' {
  return problem !== null && causes.includes(problem) ? 'no_answer' : problem
}
