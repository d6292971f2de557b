import { lineOf } from '../outbound/call-line.ts'
import type { CallLine } from '../outbound/call-line.ts'

/** The calls of an endpoint, and those that wait for one. */
export function lineOfEndpoint({ casinoId, endpointId }: { casinoId: string; endpointId: string }): CallLine {
  return lineOf('webhook', casinoId, endpointId)
}
