import { eventually } from './eventually.ts'
import { startHttpServer } from './partner-server.ts'

/** A span as it was exported. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentId: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unspecified'
  attributes: Readonly<Record<string, string | number | boolean>>
  links: readonly { traceId: string; spanId: string }[]
  hasFailed: boolean
  statusMessage: string
  /** How many events it has: the service writes none, since errors would be among them. */
  events: number
  resource: Readonly<Record<string, string | number | boolean>>
}

/** A collector of traces: OTLP over HTTP, in protobuf. */
export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: readonly ReceivedSpan[]
  /** The bodies and headers, as they came. */
  requests: readonly { path: string; headers: Readonly<Record<string, unknown>>; body: Buffer }[]
  /** Waits for a span. */
  find(what: string, isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
  /** How the next exports are answered: with a status, or never. */
  behave(behaviour: number | 'hang'): void
  stop(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: Readonly<Record<string, unknown>>; body: Buffer }[] = []
  let behaviour: number | 'hang' = 200
  const server = await startHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      if (behaviour === 'hang') return
      if (behaviour === 200) spans.push(...readSpans(body))
      response.writeHead(behaviour, { 'Content-Type': 'application/x-protobuf' }).end()
    })
  })
  return {
    url: server.url,
    spans,
    requests,
    find: (what, isWanted) => eventually(`a span: ${what}`, () => spans.find(isWanted)),
    behave: (next) => {
      behaviour = next
    },
    stop: () => server.stop(),
  }
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** The numbers are those of the fields in opentelemetry/proto/trace/v1/trace.proto. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return messagesIn(body, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(messagesIn(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1)
    return messagesIn(resourceSpans, 2).flatMap((scope) =>
      messagesIn(scope, 2).map((span) => readSpan(span, resource)),
    )
  })
}

function readSpan(span: Buffer, resource: ReceivedSpan['resource']): ReceivedSpan {
  const status = messagesIn(span, 15)[0] ?? Buffer.alloc(0)
  return {
    traceId: messagesIn(span, 1)[0]?.toString('hex') ?? '',
    spanId: messagesIn(span, 2)[0]?.toString('hex') ?? '',
    parentId: messagesIn(span, 4)[0]?.toString('hex') ?? '',
    name: messagesIn(span, 5)[0]?.toString('utf8') ?? '',
    kind: kinds[numberIn(span, 6) ?? 0] ?? 'unspecified',
    attributes: readAttributes(span, 9),
    links: messagesIn(span, 13).map((link) => ({
      traceId: messagesIn(link, 1)[0]?.toString('hex') ?? '',
      spanId: messagesIn(link, 2)[0]?.toString('hex') ?? '',
    })),
    hasFailed: numberIn(status, 3) === 2,
    statusMessage: messagesIn(status, 2)[0]?.toString('utf8') ?? '',
    events: messagesIn(span, 11).length,
    resource,
  }
}

function readAttributes(message: Buffer, field: number): Record<string, string | number | boolean> {
  return Object.fromEntries(
    messagesIn(message, field).map((pair) => {
      const value = messagesIn(pair, 2)[0] ?? Buffer.alloc(0)
      const flag = numberIn(value, 2)
      const known =
        messagesIn(value, 1)[0]?.toString('utf8') ??
        (flag === undefined ? undefined : flag === 1) ??
        numberIn(value, 3) ??
        fieldsOf(value)
          .find((each) => each.field === 4)
          ?.bytes?.readDoubleLE()
      return [messagesIn(pair, 1)[0]?.toString('utf8') ?? '', known ?? '']
    }),
  )
}

interface Field {
  field: number
  /** Of a varint. */
  number?: number
  bytes?: Buffer
}

function messagesIn(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message).flatMap((each) => (each.field === field && each.bytes ? [each.bytes] : []))
}

function numberIn(message: Buffer, field: number): number | undefined {
  return fieldsOf(message).find((each) => each.field === field)?.number
}

/** Protobuf's wire format. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(value)
    }
    throw new Error('a varint is too long')
  }
  const take = (length: number) => {
    if (at + length > message.length) throw new Error('a field is longer than its message')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = varint()
    const field = Math.floor(tag / 8)
    const type = tag % 8
    if (type === 0) fields.push({ field, number: varint() })
    else if (type === 1) fields.push({ field, bytes: take(8) })
    else if (type === 2) fields.push({ field, bytes: take(varint()) })
    else if (type === 5) fields.push({ field, bytes: take(4) })
    else throw new Error(`a field has the unknown type ${type}`)
  }
  return fields
}
