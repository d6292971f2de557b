import { inSpan } from '../trace/current-span.ts'
import type { SendRequest } from './http-client.ts'

/** Makes each call within a traced request or job a span, whose `traceparent` goes along, so that partners can join the trace. */
export function tracedSend(send: SendRequest): SendRequest {
  return (request) => {
    const { casinoId, method, to = 'partner' } = request
    const attributes = { 'rewards.casinoId': casinoId, 'http.request.method': method }
    return inSpan({ name: `call ${to}`, kind: 'client', attributes }, async (span) => {
      if (span === undefined) return send(request)
      const headers = { ...request.headers, traceparent: span.traceparent }
      const result = await send({ ...request, headers })
      if (result.kind === 'no_answer') span.fail(result.reason)
      else span.set({ 'http.response.status_code': result.status })
      // Here a refusal counts, as OpenTelemetry's conventions have it.
      if (result.kind === 'answer' && result.status >= 400) span.fail(String(result.status))
      return result
    })
  }
}
