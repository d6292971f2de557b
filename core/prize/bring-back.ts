import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { textArray } from '../platform/sql.ts'

/** The kinds of objects that decisions bring back. */
export type DecidedKind = 'prize_order' | 'cashback'

interface ObjectName {
  casinoId: string
  id: string
}

interface LiveLoad<Name, Row> {
  kind: DecidedKind
  nameOf: (name: Name) => ObjectName
  keyOf: (name: Name) => string
  /** Reads the live tables only. The result is keyed by `keyOf`. */
  load: (names: readonly Name[]) => Promise<ReadonlyMap<string, Row>>
}

/** A sweep of the archive passes a prize once a day, so it does not move again and again meanwhile. */
const attemptsMax = 3

/**
 * Loads objects that are to be changed. Those that are not live are looked for in the archive, and come back with their
 * prize and all that belongs to it: decisions change live rows only. What is absent from the result does not exist: one
 * snapshot has seen it neither here nor there. Adds no statement if all are live.
 */
export async function loadLive<Name, Row>(
  database: Database,
  names: readonly Name[],
  { kind, nameOf, keyOf, load }: LiveLoad<Name, Row>,
): Promise<ReadonlyMap<string, Row>> {
  const loaded = new Map(await load(names))
  for (let attempt = 1; ; attempt++) {
    const missing = names.filter((name) => !loaded.has(keyOf(name)))
    if (missing.length === 0 || !(await bringBack(database, kind, missing.map(nameOf)))) return loaded
    if (attempt > attemptsMax) throw new RewardsError('storage_contended', 'a prize moves into the archive')
    for (const [key, row] of await load(missing)) loaded.set(key, row)
  }
}

/** Returns whether any of the objects exists. Those that do are live then, or were at that moment. */
export async function bringBack(
  database: Database,
  kind: DecidedKind,
  objects: readonly ObjectName[],
): Promise<boolean> {
  let known = 0
  for (const casinoId of new Set(objects.map((object) => object.casinoId))) {
    const ids = objects.filter((object) => object.casinoId === casinoId).map(({ id }) => id)
    const rows = await database.$queryRaw<{ known: number }[]>`
      SELECT bring_back_prizes(${casinoId}::text, ${kind}::text, ${textArray(ids)}) AS known`
    known += singleRow(rows).known
  }
  return known > 0
}
