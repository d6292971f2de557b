import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { NoAnswerReason, PartnerTarget, SendRequest } from './http-client.ts'
import { signedHeaders } from './signature.ts'

export interface ProbeResult {
  ok: boolean
  /**
   * A sentence for operators, without any text of the partner, which could be anything. Every missing answer gives the
   * same sentence: callers must not learn from us which hosts and ports exist.
   */
  detail: string
  /** For our own log. */
  problem?: NoAnswerReason
}

export interface ProbeDeps {
  sendRequest: SendRequest
  clock: Clock
}

/** A call that changes nothing at the partner and shows whether both sides understand each other. */
export type SettingProbe = (deps: ProbeDeps, partner: PartnerTarget) => Promise<ProbeResult>

/** The sentence for every probe that was not answered. */
export const noAnswerDetail =
  'There was no answer: check the URL, its certificate, whether it is on the public internet, and whether it answers in time'

/** For partners without a harmless request: a signed `{"type":"ping"}`, to be answered with 2xx. */
export const ping: SettingProbe = async ({ sendRequest, clock }, { casinoId, url, timeoutMs, secrets }) => {
  const body = JSON.stringify({ type: 'ping' })
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(secrets, { id: newId('png'), sentAt: clock.now(), body }),
  }
  const result = await sendRequest({ casinoId, method: 'POST', url, headers, body, timeoutMs })
  if (result.kind === 'no_answer') return { ok: false, detail: noAnswerDetail, problem: result.reason }
  const { status } = result
  return { ok: status >= 200 && status < 300, detail: `The partner answered ${status}` }
}
