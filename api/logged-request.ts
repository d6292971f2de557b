import type { Context } from 'koa'
import { loggableObjects } from './named-objects.ts'
import type { NamedObjects } from './named-objects.ts'
import { actorOf } from './route-state.ts'
import type { RouteState } from './route-state.ts'

interface LoggedRequest extends NamedObjects {
  requestId: string
  method: string
  route: string
  caller?: string
}

/** The fields that all log lines of a request share: its id, its caller and its objects. No path and no player. */
export function describeRequest(
  { method, state }: Pick<Context, 'method'> & { state: RouteState },
  status: number,
): LoggedRequest {
  const { requestId, route, casinoId, keyHolder, namedObjects = {} } = state
  return {
    requestId,
    method,
    route,
    ...(keyHolder === undefined ? {} : { caller: actorOf(keyHolder) }),
    ...loggableObjects(namedObjects, status),
    ...(casinoId === undefined ? {} : { casinoId }),
  }
}
