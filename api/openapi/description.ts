import type Joi from 'joi'
import type { ErrorCode } from '../../core/errors.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'

/** The parts of the document, in its order. */
export const tags = {
  Operations: 'The three operations that a casino platform calls while its players play.',
  Catalogue: 'Which boxes are open, and the odds of their prizes.',
  Fairness: 'The evidence with which players recompute every draw.',
  Partners: 'For the systems of casinos that answer later.',
  Overview: 'The work that waits for people, and the state of the service.',
  Operators: 'People who work with the console, and their sessions.',
  Casinos: 'Casinos, their keys and their settings.',
  'Items and boxes': 'The catalogue: items, and the boxes that contain them.',
  Players: 'Players’ openings, prizes and credits.',
  Orders: 'Prizes on their way.',
  Cashbacks: 'Prizes taken as money.',
  Acts: 'Actions on many objects, and those that need a second person.',
  Events: 'The feed of events, and webhooks.',
  Service: 'For those who run the service.',
} as const

export type Tag = keyof typeof tags

/** The schema of a request's body. Several schemas are alternatives. */
type Body = Joi.ObjectSchema | readonly { title: string; schema: Joi.ObjectSchema }[]

/** A success. Without a schema it has no body; with `contentType` it is not JSON. */
export interface Answer {
  description: string
  schema?: JsonSchema
  contentType?: string
  /** An example of its own, such as a move's, instead of the one of other answers with the same data. */
  example?: object
  /** Headers of its own, by their names in `headers.ts`, beside those of every answer. */
  headers?: readonly ('Idempotency-Replayed' | 'ETag' | 'Cache-Control' | 'Location')[]
}

/** The document's texts about a route; its path and its callers are in the table of routes. */
export interface Description {
  /** The method's name in generated clients: a verb and a noun, never changed once released. */
  operationId: string
  tag: Tag
  summary: string
  description: string
  query?: Joi.ObjectSchema
  body?: Body
  /** A request without a body is valid too. */
  isBodyOptional?: true
  /** It is about the caller's own account and sessions: keys have none. */
  isForSessions?: true
  /** It changes nothing that operators are accountable for, so they need not give a reason. */
  asksNoReason?: true
  /** A POST of the management API that changes nothing, so it needs no `Idempotency-Key`. */
  onlyReads?: true
  /** Request headers beyond those of every route. */
  headers?: readonly ('Idempotency-Key' | 'X-Reason' | 'X-Test-Outcome' | 'If-None-Match')[]
  answers: Readonly<Partial<Record<200 | 201 | 302 | 304 | 503, Answer>>>
  /** True if a later major version removes it. */
  deprecated?: true
  /** The refusals of this route alone, beside those of all callers. */
  errors: readonly ErrorCode[]
  /** An example of the body, if the examples of its fields make no sense together. */
  example?: object
}

/** By method and path, as in the routes' table. */
export type Descriptions = Readonly<Record<string, Description>>
