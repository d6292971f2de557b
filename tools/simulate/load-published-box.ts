import { toReportedBox } from '../../core/box/box-report.ts'
import { boxKeyOf, loadBoxes } from '../../core/box/load-boxes.ts'
import { readMigrationConfig } from '../../core/platform/config.ts'
import { openDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { UsageError } from '../../core/platform/main-program.ts'
import type { Subject } from './subject.ts'

/** Loads a box's current version, with what is left of its stock, from the database in the settings; nothing is changed. */
export async function loadPublishedBox(
  casinoId: string,
  boxId: string,
  settings: Record<string, string | undefined>,
): Promise<Subject> {
  const { databaseUrl: url } = readMigrationConfig(settings)
  const { database, close } = openDatabase({ url, poolMax: 1, log: createLogger('simulate', 'silent') })
  try {
    const name = { casinoId, boxId }
    const box = (await loadBoxes(database, [name])).get(boxKeyOf(name))
    if (box === undefined) throw new UsageError(`the casino ${casinoId} has no box ${boxId}`)
    const items = [...box.entries.map(({ item }) => item), ...(box.fallback === null ? [] : [box.fallback])]
    return {
      title: `${boxId} of ${casinoId}, version ${box.version}, with what is left of its stock`,
      box: toReportedBox(box),
      oddsHash: box.oddsHash,
      items: new Map(items.map((item) => [item.id, item])),
    }
  } finally {
    await close()
  }
}
