import { lineOf } from '../outbound/call-line.ts'
import type { CallLine } from '../outbound/call-line.ts'

/** The line of an endpoint's calls. */
export function lineOfEndpoint({ casinoId, endpointId }: { casinoId: string; endpointId: string }): CallLine {
  return lineOf('webhook', casinoId, endpointId)
}
