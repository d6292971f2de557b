import { getCasino } from '../../core/casino/casinos.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint, EndpointReply, EndpointRequest, Operator } from '../endpoint.ts'
import { pathId } from './inputs.ts'

/** A request about one casino, which exists and which the operator may manage. */
export interface CasinoRequest extends EndpointRequest<Operator> {
  casinoId: string
  /** Who asks, for the history: `admin` or `key:…`. */
  actor: string
}

export type CasinoEndpoint = (request: CasinoRequest) => Promise<EndpointReply>

/**
 * Turns an endpoint of one casino into a route's endpoint. Throws `casino_unknown`. A key's casino needs no look-up: it is
 * there as long as the key is.
 */
export function ofCasino({ database }: Pick<ApiDeps, 'database'>, endpoint: CasinoEndpoint): AdminEndpoint {
  return async (request) => {
    const casinoId = pathId(request, 'casino_id')
    if (request.caller.kind === 'admin') await getCasino(database, casinoId)
    return endpoint({ ...request, casinoId, actor: actorOf(request.caller) })
  }
}

function actorOf(operator: Operator): string {
  return operator.kind === 'admin' ? 'admin' : `key:${operator.keyId}`
}
