import { ROOT_CONTEXT, SpanKind as OtelKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Context, Link, Span as OtelSpan, SpanContext } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import { RewardsError } from '../errors.ts'
import { withinMs } from '../platform/deadline.ts'
import type { Logger } from '../platform/logger.ts'
import type { TracingConfig } from '../platform/tracing-config.ts'
import { serviceVersion } from '../platform/version.ts'
import { runWithin } from './current-span.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'
import type { Span, SpanKind, SpanStart, Tracer } from './tracer.ts'

/** At least as many as a hand-over has works (core/outbox/hand-over.ts) and a batch has requests (core/batch/batcher.ts). */
const linksMax = 512
/** Our texts are ids and codes; a longer one is a mistake. */
const attributeLengthMax = 256
/** For sending the remaining spans when the process stops; it must fit into the time that stopping may take. */
const stopWithinMs = 2_000

/**
 * Exports spans with OpenTelemetry's own library, in the background: ended spans wait in a bounded queue, are sent one bulk at a
 * time, and are dropped when the queue is full. So a collector that is away, slow or silent delays nothing.
 */
export function createOtlpTracer(
  config: TracingConfig,
  { service, log }: { service: string; log: Logger },
): Tracer {
  const exporter = new OTLPTraceExporter({
    url: config.url,
    headers: { ...config.headers },
    timeoutMillis: config.exportTimeoutMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName ?? `rewards-${service}`,
      'service.version': serviceVersion(),
      'process.pid': process.pid,
      ...config.resourceAttributes,
    }),
    sampler: samplerOf(config),
    spanLimits: { linkCountLimit: linksMax, attributeValueLengthLimit: attributeLengthMax },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellingOutages(exporter, log),
        maxQueueSize: config.queueSizeMax,
        maxExportBatchSize: Math.min(512, config.queueSizeMax),
        scheduledDelayMillis: config.exportEveryMs,
        // The exporter's own time-out comes first, and says why.
        exportTimeoutMillis: config.exportTimeoutMs + 1_000,
      }),
    ],
  })
  const otel = provider.getTracer('casino-rewards')
  const tracer: Tracer = {
    run: async (start, work) => {
      const { name, kind, parent, links = [], attributes = {} } = start
      const otelSpan = otel.startSpan(
        name,
        { kind: kinds[kind], attributes, links: links.flatMap(toLink) },
        contextOf(parent),
      )
      const span = wrap(otelSpan, tracer)
      try {
        return await runWithin(span, () => work(span))
      } catch (error) {
        span.fail(error instanceof RewardsError ? error.code : 'internal')
        throw error
      } finally {
        otelSpan.end()
      }
    },
    stop: async () => {
      try {
        await withinMs(provider.shutdown(), stopWithinMs)
      } catch (error) {
        log.warn({ err: error }, 'the last spans are lost: they could not be exported')
      }
    },
  }
  return tracer
}

const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
}

function wrap(span: OtelSpan, tracer: Tracer): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  return {
    traceId,
    spanId,
    traceparent: formatTraceparent({ traceId, spanId, isSampled }),
    isSampled,
    tracer,
    rename: (name) => {
      span.updateName(name)
    },
    set: (attributes) => {
      span.setAttributes(attributes)
    },
    fail: (code) => {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', code)
    },
  }
}

function contextOf(parent: SpanStart['parent']): Context {
  const context = toSpanContext(parent)
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context)
}

function toLink(traceparent: string): Link[] {
  const context = toSpanContext(traceparent)
  return context === undefined ? [] : [{ context }]
}

function toSpanContext(traceparent: string | null | undefined): SpanContext | undefined {
  const place = parseTraceparent(traceparent)
  if (place === undefined) return undefined
  const { traceId, spanId, isSampled } = place
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
}

function samplerOf({ sampler, samplerRatio }: TracingConfig): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(samplerRatio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplerRatio) })
    default:
      return sampler satisfies never
  }
}

/** Logs the begin and the end of an outage of the collector, once each. Its own text is left out: it may be a whole page. */
function tellingOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        if (hasFailed && !isFailing) {
          const { name, code } = result.error as Error & { code?: unknown }
          log.warn(
            { reason: name, code },
            'spans cannot be exported: they are dropped until the collector answers',
          )
        }
        if (!hasFailed && isFailing) log.info('spans are exported again')
        isFailing = hasFailed
        done({ code: result.code })
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush === undefined
      ? {}
      : { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
