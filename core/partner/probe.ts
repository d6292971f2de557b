import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { NoAnswerReason, PartnerTarget, SendRequest } from './http-client.ts'
import { signedHeaders } from './signature.ts'

export interface ProbeResult {
  ok: boolean
  /** A sentence for people, with nothing of what the partner said: it may say anything. */
  detail: string
}

export interface ProbeDeps {
  sendRequest: SendRequest
  clock: Clock
}

/** A call that changes nothing at the partner and shows whether the two of us understand each other. */
export type SettingProbe = (deps: ProbeDeps, partner: PartnerTarget) => Promise<ProbeResult>

/** For partners that know no harmless request: a signed `{"type":"ping"}`, to be answered with 2xx. */
export const ping: SettingProbe = async ({ sendRequest, clock }, { casinoId, url, timeoutMs, secrets }) => {
  const body = JSON.stringify({ type: 'ping' })
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(secrets, { id: newId('png'), sentAt: clock.now(), body }),
  }
  const result = await sendRequest({ casinoId, method: 'POST', url, headers, body, timeoutMs })
  if (result.kind === 'no_answer') return { ok: false, detail: describeNoAnswer(result.reason) }
  const { status } = result
  return { ok: status >= 200 && status < 300, detail: `The partner answered ${status}` }
}

export function describeNoAnswer(reason: NoAnswerReason): string {
  return noAnswerTexts[reason]
}

const noAnswerTexts: Record<NoAnswerReason, string> = {
  url_invalid: 'The URL cannot be called',
  address_forbidden: 'The host is at an address that must not be called, such as one of a private network',
  name_unknown: 'The host name was not found',
  connection_refused: 'The host could not be connected to',
  connection_lost: 'The connection broke off before there was a whole answer, or the answer was no HTTP',
  tls_failed: 'There was no TLS connection: check the certificate and its chain',
  timeout: 'There was no answer in time',
  answer_too_large: 'The answer was too large',
}
