/** The role: `server` and `client` for HTTP, `producer` and `consumer` for jobs, `internal` within a process. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** Ids that the service makes, codes, names of routes and jobs, counts: never personal data, and no message of an error. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  /** Of few different values: a route, a job, a statement. */
  name: string
  kind: SpanKind
  /** The `traceparent` of the span that this one continues; without a valid one a trace begins. */
  parent?: string | null | undefined
  /** The `traceparent`s of spans of other traces that this one works for. */
  links?: readonly string[]
  attributes?: Attributes
}

/** A piece of work, from its start to its end. */
export interface Span {
  traceId: string
  spanId: string
  /** For headers and rows: the spans of later work continue here. */
  traceparent: string
  /** Whether it is exported, which the sampler has decided. */
  isSampled: boolean
  tracer: Tracer
  rename(name: string): void
  set(attributes: Attributes): void
  /** The work failed, for a reason with this code. */
  fail(code: string): void
}

/** Makes spans and exports them. There is none if tracing is off, and no code of it is loaded. */
export interface Tracer {
  /** Runs work in a span, which is the current one (current-span.ts) meanwhile. An error that is thrown marks it as failed. */
  run<Result>(start: SpanStart, work: (span: Span) => Promise<Result>): Promise<Result>
  /** Exports the remaining spans, within a few seconds; the others are lost. */
  stop(): Promise<void>
}
