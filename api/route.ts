import type { AdminEndpoint, OpenEndpoint, PartnerEndpoint, PlayEndpoint } from './endpoint.ts'
import type { ErrorStyle } from './error-response.ts'

interface Named {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
}

/** A route says who may call it; the endpoint it names is handed that caller. */
export type Route =
  | (Named & { for: 'casinos'; errors: ErrorStyle; endpoint: PlayEndpoint })
  | (Named & { for: 'operators'; endpoint: AdminEndpoint })
  | (Named & { for: 'partners'; endpoint: PartnerEndpoint })
  | (Named & { for: 'anybody'; endpoint: OpenEndpoint })

/** What the table says of a path: the route and the path's parameters, or the methods that it has instead. */
export type Match = { route: Route; params: Readonly<Record<string, string>> } | { allow: readonly string[] }
