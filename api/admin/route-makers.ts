import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { descriptions } from '../openapi/descriptions.ts'
import type { PathOf } from '../openapi/descriptions.ts'
import { reasonPlaceOf } from '../openapi/reason-place.ts'
import type { Route } from '../route.ts'
import { actorOf } from '../route-state.ts'
import { ofCasino } from './casino-endpoint.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { checked } from './refuse-unknown-query.ts'
import { casinoRights, serviceRights } from './rights.ts'
import { underKey } from './under-key.ts'

/** Make a route of the management API from method, path and endpoint; its right and its description belong to it. */
export function createRouteMakers(deps: ApiDeps) {
  /** A route of the service as a whole. */
  const service = <Method extends Route['method']>(
    method: Method,
    path: PathOf<'admin', Method>,
    endpoint: AdminEndpoint,
  ): Route => ({
    method,
    path,
    surfaces: ['manage'],
    for: 'operators',
    right: serviceRights[`${method} ${path}` as keyof typeof serviceRights],
    reasonPlace: reasonPlaceOf(
      method,
      descriptions.admin[`${method} ${path}` as keyof typeof descriptions.admin],
    ),
    endpoint: checked(
      method,
      descriptions.admin[`${method} ${path}` as keyof typeof descriptions.admin],
      endpoint,
    ),
  })
  /** A route of one casino. */
  const casino = <Method extends Route['method']>(
    method: Method,
    path: PathOf<'casino', Method>,
    endpoint: CasinoEndpoint,
  ): Route => ({
    method,
    path: `/admin/casinos/:casino_id${path}`,
    surfaces: ['manage'],
    for: 'operators',
    right: casinoRights[`${method} ${path}` as keyof typeof casinoRights],
    reasonPlace: reasonPlaceOf(
      method,
      descriptions.casino[`${method} ${path}` as keyof typeof descriptions.casino],
    ),
    endpoint: checked(
      method,
      descriptions.casino[`${method} ${path}` as keyof typeof descriptions.casino],
      ofCasino(deps, endpoint),
    ),
  })
  /** A POST honours an `Idempotency-Key`. */
  const servicePost = (path: PathOf<'admin', 'POST'>, endpoint: AdminEndpoint): Route => {
    const { body } = descriptions.admin[`POST ${path}`]
    const keyed = underKey(deps, `POST ${path}`, body, endpoint)
    return service('POST', path, (request) =>
      keyed({ ...request, casinoId: '', actor: actorOf(request.caller), claim: undefined }),
    )
  }
  /** A POST honours an `Idempotency-Key`, unless it only reads. */
  const post = (path: PathOf<'casino', 'POST'>, endpoint: CasinoEndpoint): Route => {
    const described = descriptions.casino[`POST ${path}`]
    if ('onlyReads' in described) return casino('POST', path, endpoint)
    const body = 'body' in described ? described.body : undefined
    const schema = body === undefined || 'validate' in body ? body : 'as_sent'
    const operation = `POST /admin/casinos/:casino_id${path}`
    return casino('POST', path, underKey(deps, operation, schema, endpoint))
  }
  return { service, servicePost, casino, post }
}
