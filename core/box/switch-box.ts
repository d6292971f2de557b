import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { BoxName } from './box-name.ts'

/**
 * Turns a box on or off. Openings that are loaded later see it; one that is being stored may still succeed. Throws
 * `box_unknown`, or `revision_changed` if the box was switched, or another version published, since.
 */
export async function switchBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  isEnabled: boolean,
  /** The revision and version that the caller has seen; undefined for a change of any. */
  expected: { revision?: number | undefined; version?: number | undefined } = {},
): Promise<void> {
  const box = { casinoId, id: boxId }
  const { count } = await database.box.updateMany({
    where: {
      ...box,
      ...(expected.revision === undefined ? {} : { revision: expected.revision }),
      ...(expected.version === undefined ? {} : { currentVersion: expected.version }),
    },
    data: { enabled: isEnabled, revision: { increment: 1 } },
  })
  if (count > 0) return
  throw new RewardsError((await database.box.count({ where: box })) > 0 ? 'revision_changed' : 'box_unknown')
}
