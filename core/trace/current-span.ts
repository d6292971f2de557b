import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from './tracer.ts'

/**
 * The span that the current work belongs to. Nothing is ever stored here while tracing is off, and a look into a storage that
 * was never used costs nothing.
 */
const spans = new AsyncLocalStorage<Span | undefined>()

export function currentSpan(): Span | undefined {
  return spans.getStore()
}

/** Only tracers call it: others use `Tracer.run`. */
export function runWithin<Result>(span: Span, work: () => Result): Result {
  return spans.run(span, work)
}

/** For work that is shared by several callers, so that it does not seem to belong to the one that happened to start it. */
export function runWithoutSpan<Result>(work: () => Result): Result {
  return spans.getStore() === undefined ? work() : spans.run(undefined, work)
}
