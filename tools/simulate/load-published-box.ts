import { toReportedBox } from '../../core/box/box-report.ts'
import { namedItems } from '../../core/box/box-definition.ts'
import { getBox } from '../../core/box/read-boxes.ts'
import { RewardsError } from '../../core/errors.ts'
import { findItems } from '../../core/item/find-items.ts'
import { readMigrationConfig } from '../../core/platform/config.ts'
import { openDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { UsageError } from '../../core/platform/main-program.ts'
import type { Subject } from './subject.ts'

/** Loads a box's current version, with its remaining stock, from the database in the settings; nothing is changed. */
export async function loadPublishedBox(
  casinoId: string,
  boxId: string,
  settings: Record<string, string | undefined>,
): Promise<Subject> {
  const { directUrl: url } = readMigrationConfig(settings)
  const { database, close } = openDatabase({ url, poolMax: 1, log: createLogger('simulate', 'silent') })
  try {
    const box = await getBox(database, { casinoId, boxId })
    return {
      title: `${boxId} of ${casinoId}, version ${box.version}, with what is left of its stock`,
      box: toReportedBox(box),
      oddsHash: box.oddsHash,
      items: await findItems(database, casinoId, namedItems(box)),
    }
  } catch (error) {
    if (!(error instanceof RewardsError && error.code === 'box_unknown')) throw error
    throw new UsageError(`the casino ${casinoId} has no box ${boxId}`)
  } finally {
    await close()
  }
}
