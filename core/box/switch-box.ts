import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { BoxName } from './box-name.ts'

/**
 * Turns a box on or off. Every opening that is loaded from then on sees it; one that is being stored meanwhile may still
 * go through. Throws `box_unknown`.
 */
export async function switchBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  isEnabled: boolean,
): Promise<void> {
  const count = await database.$executeRaw`
    UPDATE box SET enabled = ${isEnabled}::boolean WHERE casino_id = ${casinoId}::text AND id = ${boxId}::text`
  if (count === 0) throw new RewardsError('box_unknown')
}
