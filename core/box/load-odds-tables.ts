import type { Database } from '../platform/database.ts'
import { batchInput, int, text } from '../platform/sql.ts'
import { canonicalOddsTable } from './odds-table.ts'

/** Identifies a version of one casino's boxes. */
interface VersionName {
  boxId: string
  version: number
}

export function versionKeyOf({ boxId, version }: VersionName): string {
  return JSON.stringify([boxId, version])
}

interface Row extends VersionName {
  fallbackItemId: string | null
  entries: { item_id: string; weight: string; stock: number | null }[]
}

/** The canonical odds tables of versions, keyed by `versionKeyOf`; each is read once, however many openings use it. */
export async function loadOddsTables(
  database: Database,
  casinoId: string,
  versions: readonly VersionName[],
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Map(versions.map((version) => [versionKeyOf(version), version])).values()]
  const rows = await database.$queryRaw<Row[]>`
    SELECT box_version.box_id AS "boxId", box_version.version, box_version.fallback_item_id AS "fallbackItemId",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('item_id', item_id, 'weight', weight::text, 'stock', stock)
                                      ORDER BY box_entry.position), '[]')
              FROM box_entry
             WHERE box_entry.casino_id = box_version.casino_id AND box_entry.box_id = box_version.box_id
               AND box_entry.version = box_version.version) AS entries
      FROM ${batchInput(distinct, {
        box_id: text(({ boxId }) => boxId),
        version: int(({ version }) => version),
      })}
      JOIN box_version ON box_version.casino_id = ${casinoId}::text AND box_version.box_id = input.box_id
                      AND box_version.version = input.version`
  return new Map(
    rows.map((row) => [
      versionKeyOf(row),
      canonicalOddsTable({
        entries: row.entries.map(({ item_id, weight, stock }) => ({
          itemId: item_id,
          weight: BigInt(weight),
          stock,
        })),
        fallbackItemId: row.fallbackItemId,
      }),
    ]),
  )
}
