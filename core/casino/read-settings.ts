import type { Database } from '../platform/database.ts'
import { settingNames } from './setting-values.ts'
import type { SettingName } from './setting-values.ts'
import type { StoredSetting } from './settings.ts'

/** The casino's stored settings, unchanged; defaults are not included. */
export async function readStoredSettings(
  database: Database,
  casinoId: string,
): Promise<Map<string, StoredSetting>> {
  const rows = await database.casinoSetting.findMany({ where: { casinoId } })
  return new Map(rows.map((row) => [row.name, row]))
}

/** The number of casinos with a paused setting, by setting. */
export async function countPausedSettings(database: Database): Promise<Map<SettingName, number>> {
  const rows = await database.$queryRaw<{ name: string; count: number }[]>`
    SELECT name, count(*)::int AS count FROM casino_setting WHERE paused_at IS NOT NULL GROUP BY name`
  const counts = new Map(rows.map((row) => [row.name, row.count]))
  return new Map(settingNames.map((name) => [name, counts.get(name) ?? 0]))
}
