import { keysOf } from '../../core/shape/request-shape.ts'
import type { Description } from './description.ts'

/**
 * The place where operators give their reason: in the body where it has a `reason`, otherwise in the header `X-Reason`.
 * Undefined where no reason is asked for: routes that only read or preview, and those of an operator's own sessions.
 */
export type ReasonPlace = 'body' | 'header' | undefined

export function reasonPlaceOf(method: string, description: Description): ReasonPlace {
  if (takesReason(description)) return 'body'
  if (method.toUpperCase() === 'GET' || description.onlyReads === true) return undefined
  return description.isForSessions === true || description.asksNoReason === true ? undefined : 'header'
}

function takesReason({ body }: Description): boolean {
  return body !== undefined && 'describe' in body && keysOf(body).includes('reason')
}
