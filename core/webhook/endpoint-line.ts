import { lineOf } from '../outbound/slots.ts'
import type { CallLine } from '../outbound/slots.ts'

/** The calls of an endpoint, and those that wait for one. */
export function lineOfEndpoint({ casinoId, endpointId }: { casinoId: string; endpointId: string }): CallLine {
  return lineOf('webhook', casinoId, endpointId)
}
