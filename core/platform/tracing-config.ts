import Joi from 'joi'

/** Where spans are exported to (OTLP over HTTP, protobuf), and which. */
export interface TracingConfig {
  /** Of the collector, for traces. */
  url: string
  headers: Readonly<Record<string, string>>
  exportTimeoutMs: number
  serviceName: string | undefined
  resourceAttributes: Readonly<Record<string, string>>
  sampler: (typeof samplers)[number]
  /** The part of the traces that samplers by ratio record. */
  samplerRatio: number
  /** Ended spans that wait for their export; further ones are lost. */
  queueSizeMax: number
  exportEveryMs: number
}

/** The names of OpenTelemetry's specification. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The parsed values of the variables. */
export interface ParsedTracing {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS: string | undefined
  OTEL_EXPORTER_OTLP_TIMEOUT: number
  OTEL_SERVICE_NAME: string | undefined
  OTEL_RESOURCE_ATTRIBUTES: string | undefined
  OTEL_TRACES_SAMPLER: (typeof samplers)[number]
  OTEL_TRACES_SAMPLER_ARG: number
  OTEL_BSP_MAX_QUEUE_SIZE: number
  OTEL_BSP_SCHEDULE_DELAY: number
}

const pairs = Joi.string()
  .max(8_000)
  .custom((value: string, helpers) => (parsePairs(value) === undefined ? helpers.error('pairs.form') : value))
  .messages({ 'pairs.form': '{{#label}} must be a list such as name=value,name=value' })

/** OpenTelemetry's own names, defaults and units. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .max(1_000),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_TIMEOUT: Joi.number().integer().min(100).max(60_000).default(10_000),
  OTEL_SERVICE_NAME: Joi.string().max(200),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: Joi.string()
    .valid(...samplers)
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: Joi.number().min(0).max(1).default(1),
  OTEL_BSP_MAX_QUEUE_SIZE: Joi.number().integer().min(1).max(100_000).default(2_048),
  OTEL_BSP_SCHEDULE_DELAY: Joi.number().integer().min(10).max(60_000).default(5_000),
} as const

/** Undefined where tracing is off. */
export function toTracingConfig(parsed: ParsedTracing): TracingConfig | undefined {
  const endpoint = parsed.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: parsePairs(parsed.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    exportTimeoutMs: parsed.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: parsed.OTEL_SERVICE_NAME,
    resourceAttributes: parsePairs(parsed.OTEL_RESOURCE_ATTRIBUTES ?? '') ?? {},
    sampler: parsed.OTEL_TRACES_SAMPLER,
    samplerRatio: parsed.OTEL_TRACES_SAMPLER_ARG,
    queueSizeMax: parsed.OTEL_BSP_MAX_QUEUE_SIZE,
    exportEveryMs: parsed.OTEL_BSP_SCHEDULE_DELAY,
  }
}

/** Of the form `name=value,name=value`, percent-encoded as in W3C Baggage; undefined if it is not. */
function parsePairs(text: string): Record<string, string> | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  try {
    const found = parts.map((part) => {
      const [, name = '', value = ''] =
        /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x20-\x7e]*)$/.exec(part) ?? []
      if (name === '') throw new URIError('a part has no name')
      return [decodeURIComponent(name), decodeURIComponent(value)] as const
    })
    return Object.fromEntries(found)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
