import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'

/**
 * Turns a box on or off; a box that is in this state already keeps its revision. Openings that are loaded later see
 * it; one that is being stored may still succeed. Throws `box_unknown`, or `revision_changed` if the box was switched, or
 * another version published, since.
 */
export async function switchBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  isEnabled: boolean,
  /** The revision and version that the caller has seen; undefined for a change of any. */
  expected: { revision?: number | undefined; version?: number | undefined } = {},
): Promise<void> {
  const revision = sql`${expected.revision ?? null}::int`
  const version = sql`${expected.version ?? null}::int`
  const [seen] = await database.$queryRaw<{ isAsExpected: boolean }[]>`
    WITH seen AS (
      SELECT casino_id, id, enabled,
             revision = COALESCE(${revision}, revision)
               AND current_version = COALESCE(${version}, current_version) AS is_as_expected
        FROM box WHERE casino_id = ${casinoId}::text AND id = ${boxId}::text
         FOR NO KEY UPDATE
    ),
    switched AS (
      UPDATE box SET enabled = ${isEnabled}::boolean, revision = box.revision + 1
        FROM seen
       WHERE box.casino_id = seen.casino_id AND box.id = seen.id
         AND seen.is_as_expected AND seen.enabled <> ${isEnabled}::boolean
    )
    SELECT is_as_expected AS "isAsExpected" FROM seen`
  if (seen === undefined) throw new RewardsError('box_unknown')
  if (!seen.isAsExpected) throw new RewardsError('revision_changed')
}
