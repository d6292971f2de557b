import type { Answer } from '../../core/idempotency/idempotency.ts'
import type { EndpointReply } from '../endpoint.ts'

/** A replayed answer is the first one byte for byte; only a header tells that it is one. */
export function toReply({ response, replayed }: Answer): EndpointReply {
  return replayed ? { body: response, headers: { 'Idempotency-Replayed': 'true' } } : { body: response }
}
