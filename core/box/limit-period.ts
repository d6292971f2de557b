import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

/** A limit's period and time zone as SQL expressions, and the current time. */
interface PeriodColumns {
  period: Prisma.Sql
  timeZone: Prisma.Sql
  now: Date
}

/** SQL: the beginning of the current period. `-infinity` for `lifetime`, null without a period. */
export function startOfPeriod({ period, timeZone, now }: PeriodColumns): Prisma.Sql {
  const midnight = sql`date_trunc(${period}, ${instant(now)} AT TIME ZONE ${timeZone})`
  return sql`CASE ${period} WHEN 'lifetime' THEN '-infinity' ELSE ${firstMomentAt(midnight, timeZone)} END`
}

/** SQL: the end of the current period. Null for `lifetime` and without a period. */
export function endOfPeriod({ period, timeZone, now }: PeriodColumns): Prisma.Sql {
  const midnight = sql`(
    date_trunc(${period}, ${instant(now)} AT TIME ZONE ${timeZone})
    + CASE ${period} WHEN 'day' THEN interval '1 day' WHEN 'week' THEN interval '7 days' END
  )`
  return sql`CASE ${period} WHEN 'lifetime' THEN NULL ELSE ${firstMomentAt(midnight, timeZone)} END`
}

/**
 * The first moment at which clocks show a time. PostgreSQL takes the second one when clocks are put back over it
 * (Havana, each November), and openings between the two would belong to no day. At that second moment, the clocks of a
 * microsecond earlier show less than the time.
 */
function firstMomentAt(time: Prisma.Sql, timeZone: Prisma.Sql): Prisma.Sql {
  const moment = sql`(${time} AT TIME ZONE ${timeZone})`
  const before = sql`(${moment} - interval '1 microsecond')`
  return sql`(${before} - (${before} AT TIME ZONE ${timeZone} - ${time}))`
}
