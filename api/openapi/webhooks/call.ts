import type { Tag } from '../description.ts'
import { exampleOf } from '../example.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import { nameObjects } from '../name-objects.ts'
import type { ParameterObject, ResponseObject, WebhookObject } from '../openapi-types.ts'

/** A call that we make, as its code has it. */
export interface Call {
  /** The method's name in generated code: a verb and a noun, never changed once released. */
  operationId: string
  tag: Tag
  summary: string
  description: string
  /** Absent if a call has no id that its repetition shares. */
  idempotencyKey?: { description: string; example: string }
  /** The content of `webhook-id`. */
  webhookId: { description: string; example: string }
  body: JsonSchema
  /** By status, `2XX` or `default`. */
  answers: Readonly<Record<string, CallAnswer>>
}

export interface CallAnswer {
  description: string
  schema?: JsonSchema
  headers?: ResponseObject['headers']
}

export function describeCall(call: Call): { post: WebhookObject } {
  const { operationId, tag, summary, description, body } = call
  const responses = Object.entries(call.answers).map(([status, answer]) => [status, describeAnswer(answer)])
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description,
      parameters: headersOf(call),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, example: exampleOf(body) } },
      },
      responses: Object.fromEntries(responses) as WebhookObject['responses'],
      security: [{ signature: [] }],
    },
  }
}

function describeAnswer({ description, schema, headers = {} }: CallAnswer): ResponseObject {
  return {
    description,
    headers,
    ...(schema === undefined
      ? {}
      : { content: { 'application/json': { schema, example: exampleOf(schema) } } }),
  }
}

/** Names the objects in the values that one of our parsers accepts. */
export function namedAnswer(title: string, schema: JsonSchema): JsonSchema {
  return nameObjects(title, schema)
}

const signaturePattern = '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$'

/** Names as Node and HTTP/2 have them; HTTP does not tell capital letters from others. */
function headersOf({ idempotencyKey, webhookId }: Call): ParameterObject[] {
  const id: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 }
  return [
    ...(idempotencyKey === undefined ? [] : [header('Idempotency-Key', idempotencyKey, id)]),
    header('webhook-id', webhookId, id),
    header(
      'webhook-timestamp',
      {
        description:
          'When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.',
        example: '1896091200',
      },
      { type: 'string', pattern: '^\\d{1,12}$' },
    ),
    header(
      'webhook-signature',
      {
        description:
          '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.',
        example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      { type: 'string', pattern: signaturePattern },
    ),
  ]
}

function header(
  name: string,
  { description, example }: { description: string; example: string },
  schema: JsonSchema,
): ParameterObject {
  return { name, in: 'header', required: true, description, schema, example }
}
