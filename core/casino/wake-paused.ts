import { wokenEarly } from '../outbox/woken-work.ts'
import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { SettingName } from './setting-values.ts'

/**
 * Workers see a changed setting up to two seconds late (core/casino/settings.ts): work that is woken earlier would be
 * snoozed again.
 */
const wakeAfterMs = 3_000
/** Work is woken at random within this time, so that it does not reach the partner all at the same time. */
const wakeSpreadMs = 5_000
/** Work is snoozed for a pause for at most five minutes (decide-credit.ts, decide-work.ts), and clocks differ. */
const restMaxMs = 5 * 60_000 + 10_000
/** The objects whose work may be snoozed for the pause: open, and without a running call. */
const waiting: Partial<Record<SettingName, Prisma.Sql>> = {
  wallet: sql`
    SELECT id, CASE WHEN state IN ('reversing', 'reversal_unknown') THEN 'debit-cashback' ELSE 'credit-cashback' END AS job_name
      FROM cashback
     WHERE cashback.casino_id = lifted.casino_id
       AND state IN ('requested', 'processing', 'unknown', 'reversing', 'reversal_unknown') AND attempt_until IS NULL`,
  // With a next poll or reminder on record, the work is snoozed for that, and would count as superfluous before.
  fulfilment: sql`
    SELECT id, 'fulfil-prize-order' AS job_name FROM prize_order
     WHERE prize_order.casino_id = lifted.casino_id AND state IN ('confirmed', 'cancel_requested')
       AND attempt_until IS NULL AND next_poll_at IS NULL`,
}

/**
 * Steps of a statement that resumes a setting: work snoozed for the pause becomes due within seconds. `source` has the
 * casino_id of the resumed casino, or no row. Work does not record why it is snoozed, so a retry due within five
 * minutes comes early too: the same call with the same id, counted as usual. Longer snoozes (late retries, reminders)
 * stay. Locked rows are in use and skipped. Undefined for settings that no work waits for.
 */
export function wokenByLifting(name: SettingName, source: string, now: Date): Prisma.Sql | undefined {
  const objects = waiting[name]
  if (objects === undefined) return undefined
  const latest = new Date(now.getTime() + wakeAfterMs + wakeSpreadMs)
  return wokenEarly(
    sql`${Prisma.raw(source)} AS lifted CROSS JOIN LATERAL (${objects}) AS object`,
    { after: latest, until: new Date(now.getTime() + restMaxMs) },
    sql`${instant(now)} + (${wakeAfterMs}::float8 + random() * ${wakeSpreadMs}::float8) * interval '1 millisecond'`,
  )
}
