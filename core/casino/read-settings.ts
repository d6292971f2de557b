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
  const rows = await database.casinoSetting.groupBy({
    by: ['name'],
    where: { pausedAt: { not: null } },
    _count: true,
  })
  const counts = new Map(rows.map((row) => [row.name, row._count]))
  return new Map(settingNames.map((name) => [name, counts.get(name) ?? 0]))
}
