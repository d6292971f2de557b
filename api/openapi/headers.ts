import type { HeaderObject } from './openapi-types.ts'

/** Those of answers, by their names. */
export const answerHeaders = {
  'X-Request-Id': {
    required: true,
    description: 'Names the request in the service’s log: the caller’s own, if it sent a harmless one.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'req_01b977d7aa0076a1b2c3d4e5f6071807',
  },
  'X-Error-Code': {
    required: true,
    description: 'A stable code of the error, for programs. More may be added.',
    schema: { type: 'string', pattern: '^[a-z]+(_[a-z]+)*$' },
    example: 'parameters_invalid',
  },
  'WWW-Authenticate': {
    required: true,
    description: 'How to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  'Retry-After': {
    required: true,
    description: 'Seconds after which trying again makes sense.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '1',
  },
  'RateLimit-Policy': {
    description:
      'The limit of this key (of partners, of this address) for this operation: requests (`q`) and seconds (`w`).',
    schema: { type: 'string', pattern: '^"[a-z_]+";q=\\d+;w=\\d+$' },
    example: '"box_open";q=20000;w=2',
  },
  RateLimit: {
    description:
      'The number of requests that are left now (`r`), and the seconds until all are available again (`t`).',
    schema: { type: 'string', pattern: '^"[a-z_]+";r=\\d+;t=\\d+$' },
    example: '"box_open";r=19999;t=1',
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    required: true,
    description: 'Names this answer; see `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
    example: '"q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"',
  },
  'Cache-Control': {
    required: true,
    description: 'Whether caches may keep the answer, and for how long.',
    schema: { type: 'string', minLength: 1 },
    example: 'private, no-cache',
  },
  Location: {
    required: true,
    description: 'The address to use instead.',
    schema: { type: 'string', minLength: 1 },
    example: '/docs',
  },
} as const satisfies Record<string, HeaderObject>

/** Those of requests, by their names. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.',
    schema: { type: 'string', pattern: '^("[\\x21-\\x7e]{1,255}"|[\\x21-\\x7e]{1,255})$' },
    example: 'c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913',
  },
  'X-Reason': {
    description:
      'Why this is done, for the audit trail. Operators who are signed in must say; keys may. At most 500 characters; those that are not ASCII, and `%`, are percent-encoded in UTF-8.',
    schema: { type: 'string', minLength: 1, pattern: '^[ -~]+$' },
    example: 'The odds of the spring campaign',
  },
  'X-Test-Outcome': {
    description: 'With a key of mode `test` only: the `item_id` that is to be won.',
    schema: { type: 'string', minLength: 1, maxLength: 512 },
    example: 'mug',
  },
  'If-None-Match': {
    description: 'The `ETag` of an answer that the caller has: 304 when it is still the same.',
    schema: { type: 'string' },
    example: '"q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"',
  },
} as const satisfies Record<string, HeaderObject>
