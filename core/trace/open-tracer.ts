import type { Logger } from '../platform/logger.ts'
import type { TracingConfig } from '../platform/tracing-config.ts'
import type { Tracer } from './tracer.ts'

/** The tracer, or undefined if tracing is off. OpenTelemetry is loaded only here, when it is on. */
export async function openTracer(
  config: TracingConfig | undefined,
  options: { service: 'api' | 'manage' | 'worker'; log: Logger },
): Promise<Tracer | undefined> {
  if (config === undefined) return undefined
  const { createOtlpTracer } = await import('./otlp-tracer.ts')
  return createOtlpTracer(config, options)
}
