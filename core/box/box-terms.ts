import { sql } from '../platform/sql.ts'
import type { BoxAccess, BoxTerms, LimitPeriod } from './box.ts'

/** A box's terms as selected. */
export interface TermsRow {
  enabled: boolean
  access: BoxAccess
  limit_count: number | null
  limit_period: LimitPeriod | null
  limit_time_zone: string | null
  active_from: Date | null
  active_until: Date | null
}

/** The columns of a TermsRow, but for `enabled`. */
export const termsColumns = sql`
  box_version.access, box_version.limit_count, box_version.limit_period, box_version.limit_time_zone,
  box_version.active_from, box_version.active_until`

export function toTerms(row: TermsRow): BoxTerms {
  const { limit_count: count, limit_period: period, limit_time_zone: timeZone } = row
  return {
    isEnabled: row.enabled,
    access: row.access,
    limit: count === null || period === null ? null : { count, period, timeZone: timeZone ?? 'UTC' },
    activeFrom: row.active_from,
    activeUntil: row.active_until,
  }
}
