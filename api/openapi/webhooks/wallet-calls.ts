import { answersTo, misconfiguredStatuses } from '../../../core/partner/wallet.ts'
import type { WalletRequest } from '../../../core/partner/wallet-request.ts'
import { fromJoi } from '../from-joi.ts'
import { named, object, oneOf } from '../../../core/shape/json-schema.ts'
import { creditCall, debitCall } from '../../../core/partner/wallet-request.ts'
import { pascalCase } from '../name-objects.ts'
import { namedAnswer } from './call.ts'
import type { Call, CallAnswer } from './call.ts'

const cashback = 'cbk_01b977d7aa0076a1b2c3d4e5f6071804'
const debit = `debit_1_${cashback}`

export const ping = named('PingCall', object({ type: oneOf(['ping']) }))

const sameForEveryAttempt = 'The `transaction_id`: the same on every attempt.'

/** The calls of a casino's own wallet (setting `wallet`). */
export const walletCalls = {
  creditCashback: {
    operationId: 'creditCashback',
    tag: 'Partners',
    summary: 'Credit a cashback',
    description:
      'To the URL of the casino’s setting `wallet`: the wallet credits the player once for this `transaction_id`, however often it is asked.',
    idempotencyKey: { description: sameForEveryAttempt, example: cashback },
    webhookId: { description: sameForEveryAttempt, example: cashback },
    body: creditCall.type,
    answers: answersByStatus('credit'),
  },
  debitCashback: {
    operationId: 'debitCashback',
    tag: 'Partners',
    summary: 'Take a credit back',
    description:
      'To the URL of the casino’s setting `wallet`: the wallet takes the amount out of the player’s account, once for this `transaction_id`.',
    idempotencyKey: { description: sameForEveryAttempt, example: debit },
    webhookId: { description: sameForEveryAttempt, example: debit },
    body: debitCall.type,
    answers: answersByStatus('debit'),
  },
  pingWallet: {
    operationId: 'pingWallet',
    tag: 'Partners',
    summary: 'Test the wallet',
    description: 'Sent by `POST …/settings/wallet/test`. It changes nothing.',
    webhookId: { description: 'New with every call.', example: 'png_01b977d7aa0076a1b2c3d4e5f607180a' },
    body: ping,
    answers: pingAnswers(),
  },
} as const satisfies Record<string, Call>

/** Of a test call, which only checks that both systems understand each other. */
export function pingAnswers(): Call['answers'] {
  return {
    '2XX': { description: 'All is well.' },
    '4XX': { description: 'The test has failed.' },
    default: { description: 'The test has failed.' },
  }
}

function answersByStatus(operation: WalletRequest['operation']): Call['answers'] {
  const answers = answersTo(operation).map(({ status, schema, httpStatuses }) => ({
    httpStatuses,
    status,
    schema: namedAnswer(titleOf(operation, status), fromJoi(schema)),
  }))
  const statuses = [...new Set(answers.flatMap(({ httpStatuses }) => httpStatuses))]
  const believed = statuses.map((status): [string, CallAnswer] => {
    const possible = answers.filter(({ httpStatuses }) => httpStatuses.includes(status))
    const [only, ...others] = possible.map(({ schema }) => schema)
    const all = possible.map((one) => `\`${one.status}\``).join(' or ')
    return [
      String(status),
      {
        description: `${all}. Anything else: the same call is made again later.`,
        ...(only === undefined ? {} : { schema: others.length === 0 ? only : { oneOf: [only, ...others] } }),
      },
    ]
  })
  const refused = misconfiguredStatuses.map((status): [string, CallAnswer] => [
    String(status),
    {
      description: 'The wallet rejects the service’s credentials. It is paused until an operator resumes it.',
    },
  ])
  const unknown = { description: 'Nobody knows what happened: the same call is made again later.' }
  return { ...Object.fromEntries([...believed, ...refused]), default: unknown }
}

/** A repetition gets the same words for every kind of call. */
function titleOf(operation: WalletRequest['operation'], status: string): string {
  if (status === 'already_processed') return 'AlreadyProcessedAnswer'
  return status === 'declined' ? `${pascalCase(operation)}DeclinedAnswer` : `${pascalCase(status)}Answer`
}
