import type { Config } from '../platform/config.ts'
import { currentSpan } from './current-span.ts'

/** What a process's logger needs so that its lines name their traces; nothing where tracing is off. */
export function tracedLog({ isProduction, tracing }: Pick<Config, 'isProduction' | 'tracing'>): {
  isProduction: boolean
  mixin?: () => Record<string, string>
} {
  return tracing === undefined ? { isProduction } : { isProduction, mixin: traceFields }
}

/** What log lines have of the trace that they belong to; nothing outside of one. */
function traceFields(): Record<string, string> {
  const span = currentSpan()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}
