import type { ErrorCode } from '../core/errors.ts'
import type { ErrorStyle } from './error-response.ts'
import type { Match } from './route.ts'

/** What the middlewares tell each other about a request. */
export interface RouteState {
  requestId: string
  /** The pattern of the route, such as `/admin/casinos/:casino_id`. */
  route: string
  match: Match
  /** In whose words errors are told; absent until the route is known. */
  errorStyle?: ErrorStyle
  casinoId?: string
  errorCode?: ErrorCode
}
