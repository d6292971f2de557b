import type { JsonSchema } from '../../core/shape/json-schema.ts'
import type { Operation } from './operations.ts'

/** An operation's object, as far as the page and the tests look at it. */
export interface OperationObject {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  deprecated?: true
  parameters?: readonly ParameterObject[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, ResponseObject | Reference>
  security: readonly Record<string, readonly string[]>[]
  /** The codes of `X-Error-Code`, by status. More may be added. */
  'x-error-codes': Record<string, readonly string[]>
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  deprecated?: true
  schema: JsonSchema
  example: unknown
}

export interface MediaType {
  schema: JsonSchema
  example?: unknown
}

export interface Reference {
  $ref: string
  /** In place of the description of the referenced object. */
  description?: string
}

export interface ResponseObject {
  description: string
  headers: Record<string, Reference | OptionalHeader>
  content?: Record<string, MediaType>
}

export interface HeaderObject {
  description: string
  required?: true
  schema: JsonSchema
  example: string
}

/** One that others may send us. */
export interface OptionalHeader {
  description: string
  schema: JsonSchema
  example: string
}

/** A call that we make, of another party's system. */
export type WebhookObject = Omit<OperationObject, 'x-error-codes'>

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: readonly { url: string; description: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Record<string, Partial<Record<Operation['method'], OperationObject>>>
  webhooks: Record<string, { post: WebhookObject }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseObject>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, unknown>
  }
}
