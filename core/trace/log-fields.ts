import type { Config } from '../platform/config.ts'
import { currentSpan } from './current-span.ts'

/** The options of a process's logger that make its lines name their traces; none where tracing is off. */
export function tracedLog({ isProduction, tracing }: Pick<Config, 'isProduction' | 'tracing'>): {
  isProduction: boolean
  mixin?: () => Record<string, string>
} {
  return tracing === undefined ? { isProduction } : { isProduction, mixin: traceFields }
}

/** The fields of a log line that name the trace it belongs to; none outside of a trace. */
function traceFields(): Record<string, string> {
  const span = currentSpan()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}
