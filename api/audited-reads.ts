import type { AuditRecord } from '../core/audit/audit.ts'
import { createRecently } from '../core/limit/once-per-time.ts'
import type { ApiDeps } from './deps.ts'
import type { Route } from './route.ts'

/** The reads that need no record, because a similar read was recorded recently. */
export interface AuditedReads {
  likeOf(route: Route, read: Pick<AuditRecord, 'actor' | 'casinoId' | 'params'>): ReadLike
}

/** The state that similar reads share. `isRefused` says that nothing was shown. */
export interface ReadLike {
  isRecorded(isRefused: boolean): boolean
  recorded(isRefused: boolean): void
}

const onceMs = 60_000
/** Pages that people leave open read again every few seconds. */
const onceForPeopleMs = 15 * 60_000

const order = '/admin/casinos/:casino_id/orders/:order_id'
const timeline = '/admin/casinos/:casino_id/prizes/:prize_id/timeline'

/**
 * A key's read is recorded once a minute, in each process: otherwise a catalogue that is read two thousand times a
 * second, or a script that tries made-up ids, would fill the trail. Reads of one key on one route count as the same read,
 * even of different objects; the request log has each of them. A key's read that shows personal data is recorded every
 * time: an order with its delivery details, which only keys get, and a timeline with its notes.
 *
 * A person's reads are recorded once a quarter of an hour in the same way, those of a timeline for each prize.
 */
export function createAuditedReads({ nowMs }: Pick<ApiDeps, 'nowMs'>): AuditedReads {
  const ofKeys = createRecently({ forMs: onceMs, nowMs })
  const ofPeople = createRecently({ forMs: onceForPeopleMs, nowMs })
  return {
    likeOf: ({ path }, { actor, casinoId, params }) => {
      const isPerson = actor.startsWith('operator:')
      const recently = isPerson ? ofPeople : ofKeys
      const isReveal = path === timeline || (path === order && !isPerson)
      const isOnce = (isRefused: boolean) => isPerson || isRefused || !isReveal
      const name = (isRefused: boolean) =>
        JSON.stringify([actor, casinoId, path, isReveal && !isRefused ? params : ''])
      return {
        isRecorded: (isRefused) => isOnce(isRefused) && recently.has(name(isRefused)),
        recorded: (isRefused) => {
          if (isOnce(isRefused)) recently.add(name(isRefused))
        },
      }
    },
  }
}
