import { RewardsError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import { createOncePerTime } from '../core/limit/once-per-time.ts'
import type { ApiDeps } from './deps.ts'
import { outcomeOf, recordOutcome } from './audited.ts'
import type { AuditedAction } from './audited.ts'
import { actorOf } from './route-state.ts'
import type { KeyHolder } from './route-state.ts'

/**
 * Refusals that come before the rate limit, or from it. Nothing else bounds their number, so they are recorded once a
 * minute for each key and code; the request log has every one.
 */
const beforeLimit: readonly ErrorCode[] = [
  'api_key_address_refused',
  'api_key_scope_missing',
  'rate_limited',
  'overloaded',
]
const onceMs = 60_000

/** `casinoId` is the one in the path: where the admin's refusals are recorded. A casino's are in its own trail. */
export type RecordRefusal = (
  holder: KeyHolder,
  action: Omit<AuditedAction, 'actor'>,
  error: unknown,
) => Promise<void>

/** The refusals within a minute, on all surfaces. */
export function createFirstRefusals({ nowMs }: Pick<ApiDeps, 'nowMs'>): (name: string) => boolean {
  return createOncePerTime({ onceMs, nowMs })
}

/**
 * Records that a request with a known key was refused, if the refusal comes before the action itself is on record.
 * Nothing was done and nothing shown, so the refusal stands even if the record cannot be stored.
 */
export function createRecordRefusal(
  deps: Pick<ApiDeps, 'clock' | 'log' | 'recordAudit'>,
  isFirst: (name: string) => boolean,
): RecordRefusal {
  return async (holder, action, error) => {
    if (!(error instanceof RewardsError)) return
    const casinoId = holder.kind === 'casino' ? holder.casinoId : action.casinoId
    const who = { casinoId, actor: actorOf(holder) }
    if (beforeLimit.includes(error.code) && !isFirst(`${who.actor} ${error.code}`)) return
    try {
      await recordOutcome(deps, { ...action, ...who }, outcomeOf(error))
    } catch (failure) {
      deps.log.error({ err: failure, requestId: action.requestId }, 'cannot record a refusal')
    }
  }
}
