import Joi from 'joi'
import type { Money } from '../money.ts'
import type { Clock } from '../platform/clock.ts'
import type { OutboundResult, PartnerTarget, SendRequest } from './http-client.ts'
import { signedHeaders } from './signature.ts'
import { renderRequest } from './wallet-request.ts'
import type { WalletRequest } from './wallet-request.ts'
import { debitDeclineCodes, declineCodes } from './wallet-outcome.ts'
import type { DebitDeclineCode, DeclineCode, WalletOutcome } from './wallet-outcome.ts'

/** Pays the players of a casino. */
export interface Wallet {
  /** Never throws for failures of the wallet or the network. */
  ask(request: WalletRequest): Promise<WalletOutcome>
}

/** A casino's own wallet, with the protocol in docs/integrate/wallets.md. */
export function createHttpWallet(
  deps: { send: SendRequest; clock: Clock },
  { casinoId, url, secrets, timeoutMs }: PartnerTarget,
): Wallet {
  return {
    ask: async (request) => {
      const body = renderRequest(request)
      const message = { id: request.transactionId, sentAt: deps.clock.now(), body }
      const result = await deps.send({
        casinoId,
        to: 'wallet',
        method: 'POST',
        url,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'Idempotency-Key': request.transactionId,
          ...signedHeaders(secrets, message),
        },
        body,
        timeoutMs,
      })
      return readResult(result, request.operation)
    },
  }
}

/** The request was not sent, or the receiver rejects our credentials. */
export const misconfiguredStatuses: readonly number[] = [401, 403, 404]
const misconfiguredReasons: readonly string[] = ['url_invalid', 'address_forbidden']

function readResult(result: OutboundResult, operation: WalletRequest['operation']): WalletOutcome {
  if (result.kind === 'no_answer') {
    const kind = misconfiguredReasons.includes(result.reason) ? 'misconfigured' : 'unknown'
    return { kind, problem: result.reason }
  }
  const { status, body } = result
  if (misconfiguredStatuses.includes(status)) return { kind: 'misconfigured', problem: `status_${status}` }
  if (!answeredStatuses.includes(status)) return { kind: 'unknown', problem: `status_${status}` }
  return readAnswer(status, body, operation)
}

/** The answers that are accepted under each status; a proxy's page is not an answer under any of them. */
const statusesOf: Record<Answer['status'], readonly number[]> = {
  credited: [200, 201],
  debited: [200, 201],
  already_processed: [200, 409],
  declined: [200, 400, 409, 422],
}
const answeredStatuses = Object.values(statusesOf).flat()

interface AnsweredAmount {
  amount_minor: number | string
  currency: string
}
type Answer =
  | ({ status: 'credited' | 'debited'; reference?: string | null } & Partial<AnsweredAmount>)
  | ({ status: 'already_processed'; reference?: string | null } & AnsweredAmount)
  | { status: 'declined'; code: string }

const amountMinor = Joi.alternatives(
  Joi.number().strict().integer().min(1),
  Joi.string().pattern(/^[1-9]\d{0,18}$/),
)
const currency = Joi.string().pattern(/^[A-Z]{3}$/)
/** For operators to find the booking by. An invalid one does not make the credit doubtful. */
const reference = Joi.string()
  .pattern(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
  .allow(null)
  // A function, because Joi cannot describe a schema that falls back to null itself.
  .failover(() => null)
  .meta({
    jsonSchema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*$' },
  })

function doneAnswer(status: 'credited' | 'debited') {
  const keys = { status: Joi.valid(status).required(), amount_minor: amountMinor, currency, reference }
  return Joi.object(keys).and('amount_minor', 'currency')
}

const repeatedAnswer = Joi.object({
  status: Joi.valid('already_processed').required(),
  amount_minor: amountMinor.required(),
  currency: currency.required(),
  reference,
})

function declinedAnswer(code: Joi.Schema) {
  return Joi.object({ status: Joi.valid('declined').required(), code: code.required() })
}

/** The accepted answers to a call, by status; for the OpenAPI document. */
export function answersTo(
  operation: WalletRequest['operation'],
): readonly { status: Answer['status']; schema: Joi.ObjectSchema; httpStatuses: readonly number[] }[] {
  const done = doneStatuses[operation]
  const schemas = [
    [done, doneAnswer(done)],
    ['already_processed', repeatedAnswer],
    ['declined', declinedAnswer(Joi.valid(...codesOf[operation]))],
  ] as const
  return schemas.map(([status, schema]) => ({ status, schema, httpStatuses: statusesOf[status] }))
}

const answerSchema = Joi.alternatives<Answer>().conditional('.status', {
  switch: [
    { is: 'credited', then: doneAnswer('credited') },
    { is: 'debited', then: doneAnswer('debited') },
    { is: 'already_processed', then: repeatedAnswer },
    // An unlisted code is reported as such.
    { is: 'declined', then: declinedAnswer(Joi.string().max(200)) },
  ],
  otherwise: Joi.forbidden(),
})

function readAnswer(status: number, body: string, operation: WalletRequest['operation']): WalletOutcome {
  const answer = parseAnswer(body)
  if (typeof answer === 'string') return { kind: 'unknown', problem: answer }
  if (!statusesOf[answer.status].includes(status)) return { kind: 'unknown', problem: `status_${status}` }
  switch (answer.status) {
    case 'credited':
    case 'debited':
      return answer.status === doneStatuses[operation]
        ? { kind: answer.status, amount: readAmount(answer), reference: answer.reference ?? null }
        : { kind: 'unknown', problem: 'answer_invalid' }
    case 'already_processed':
      return {
        kind: 'already_processed',
        amount: { amountMinor: BigInt(answer.amount_minor), currency: answer.currency },
        reference: answer.reference ?? null,
      }
    case 'declined':
      return isDeclineCode(answer.code, operation)
        ? { kind: 'declined', code: answer.code }
        : { kind: 'unknown', problem: 'refusal_unlisted' }
  }
}

/** A wallet that credits in answer to a debit has misunderstood the request, so the result is unknown. */
const doneStatuses = { credit: 'credited', debit: 'debited' } as const

function readAmount({ amount_minor, currency }: Partial<AnsweredAmount>): Money | undefined {
  if (amount_minor === undefined || currency === undefined) return undefined
  return { amountMinor: BigInt(amount_minor), currency }
}

/** The answer, or its problem. */
function parseAnswer(body: string): Answer | 'answer_malformed' | 'answer_invalid' {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return 'answer_malformed'
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'answer_invalid'
  const result = answerSchema.validate(json, { stripUnknown: true })
  return result.error === undefined ? (result.value as Answer) : 'answer_invalid'
}

const codesOf: Record<WalletRequest['operation'], readonly string[]> = {
  credit: declineCodes,
  debit: debitDeclineCodes,
}

function isDeclineCode(
  code: string,
  operation: WalletRequest['operation'],
): code is DeclineCode | DebitDeclineCode {
  return codesOf[operation].includes(code)
}
