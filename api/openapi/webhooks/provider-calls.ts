import { answeredStatuses, providerAnswers } from '../../../core/partner/fulfilment-provider.ts'
import { fromJoi } from '../from-joi.ts'
import { named, object } from '../../../core/shape/json-schema.ts'
import { said, typesOf } from '../../../core/shape/shape.ts'
import { cancelCall, statusCall, submitCall } from '../../../core/partner/provider-request.ts'
import { deliveryDetails } from '../../shapes/delivery-details.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import { namedAnswer } from './call.ts'
import type { Call, CallAnswer } from './call.ts'
import { ping, pingAnswers } from './wallet-calls.ts'

const order = 'ord_01b977d7aa0076a1b2c3d4e5f6071803'
const submission = `${order}-1`

const submit = named(
  'SubmitCall',
  object({
    ...typesOf(submitCall.fields),
    delivery: said(named('SubmittedDelivery', deliveryDetails.type), {
      description: 'The delivery details.',
    }),
  }),
)

const sameForEveryRepetition = 'Names the submission: the same however often it is made.'
const newEveryTime = 'New with every call: it asks about the present.'
const question = (type: string) => ({
  description: newEveryTime,
  example: `${type}/${submission}/req_01b977d7aa0076a1b2c3d4e5f6071807`,
})
const submissionKey = { description: sameForEveryRepetition, example: `order.submit/${submission}` }

/** The calls of a casino's fulfilment provider (setting `fulfilment`). */
export const providerCalls = {
  submitShipment: {
    operationId: 'submitShipment',
    tag: 'Partners',
    summary: 'Send a parcel',
    description:
      'To the URL of the casino’s setting `fulfilment`: one `submission_id` is one parcel, however often it is submitted. The only call with delivery details.',
    idempotencyKey: submissionKey,
    webhookId: submissionKey,
    body: submit,
    answers: {
      ...answersByStatus(namedAnswer('SubmitAnswer', fromJoi(providerAnswers.submit))),
      ...refused([401, 403, 404]),
    },
  },
  cancelShipment: {
    operationId: 'cancelShipment',
    tag: 'Partners',
    summary: 'Do not send a parcel',
    description: 'If that is still possible. `pending` says that the provider tells later.',
    idempotencyKey: question('order.cancel'),
    webhookId: question('order.cancel'),
    body: cancelCall.type,
    answers: {
      ...answersByStatus(namedAnswer('CancelAnswer', fromJoi(providerAnswers.cancel))),
      ...refused([401, 403]),
    },
  },
  askShipmentStatus: {
    operationId: 'askShipmentStatus',
    tag: 'Partners',
    summary: 'Ask where a parcel is',
    description: 'Every `poll_minutes`; once a day after 30 days without a change.',
    idempotencyKey: question('order.status'),
    webhookId: question('order.status'),
    body: statusCall.type,
    answers: {
      ...answersByStatus(nameStatusAnswers(fromJoi(providerAnswers.status))),
      ...refused([401, 403]),
      404: { description: 'The provider does not know the parcel. It is asked again later.' },
    },
  },
  pingProvider: {
    operationId: 'pingProvider',
    tag: 'Partners',
    summary: 'Test the fulfilment provider',
    description: 'Sent by `POST …/settings/fulfilment/test`. It changes nothing.',
    webhookId: { description: newEveryTime, example: 'png_01b977d7aa0076a1b2c3d4e5f607180b' },
    body: ping,
    answers: pingAnswers(),
  },
} as const satisfies Record<string, Call>

function answersByStatus(schema: JsonSchema): Call['answers'] {
  const read = answeredStatuses.map((one): [string, CallAnswer] => [
    String(one),
    { description: 'The result. After any other answer the same call is made again later.', schema },
  ])
  const unknown = { description: 'Nobody knows what happened: the same call is made again later.' }
  return { ...Object.fromEntries(read), default: unknown }
}

function refused(statuses: readonly number[]): Call['answers'] {
  const description =
    'The provider rejects the service’s credentials. It is paused until an operator resumes it.'
  return Object.fromEntries(statuses.map((one) => [String(one), { description }]))
}

/** Either without a change, or with the parcel's status. */
function nameStatusAnswers({ anyOf = [] }: JsonSchema): JsonSchema {
  const titles = ['NoNewsAnswer', 'NewsAnswer']
  return {
    title: 'StatusAnswer',
    anyOf: anyOf.map((schema, index) => namedAnswer(titles[index] ?? '', schema)),
  }
}
