import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { BoxName } from './box-name.ts'

/**
 * Turns a box on or off. Openings that are loaded later see it; one that is being stored may still succeed. Throws
 * `box_unknown`.
 */
export async function switchBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  isEnabled: boolean,
): Promise<void> {
  const { count } = await database.box.updateMany({
    where: { casinoId, id: boxId },
    data: { enabled: isEnabled },
  })
  if (count === 0) throw new RewardsError('box_unknown')
}
