import type { AdminEndpoint, OpenEndpoint, PartnerEndpoint, PlayEndpoint } from './endpoint.ts'
import type { ErrorStyle } from './error-style.ts'
import type { Right } from '../core/operator/rights.ts'
import type { Surface } from '../core/platform/surfaces.ts'
import type { ReasonPlace } from './openapi/reason-place.ts'

/** `metrics` is a process's own metrics on a port of their own, where it does not serve `manage`. */
export type RouteSurface = Surface | 'metrics'

interface Named {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The surfaces that serve it; on others it does not exist. It uses the connections of the first one. */
  surfaces: readonly [RouteSurface, ...RouteSurface[]]
}

/** The right that people need for a route; `own` is for the person's own account and sessions, in every role, and not for keys. */
export type RouteRight = Right | 'own'

/** A route says who may call it; the endpoint it names is handed that caller. */
export type Route =
  | (Named & { for: 'casinos'; errors: ErrorStyle; endpoint: PlayEndpoint })
  | (Named & { for: 'operators'; right: RouteRight; reasonPlace: ReasonPlace; endpoint: AdminEndpoint })
  | (Named & { for: 'partners'; endpoint: PartnerEndpoint })
  | (Named & { for: 'anybody'; endpoint: OpenEndpoint })

/** The table's result for a path: the route and the path's parameters, or the methods that it has instead. */
export type Match = { route: Route; params: Readonly<Record<string, string>> } | { allow: readonly string[] }
