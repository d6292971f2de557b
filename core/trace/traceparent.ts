/** Where a span is: its trace and its own id, and whether the trace is recorded. Ids are lower-case hex. */
export interface SpanPlace {
  traceId: string
  spanId: string
  isSampled: boolean
}

/** W3C Trace Context. Later versions may add fields behind these; ids of zeros and the version ff are invalid. */
const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Of a later version that says more. */
const lengthMax = 200

/** The place in a `traceparent`; undefined if it is missing or invalid: the trace then begins here. */
export function parseTraceparent(text: string | null | undefined): SpanPlace | undefined {
  if (text === null || text === undefined || text.length > lengthMax) return undefined
  const [, version, traceId, spanId, flags, more] = pattern.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, isSampled }: SpanPlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
