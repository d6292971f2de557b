import type { Parsed } from './config-variables.ts'
import type { Problem } from './secret-files.ts'

const dayMs = 86_400_000
/** A cursor is valid for one day more than the feed reaches back, and the clocks of machines differ. */
const daysBehindFeedMin = 2

type Keeping = Pick<Parsed, 'EVENT_FEED_DAYS' | 'ARCHIVE_AFTER_DAYS'>

/** Events leave the feed before they are archived: a reader that keeps up never notices. */
export function findEarlyArchive({ EVENT_FEED_DAYS, ARCHIVE_AFTER_DAYS }: Partial<Keeping>): Problem[] {
  if (EVENT_FEED_DAYS === undefined || ARCHIVE_AFTER_DAYS === undefined) return []
  const least = EVENT_FEED_DAYS + daysBehindFeedMin
  if (ARCHIVE_AFTER_DAYS >= least) return []
  const name = 'ARCHIVE_AFTER_DAYS'
  return [{ name, message: `${name} must be at least ${least}: two days more than EVENT_FEED_DAYS` }]
}

export function toArchiveAfterMs({ ARCHIVE_AFTER_DAYS }: Keeping): number | undefined {
  return ARCHIVE_AFTER_DAYS === undefined ? undefined : ARCHIVE_AFTER_DAYS * dayMs
}
