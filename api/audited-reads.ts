import { createRecently } from '../core/limit/once-per-time.ts'
import type { ApiDeps } from './deps.ts'
import type { Route } from './route.ts'

/** The reads that need no record, because a similar read was recorded recently. */
export interface AuditedReads {
  likeOf(route: Route, casinoId: string, actor: string): ReadLike
}

/** The state that reads of one key on one route share. `isRefused` says that nothing was shown. */
export interface ReadLike {
  isRecorded(isRefused: boolean): boolean
  recorded(isRefused: boolean): void
}

const onceMs = 60_000

/** Shows personal data, so each read is recorded in the audit trail. */
const revealing: readonly string[] = [
  '/admin/casinos/:casino_id/orders/:order_id',
  '/admin/casinos/:casino_id/prizes/:prize_id/timeline',
]

/**
 * A read is recorded once a minute, in each process: otherwise a catalogue that is read two thousand times a second, or
 * a script that tries made-up ids, would fill the trail. Reads of one key on one route count as the same read, even of
 * different objects; the request log has each of them. A read that shows personal data is recorded every time.
 */
export function createAuditedReads({ nowMs }: Pick<ApiDeps, 'nowMs'>): AuditedReads {
  const recently = createRecently({ forMs: onceMs, nowMs })
  return {
    likeOf: (route, casinoId, actor) => {
      const name = JSON.stringify([actor, casinoId, route.path])
      const isReveal = revealing.includes(route.path)
      return {
        isRecorded: (isRefused) => (isRefused || !isReveal) && recently.has(name),
        recorded: (isRefused) => {
          if (isRefused || !isReveal) recently.add(name)
        },
      }
    },
  }
}
