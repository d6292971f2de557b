import type { Database } from '../platform/database.ts'

/**
 * The months of the archive whose rows are in files only, as `2030-01`, the oldest first. With a time, those that were not
 * over then.
 */
export async function listRemovedMonths(database: Database, since?: Date): Promise<string[]> {
  const rows = await database.removedMonth.findMany({ orderBy: { firstDay: 'asc' } })
  const months = rows.map(({ firstDay }) => firstDay.toISOString().slice(0, 7))
  const first = since?.toISOString().slice(0, 7) ?? ''
  return months.filter((month) => month >= first)
}
