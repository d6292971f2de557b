import { getCasino } from '../../core/casino/casinos.ts'
import type { HeldClaim } from '../../core/idempotency/claim-steps.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint, EndpointReply, EndpointRequest, Operator } from '../endpoint.ts'
import { pathId } from '../inputs.ts'
import { actorOf } from '../route-state.ts'

/** A request about one casino, which exists and which the operator may manage. */
export interface CasinoRequest extends EndpointRequest<Operator> {
  casinoId: string
  /** The caller, for the history: `admin`, `operator:…` or `key:…`. */
  actor: string
  /** The key that the request is carried out under; undefined without one. */
  claim: HeldClaim | undefined
}

export type CasinoEndpoint = (request: CasinoRequest) => Promise<EndpointReply>

/**
 * Turns an endpoint of one casino into a route's endpoint. Throws `casino_unknown`. A key's casino needs no look-up: it is
 * there as long as the key is. It need not be the one in the path (see `authenticateOperator`).
 */
export function ofCasino({ database }: Pick<ApiDeps, 'database'>, endpoint: CasinoEndpoint): AdminEndpoint {
  return async (request) => {
    const { caller } = request
    const casinoId = casinoIdOf(request)
    if (caller.kind !== 'casino') await getCasino(database, casinoId)
    return endpoint({ ...request, casinoId, actor: actorOf(caller), claim: undefined })
  }
}

/** The casino that the operator acts on; for the admin and for people, the path's, whether there is one or not. */
export function casinoIdOf(request: EndpointRequest<Operator>): string {
  return request.caller.kind === 'casino' ? request.caller.casinoId : pathId(request, 'casino_id')
}
