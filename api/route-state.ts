import type { ErrorCode } from '../core/errors.ts'
import type { ErrorStyle } from './error-style.ts'
import type { NamedObjects } from './named-objects.ts'
import type { Match } from './route.ts'

/** The owner of the key or session that came with a request, also if it is refused later. */
export type KeyHolder =
  | { kind: 'admin' }
  | { kind: 'person'; username: string }
  | { kind: 'casino'; casinoId: string; keyId: string }

/** The actor, by the name used in the history, the audit trail and the log. */
export function actorOf(holder: KeyHolder): string {
  switch (holder.kind) {
    case 'admin':
      return 'admin'
    case 'person':
      return `operator:${holder.username}`
    case 'casino':
      return `key:${holder.keyId}`
    default:
      return holder satisfies never
  }
}

/** The data about a request that middlewares pass to each other. */
export interface RouteState {
  requestId: string
  /** The pattern of the route, such as `/admin/casinos/:casino_id`. */
  route: string
  match: Match
  /** The operation whose messages errors have; absent until the route is known. */
  errorStyle?: ErrorStyle
  casinoId?: string
  /** Set as soon as the key is known, before its scopes are checked. */
  keyHolder?: KeyHolder
  errorCode?: ErrorCode
  /** The objects that the request names, as they were sent: for the log, which takes only some of them. */
  namedObjects?: NamedObjects
}
