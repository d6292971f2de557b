import type { Database } from '../platform/database.ts'

/** When the snoozed work of these objects continues, by object; the earliest. Work in a line waits for a slot, not for a time. */
export async function readSnoozed(
  database: Database,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await database.outbox.findMany({
    where: { objectId: { in: [...objectIds] }, snoozedUntil: { not: null }, line: null },
    select: { objectId: true, snoozedUntil: true },
    orderBy: { snoozedUntil: 'desc' },
  })
  return new Map(
    rows.flatMap(({ objectId, snoozedUntil }) => (snoozedUntil === null ? [] : [[objectId, snoozedUntil]])),
  )
}
