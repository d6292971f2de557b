import createFetchClient from 'openapi-fetch'
import type { components, paths } from '../../client/generated/openapi.ts'
import { apiUrl } from './place.ts'

/** The objects of the management API, by the names that its document gives them. */
export type Schemas = components['schemas']

/** The management API as everybody has it. The browser sends the cookie of the session. */
export const api = createFetchClient<paths>({ baseUrl: apiUrl })

/** The problems of the parameters, by their names. */
export type FieldProblems = Readonly<Record<string, string>>

/** A refusal of the service, or no answer at all (`code` is then `unreachable`). */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: FieldProblems
  readonly requestId: string | null
  /** After how long the service wants to be asked again; null if it does not say. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    { code, status, fields = {}, requestId = null, retryAfterSeconds = null }: ApiErrorDetails,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.fields = fields
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

interface ApiErrorDetails {
  code: string
  status: number
  fields?: FieldProblems
  requestId?: string | null
  retryAfterSeconds?: number | null
}

interface Envelope {
  message?: string
  errors?: Record<string, { error: string; message: string }[]>
}

/** The body of a successful answer. Throws an `ApiError` with the message of the service. */
export async function answered<Body>(
  call: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError('The service cannot be reached.', { code: 'unreachable', status: 0 }, { cause })
  })
  if (response.ok && data !== undefined) return data
  const { message, errors = {} } = (error ?? {}) as Envelope
  // Forms have one field for the reason, in any part of the request.
  const fields = Object.entries(errors).map(([name, problems]) => [
    name.replace('X-Reason', 'reason'),
    problems.map((problem) => problem.message.replace('X-Reason', 'reason')).join(' '),
  ])
  const retryAfter = response.headers.get('Retry-After')
  const failure = new ApiError(message ?? `The service answered with status ${response.status}.`, {
    code: response.headers.get('X-Error-Code') ?? 'unknown',
    status: response.status,
    fields: Object.fromEntries(fields) as FieldProblems,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  })
  if (failure.code === 'session_ended' || failure.code === 'api_key_invalid') tellSignedOut()
  throw failure
}

/** The refusal of a form before it is sent, like the service's own. */
export function refusedUnsent(fields: FieldProblems): ApiError {
  return new ApiError('Nothing was sent: correct the marked fields.', {
    code: 'parameters_invalid',
    status: 400,
    fields,
  })
}

/** Calls that change something carry a key: one that is repeated has one effect. Make it once for each intention. */
export function newIntention(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': crypto.randomUUID() }
}

let tellSignedOut = (): void => undefined

/** Sets the function that is called when any request finds that the session has ended. */
export function onSignedOut(listener: () => void): void {
  tellSignedOut = listener
}
