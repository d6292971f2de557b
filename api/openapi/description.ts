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

/** The schema of a request's body; null where it has none. Several schemas are alternatives. */
type Body = Joi.ObjectSchema | readonly { title: string; schema: Joi.ObjectSchema }[]

/** A success. Without a schema it has no body; with `contentType` it is not JSON. */
export interface Answer {
  description: string
  schema?: JsonSchema
  contentType?: string
  /** Where its example differs from that of other answers with the same data: a move's shows what the move does. */
  example?: object
  /** Headers of its own, by their names in `headers.ts`; those that every answer has go without saying. */
  headers?: readonly ('Idempotency-Replayed' | 'ETag' | 'Cache-Control' | 'Location')[]
}

/** The document's texts about a route; how it is reached and who may call it stands in the route's table. */
export interface Description {
  /** The method's name in generated clients: a verb and a noun, never changed once released. */
  operationId: string
  tag: Tag
  summary: string
  description: string
  query?: Joi.ObjectSchema
  body?: Body
  /** That a request without a body means something too. */
  isBodyOptional?: true
  /** That it is about the session of the person who asks: keys have none. */
  isForSessions?: true
  /** That it changes nothing that a person has to answer for, so that people need not give a reason. */
  asksNoReason?: true
  /** Of a POST of the management API: that it changes nothing, so that it needs no `Idempotency-Key`. */
  onlyReads?: true
  /** Request headers beyond those of every route. */
  headers?: readonly ('Idempotency-Key' | 'X-Reason' | 'X-Test-Outcome' | 'If-None-Match')[]
  answers: Readonly<Partial<Record<200 | 201 | 302 | 304 | 503, Answer>>>
  /** True if a later major version removes it. */
  deprecated?: true
  /** The refusals of this route alone; those of everybody who calls go without saying. */
  errors: readonly ErrorCode[]
  /** Where the examples of its fields, put together, make no sense. */
  example?: object
}

/** By method and path, as in the routes' table. */
export type Descriptions = Readonly<Record<string, Description>>
