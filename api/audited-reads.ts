import { createRecently } from '../core/limit/once-per-time.ts'
import type { ApiDeps } from './deps.ts'
import type { Route } from './route.ts'

/** Which reads need not be written down, because their like has been a moment ago. */
export interface AuditedReads {
  /** What the like of a read have in common; undefined for what is written down every time. */
  nameOf(
    route: Route,
    params: Readonly<Record<string, string>>,
    casinoId: string,
    actor: string,
  ): string | undefined
  isRecorded(name: string | undefined): boolean
  recorded(name: string | undefined): void
}

const onceMs = 60_000

/** Shows personal data: whoever looked at whose has to be known. */
const revealing: readonly string[] = ['/admin/casinos/:casino_id/orders/:order_id']

/**
 * A read is written down once a minute, in each process: a catalogue that is read two thousand times a second would fill
 * the trail, for ever, with the same entry. The like of it are the reads of one key on one route; in the management API
 * also of one thing, for there it matters whose things were looked at.
 */
export function createAuditedReads({ nowMs }: Pick<ApiDeps, 'nowMs'>): AuditedReads {
  const recently = createRecently({ forMs: onceMs, nowMs })
  return {
    nameOf: (route, params, casinoId, actor) => {
      if (route.method !== 'GET' || revealing.includes(route.path)) return undefined
      const what = route.for === 'operators' ? Object.values(params) : []
      return JSON.stringify([actor, casinoId, route.path, ...what])
    },
    isRecorded: (name) => name !== undefined && recently.has(name),
    recorded: (name) => {
      if (name !== undefined) recently.add(name)
    },
  }
}
