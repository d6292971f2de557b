import { wokenEarly } from '../outbox/woken-work.ts'
import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { SettingName } from './setting-values.ts'

/** Workers hear of a setting two seconds late (core/casino/settings.ts): who wakes before that goes back to rest. */
const wakeAfterMs = 3_000
/** Within this time, by chance, so that what waited does not come to the partner all at once. */
const wakeSpreadMs = 5_000
/** Work rests for a pause five minutes at most (decide-credit.ts, decide-work.ts), and clocks differ. */
const restMaxMs = 5 * 60_000 + 10_000
/** Which objects may rest because a setting is paused: they are open, and nobody is in a call about them. */
const waiting: Partial<Record<SettingName, Prisma.Sql>> = {
  wallet: sql`
    SELECT id, CASE WHEN state IN ('reversing', 'reversal_unknown') THEN 'debit-cashback' ELSE 'credit-cashback' END AS job_name
      FROM cashback
     WHERE cashback.casino_id = lifted.casino_id
       AND state IN ('requested', 'processing', 'unknown', 'reversing', 'reversal_unknown') AND attempt_until IS NULL`,
  // With a next poll or reminder on record, the work rests for that, and would take itself for superfluous before.
  fulfilment: sql`
    SELECT id, 'fulfil-prize-order' AS job_name FROM prize_order
     WHERE prize_order.casino_id = lifted.casino_id AND state IN ('confirmed', 'cancel_requested')
       AND attempt_until IS NULL AND next_poll_at IS NULL`,
}

/**
 * Steps of a statement that lifts the pause of a setting: what rests because of it is due within seconds. `source` has the
 * casino_id of the casino whose pause is lifted, or nothing. Work does not say what it rests for, so a retry that was due
 * within five minutes comes early too: it is the same call under the same id, and one of its attempts. Rests that are
 * longer (late retries, reminders) are none of a pause and stay as they are. Rows that somebody has locked are being
 * worked on. Undefined for settings that nothing waits for.
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
