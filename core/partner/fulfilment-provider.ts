import Joi from 'joi'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { OutboundResult, PartnerTarget, SendRequest } from './http-client.ts'
import { cancelCall, statusCall, submitCall } from './provider-request.ts'
import type { ShipmentName, Submission } from './provider-request.ts'
import { rejectionCodes, shipmentStatuses } from './provider-outcome.ts'
import type {
  CancelOutcome,
  RejectionCode,
  ShipmentUpdate,
  ShipmentStatus,
  StatusOutcome,
  SubmitOutcome,
} from './provider-outcome.ts'
import { signedHeaders } from './signature.ts'
import { choice, requestOf, required } from '../shape/request-shape.ts'

/** Sends a casino's parcels. Never throws for failures of the provider or the network. */
export interface FulfilmentProvider {
  submit(submission: Submission): Promise<SubmitOutcome>
  cancel(shipment: ShipmentName): Promise<CancelOutcome>
  askStatus(shipment: ShipmentName): Promise<StatusOutcome>
}

/** A provider behind a URL, with the protocol in docs/integrate/fulfilment.md. */
export function createHttpProvider(
  deps: { send: SendRequest; clock: Clock },
  target: PartnerTarget,
): FulfilmentProvider {
  const call = async (rendered: { type: string; submission_id: string }): Promise<Answered> => {
    const { type, submission_id: submissionId } = rendered
    const body = JSON.stringify(rendered)
    // A submission keeps its id on every attempt; a question has a new one each time.
    const id = type === 'order.submit' ? `${type}/${submissionId}` : `${type}/${submissionId}/${newId('req')}`
    const message = { id, sentAt: deps.clock.now(), body }
    const result = await deps.send({
      casinoId: target.casinoId,
      to: 'provider',
      method: 'POST',
      url: target.url,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Idempotency-Key': message.id,
        ...signedHeaders(target.secrets, message),
      },
      body,
      timeoutMs: target.timeoutMs,
    })
    return readAnswer(result, type)
  }
  return {
    submit: async (submission) =>
      readAs(await call(submitCall.render(submission)), submitAnswer, (answer) =>
        answer.status === 'accepted'
          ? { kind: 'accepted', reference: answer.reference ?? null }
          : { kind: 'rejected', code: answer.code },
      ),
    cancel: async (shipment) =>
      readAs(await call(cancelCall.render(shipment)), cancelAnswer, ({ status }) => ({ kind: status })),
    askStatus: async (shipment) => {
      const answered = await call(statusCall.render(shipment))
      if (answered.kind === 'unknown' && answered.problem === `status_${missingStatus}`) {
        return { kind: 'parcel_unknown', problem: answered.problem }
      }
      return readAs(answered, statusAnswer, (answer) => ({
        kind: 'shipment_update',
        update: answer.status === 'accepted' ? null : toShipmentUpdate(answer),
      }))
    },
  }
}

type Failed = { kind: 'unknown' | 'misconfigured'; problem: string }
type Answered = { kind: 'json'; json: unknown } | Failed

/** The request was not sent, or the receiver rejects our credentials. */
const misconfiguredStatuses: readonly number[] = [401, 403]
/** The URL does not accept submissions; as the answer to a question about one parcel it may be about that parcel. */
const missingStatus = 404
const misconfiguredReasons: readonly string[] = ['url_invalid', 'address_forbidden']
/** Under other statuses, a body is a proxy's page or a stack trace, even if it looks valid. */
export const answeredStatuses: readonly number[] = [200, 201, 202, 409, 422]

function readAnswer(result: OutboundResult, type: string): Answered {
  if (result.kind === 'no_answer') {
    const kind = misconfiguredReasons.includes(result.reason) ? 'misconfigured' : 'unknown'
    return { kind, problem: result.reason }
  }
  const problem = `status_${result.status}`
  const isMissing = result.status === missingStatus && type === 'order.submit'
  if (isMissing || misconfiguredStatuses.includes(result.status)) return { kind: 'misconfigured', problem }
  if (!answeredStatuses.includes(result.status)) return { kind: 'unknown', problem }
  try {
    return { kind: 'json', json: JSON.parse(result.body) as unknown }
  } catch {
    return { kind: 'unknown', problem: 'answer_malformed' }
  }
}

function readAs<Answer, Outcome>(
  answered: Answered,
  schema: Joi.Schema<Answer>,
  toOutcome: (answer: Answer) => Outcome,
): Outcome | Failed {
  if (answered.kind !== 'json') return answered
  const result = schema.validate(answered.json, { stripUnknown: true })
  if (result.error !== undefined) return { kind: 'unknown', problem: 'answer_invalid' }
  return toOutcome(result.value)
}

const charactersMax = 200
const shortText = Joi.string()
  .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
  // Counts characters as people do, and not UTF-16 units as Joi does.
  .custom((value: string, helpers) =>
    Array.from(value).length <= charactersMax ? value : helpers.error('string.max', { limit: charactersMax }),
  )
  .allow(null)
  .meta({
    jsonSchema: {
      type: 'string',
      minLength: 1,
      maxLength: charactersMax,
      pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    },
  })
/** For operators to look it up by; an invalid one does not make the acceptance doubtful. */
// A function, because Joi cannot describe a schema that falls back to null itself.
const reference = shortText.failover(() => null)

type SubmitAnswer =
  { status: 'accepted'; reference?: string | null } | { status: 'rejected'; code: RejectionCode }
const submitAnswer = Joi.alternatives<SubmitAnswer>(
  Joi.object({ status: Joi.valid('accepted').required(), reference }).required(),
  Joi.object({
    status: Joi.valid('rejected').required(),
    code: Joi.valid(...rejectionCodes).required(),
  }).required(),
)

const cancelAnswer = requestOf({
  status: required(choice(['cancelled', 'refused', 'pending'] as const)),
}).required()

/** A shipment update, as in a poll's answer and in a callback. */
export interface UpdateInput {
  status: ShipmentStatus
  reason?: string | null
  carrier?: string | null
  tracking_number?: string | null
  occurred_at: Date
}
/** RFC 3339, as in the OpenAPI document: without an offset, the time would be ambiguous. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export const updateKeys = {
  reason: shortText,
  carrier: shortText,
  tracking_number: shortText,
  occurred_at: required(Joi.date())
    .iso()
    .min('1970-01-01')
    .max('9999-12-31')
    .custom((time: Date, helpers) => (isTime(String(helpers.original)) ? time : helpers.error('date.format')))
    .messages({ 'date.format': '{{#label}} must be a time such as 2026-11-20T09:30:00Z' })
    .meta({ jsonSchema: { type: 'string', format: 'date-time' } }),
}

const statusAnswer = Joi.alternatives<{ status: 'accepted' } | UpdateInput>(
  Joi.object({ status: Joi.valid('accepted').required() }).required(),
  Joi.object({ status: Joi.valid(...shipmentStatuses).required(), ...updateKeys }).required(),
)

/** The answers to each call; for the OpenAPI document. */
export const providerAnswers = { submit: submitAnswer, cancel: cancelAnswer, status: statusAnswer } as const

/** JavaScript reads 31 February as a day in March. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10)
  return timePattern.test(text) && new Date(day).toISOString().startsWith(day)
}

export function toShipmentUpdate(input: UpdateInput): ShipmentUpdate {
  return {
    status: input.status,
    reason: input.reason ?? null,
    carrier: input.carrier ?? null,
    trackingNumber: input.tracking_number ?? null,
    occurredAt: input.occurred_at,
  }
}
