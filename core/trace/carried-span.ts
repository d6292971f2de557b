import { currentSpan, runWithoutSpan } from './current-span.ts'
import type { Span } from './tracer.ts'

/**
 * A request waits for its batch, and may then wait for another one: meanwhile the current span is the batch's. So
 * a request carries its own span from the first of them on.
 */
const carried = new WeakMap<object, Span>()

/** The span that a request carries: the current one when this is first called for it. Undefined while tracing is off. */
export function carrySpan(request: unknown): Span | undefined {
  const current = currentSpan()
  if (current === undefined || typeof request !== 'object' || request === null) return undefined
  const known = carried.get(request)
  if (known !== undefined) return known
  carried.set(request, current)
  return current
}

/** For the row of work that a request causes; null while tracing is off. */
export function traceparentOf(request: object): string | null {
  return carried.get(request)?.traceparent ?? null
}

/**
 * Runs a batch. Its span continues the first one that is recorded, so that at least one trace shows it, and
 * links to all of them. If none is recorded, its span is not either.
 */
export function inSharedSpan<Result>(
  name: string | undefined,
  carriers: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const traced = carriers.filter((span) => span !== undefined)
  const requests = traced.filter(({ isSampled }) => isSampled)
  const first = requests[0] ?? traced[0]
  if (first === undefined || name === undefined) return runWithoutSpan(work)
  const links = [...new Set(requests.map(({ traceparent }) => traceparent))]
  return first.tracer.run(
    {
      name: `batch ${name}`,
      kind: 'internal',
      parent: first.traceparent,
      links,
      attributes: { 'rewards.batch.size': carriers.length },
    },
    work,
  )
}
