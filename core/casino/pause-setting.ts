import { writtenEvents } from '../event/written-events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { settingEvent } from './setting-event.ts'
import type { Setting } from './settings.ts'
import type { SettingName } from './setting-values.ts'

/** An error code, such as `answered_401`: why the partner cannot be called. */
export type PauseReason = string

/**
 * Pauses a setting until its casino resumes it: the partner refuses our credentials or address, so every further call
 * would fail too. Does nothing if the setting has changed since `setting` was read. Returns true if this call paused
 * it.
 */
export type PauseSetting = (
  casinoId: string,
  name: SettingName,
  setting: Pick<Setting<SettingName>, 'revision'>,
  reason: PauseReason,
) => Promise<boolean>

export function createPauseSetting({
  database,
  clock,
  log,
}: {
  database: Database
  clock: Clock
  log: { error(fields: object, message: string): void }
}): PauseSetting {
  return async (casinoId, name, { revision }, reason) => {
    const paused = await database.$executeRaw`
      WITH setting_paused AS (
        UPDATE casino_setting SET paused_at = ${instant(clock.now())}, paused_reason = ${reason}::text,
                                  revision = revision + 1, updated_at = ${instant(clock.now())}
         WHERE casino_id = ${casinoId}::text AND name = ${name}::text AND revision = ${revision}::int
           AND paused_at IS NULL
        RETURNING casino_id, name, revision, paused_at, paused_reason
      )
      ${writtenEvents(
        sql`paused_at`,
        settingEvent(sql`setting_paused`, 'paused', {
          fromState: 'active',
          toState: 'paused',
          actor: 'worker',
          data: sql`jsonb_build_object('reason', paused_reason)`,
        }),
      )}`
    // Only the casino can act: see "Alert: a partner is paused" in docs/operate/alerts.md.
    if (paused > 0) log.error({ casinoId, setting: name, reason }, 'setting paused')
    return paused > 0
  }
}
