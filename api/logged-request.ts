import type { Context } from 'koa'
import type { ErrorCode } from '../core/errors.ts'
import { loggableObjects } from './named-objects.ts'
import type { NamedObjects } from './named-objects.ts'
import { actorOf } from './route-state.ts'
import type { RouteState } from './route-state.ts'

/** The fields of a request's log lines; the last three are those of its answer. */
interface LoggedRequest extends NamedObjects {
  requestId: string
  method: string
  route: string
  caller?: string
  status?: number
  durationMs?: number
  errorCode?: ErrorCode
}

/**
 * The fields that all log lines of a request share: its id, its caller and its objects. No path and no player. The caller may
 * add others to it: spread into a new object with more fields, each line would have a hidden class of its own (with Node 20),
 * which is kept until the whole heap is collected.
 */
export function describeRequest(
  { method, state }: Pick<Context, 'method'> & { state: RouteState },
  status: number,
): LoggedRequest {
  const { requestId, route, casinoId, keyHolder, namedObjects = {} } = state
  const line: LoggedRequest = { requestId, method, route }
  if (keyHolder !== undefined) line.caller = actorOf(keyHolder)
  Object.assign(line, loggableObjects(namedObjects, status))
  if (casinoId !== undefined) line.casinoId = casinoId
  return line
}
