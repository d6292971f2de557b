import type { Caller } from '../core/casino/find-caller.ts'
import type { OperatorRecord } from '../core/operator/operator.ts'
import type { ReadBody } from './parse-input.ts'

/**
 * The caller of the management API: the service's own admin key, a person who is signed in, or a casino with a `manage`
 * key (`ownerId`), and then which casino it acts on: itself or its sandbox.
 */
export type Operator = { kind: 'admin' } | Person | CasinoOperator

interface CasinoOperator {
  kind: 'casino'
  casinoId: string
  ownerId: string
  keyId: string
}

/** An operator who is signed in. */
export interface Person {
  kind: 'person'
  username: string
  sessionId: string
  record: OperatorRecord
}

/** A request as endpoints see it: everything that concerns HTTP as such is behind it. */
export interface EndpointRequest<Who> {
  caller: Who
  body: ReadBody
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The query's parameters; of a repeated one the first. */
  query: Readonly<Record<string, string>>
  /** The names of those that were sent more than once. */
  repeatedInQuery: readonly string[]
  /** The `Idempotency-Key` header as it was sent. */
  idempotencyKey: string | undefined
  /** The `If-None-Match` header as it was sent. */
  ifNoneMatch: string | undefined
  /** The `Accept-Encoding` header as it was sent. */
  acceptEncoding: string | undefined
  /** The `X-Test-Outcome` header as it was sent. It has an effect only with a test key. */
  testOutcome: string | undefined
  requestId: string
  /** Where it comes from. */
  address: string
  /** Runs long work that needs no database, so that other requests need not wait for it. */
  aside: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export interface EndpointReply {
  /** 200 when left out. */
  status?: number
  /** JSON text that is sent as it is, or a value to be sent as JSON. */
  body: string | object
  headers?: Record<string, string>
  /** The actions beyond those that the path names, for the audit trail. Never personal data. */
  auditNote?: string
}

export type Endpoint<Who> = (request: EndpointRequest<Who>) => Promise<EndpointReply>

/** An endpoint for a casino's platform: the three operations and the reads. */
export type PlayEndpoint = Endpoint<Caller>

/** An endpoint of the management API. */
export type AdminEndpoint = Endpoint<Operator>

/** A system that signs its requests; its endpoint knows the secret. */
export interface Partner {
  /** With lower-case names; of a repeated one the values are joined. */
  headers: Readonly<Partial<Record<string, string>>>
  /** The body as it was signed. */
  rawBody: string
}

/** An endpoint for the partners of casinos. */
export type PartnerEndpoint = Endpoint<Partner>

/** An endpoint for every caller. */
export type OpenEndpoint = Endpoint<undefined>
