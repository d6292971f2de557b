import type { Database } from '../platform/database.ts'
import { isChosen, waitingCasinosMax } from '../platform/waiting-work.ts'
import type { CasinoChoice } from '../platform/waiting-work.ts'
import type { SettingName } from './setting-values.ts'

export interface PausedSetting {
  casinoId: string
  name: SettingName
  pausedAt: Date
}

/** Settings that are paused because a partner refuses us, those for longest first. A casino has few settings. */
export async function findPausedSettings(
  database: Database,
  casinos: CasinoChoice,
): Promise<PausedSetting[]> {
  return database.$queryRaw<PausedSetting[]>`
    SELECT casino.id AS "casinoId", setting.name, setting.paused_at AS "pausedAt"
      FROM casino
      JOIN casino_setting AS setting ON setting.casino_id = casino.id AND setting.paused_at IS NOT NULL
     WHERE ${isChosen(casinos)}
     ORDER BY setting.paused_at LIMIT ${waitingCasinosMax}::int`
}
