import type { WrittenEvent } from '../event/written-events.ts'
import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

type Told = Pick<WrittenEvent, 'fromState' | 'toState' | 'actor' | 'requestId' | 'data'>

/** The event of each setting in `from` (casino_id, name, revision). */
export function settingEvent(
  from: Prisma.Sql,
  what: 'changed' | 'paused' | 'resumed',
  told: Told,
): WrittenEvent {
  return {
    ...told,
    from,
    objectType: 'setting',
    objectId: sql`name`,
    sequence: sql`revision`,
    type: Prisma.raw(`name || '.${what}'`),
  }
}
