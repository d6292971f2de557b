import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanStart } from './tracer.ts'

/**
 * The span that the current work belongs to. Nothing is ever stored here while tracing is off, and a look into a storage that
 * was never used costs nothing.
 */
const spans = new AsyncLocalStorage<Span | undefined>()

export function currentSpan(): Span | undefined {
  return spans.getStore()
}

/** Only tracers call it: others use `Tracer.run` or `inSpan`. */
export function runWithin<Result>(span: Span, work: () => Result): Result {
  return spans.run(span, work)
}

/** For work that is shared by several callers, so that it does not seem to belong to the one that happened to start it. */
export function runWithoutSpan<Result>(work: () => Result): Result {
  return spans.getStore() === undefined ? work() : spans.run(undefined, work)
}

/** For rows that are written within a statement of one request or job; null while tracing is off. */
export function currentTraceparent(): string | null {
  return spans.getStore()?.traceparent ?? null
}

/** Runs work in a span below the current one; just runs it if there is none. */
export function inSpan<Result>(
  start: Omit<SpanStart, 'parent'>,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const current = spans.getStore()
  if (current === undefined) return work(undefined)
  return current.tracer.run({ ...start, parent: current.traceparent }, work)
}
