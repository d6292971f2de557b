import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../../core/errors.ts'
import { errorResponse } from '../error-response.ts'
import type { Answer } from './description.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'
import type { MediaType, OperationObject, ResponseObject } from './openapi-types.ts'
import { errorBody, errorCodesOf, errorExample, errorsOf } from './errors.ts'
import { exampleOf } from './example.ts'
import type { answerHeaders } from './headers.ts'
import { nameObjects, pascalCase } from './name-objects.ts'
import type { Operation } from './operations.ts'

type HeaderName = keyof typeof answerHeaders

/** Everything that an operation may answer, by status, and the codes of its errors. */
export function describeAnswers(operation: Operation): {
  responses: OperationObject['responses']
  errorCodes: OperationObject['x-error-codes']
} {
  const responses: OperationObject['responses'] = {}
  const errorCodes: Record<string, readonly string[]> = {}
  for (const [status, answer] of Object.entries(operation.description.answers)) {
    responses[status] = describeSuccess(operation, Number(status), answer)
  }
  for (const [status, codes] of errorsOf(operation)) {
    errorCodes[status] = codes
    responses[status] =
      operation.style === 'general'
        ? {
            $ref: `#/components/responses/${errorName(status, hasLimit(operation))}`,
            description: describeCodes(status, codes),
          }
        : describeError(operation, status, codes)
  }
  return { responses, errorCodes }
}

/** The errors that all but the three operations share, by name. */
export function sharedErrors(operations: readonly Operation[]): Record<string, ResponseObject> {
  const shared: Record<string, ResponseObject> = {}
  for (const operation of operations.filter(({ style }) => style === 'general')) {
    for (const status of errorsOf(operation).keys()) {
      const codes = errorCodesOf(status)
      shared[errorName(status, hasLimit(operation))] ??= describeError(operation, status, codes)
    }
  }
  return shared
}

function errorName(status: number, isLimited: boolean): string {
  return isLimited ? statusName(status) : `${statusName(status)}WithoutKey`
}

function statusName(status: number): string {
  return pascalCase(STATUS_CODES[status] ?? 'Error')
}

/** Programs read the codes in `x-error-codes`; people, and generated code, here. */
function describeCodes(status: number, codes: readonly ErrorCode[]): string {
  const named = codes.map((code) => `\`${code}\``)
  return `${STATUS_CODES[status] ?? 'Error'}. \`X-Error-Code\` is ${named.join(' or ')}.`
}

function describeError(operation: Operation, status: number, codes: readonly ErrorCode[]): ResponseObject {
  const { style } = operation
  const names: HeaderName[] = ['X-Error-Code', ...(status === 401 ? (['WWW-Authenticate'] as const) : [])]
  if (codes.every((code) => 'Retry-After' in errorResponse(code, style).headers)) names.push('Retry-After')
  return {
    description: describeCodes(status, codes),
    headers: refs([...commonHeaders(operation), ...names]),
    content: {
      'application/json': {
        schema: nameObjects(
          `${pascalCase(operation.description.operationId)}${statusName(status).replace(/Error$/, '')}Error`,
          errorBody(style, status, codes),
        ),
        example: errorExample(style, codes),
      },
    },
  }
}

function describeSuccess(operation: Operation, status: number, answer: Answer): ResponseObject {
  const { schema, contentType = 'application/json' } = answer
  const headers = refs([...commonHeaders(operation), ...(answer.headers ?? [])])
  if (schema === undefined) return { description: answer.description, headers }
  const isText = schema.type === 'string'
  const title = `${pascalCase(operation.description.operationId)}${status < 300 ? '' : statusName(status)}Response`
  const named = nameObjects(title, schema)
  const media: MediaType = isText
    ? { schema }
    : { schema: named, example: exampleOfAnswer(named, answer.example) }
  return { description: answer.description, headers, content: { [contentType]: media } }
}

function exampleOfAnswer(schema: JsonSchema, special: object | undefined): unknown {
  const example = exampleOf(schema)
  if (special === undefined) return example
  const { data, ...rest } = example as { data: object } // of all that have a special one
  return { ...rest, data: { ...data, ...special } }
}

/** Whether each caller may call so often and not more. */
function hasLimit({ for: caller }: Operation): boolean {
  return caller !== 'anybody'
}

function commonHeaders(operation: Operation): HeaderName[] {
  return ['X-Request-Id', ...(hasLimit(operation) ? (['RateLimit-Policy', 'RateLimit'] as const) : [])]
}

function refs(names: readonly HeaderName[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
