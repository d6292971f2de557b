import type { SendRequest } from './http-client.ts'
import { receiverTimeoutMs } from './receiver-outcome.ts'
import type { ReceiverOutcome } from './receiver-outcome.ts'
import { signedHeaders } from './signature.ts'

/** A message to a receiver, and its URL. */
export interface WebhookCall {
  casinoId: string
  url: string
  /** All secrets that are valid now. */
  secrets: readonly string[]
  /** The event's id: the same with every attempt, so that a receiver can detect repetitions. */
  id: string
  body: string
  sentAt: Date
}

/** Sends one event, signed. Success is a 2xx answer in time; everything but its status is ignored. */
export async function callReceiver(send: SendRequest, call: WebhookCall): Promise<ReceiverOutcome> {
  const result = await send({
    casinoId: call.casinoId,
    to: 'receiver',
    method: 'POST',
    url: call.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'casino-rewards-webhooks/1',
      ...signedHeaders(call.secrets, call),
    },
    body: call.body,
    timeoutMs: receiverTimeoutMs,
  })
  if (result.kind === 'no_answer')
    return { kind: 'failed', status: null, problem: result.reason, retryAfterMs: null }
  const { status } = result
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, problem: 'gone' }
  const problem = status >= 300 && status < 400 ? 'redirected' : 'refused'
  const isBusy = status === 429 || status === 503
  const retryAfterMs = isBusy ? parseRetryAfter(result.headers['retry-after'], call.sentAt) : null
  return { kind: 'failed', status, problem, retryAfterMs }
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3); null if it is invalid, or in the past. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null
  const time = Date.parse(value)
  return time > now.getTime() ? time - now.getTime() : null
}
