/**
 * The outbox holds work that is due and not finished. A row is written by the statement that causes the work and
 * deleted by the statement that stores its result; in between, a queue may lose the job without harm.
 *
 * The table may be empty, and grow to any length within seconds. A plan made while it is empty would go through all of
 * it, so every statement reaches its rows by `id = ANY(ARRAY(…))` or a lateral look-up, which leave no choice.
 */

/**
 * The time to put a new row's job into the queue, before the relay assumes that this failed (the process died, Redis is
 * away).
 */
export const relayAfterMs = 1_000
