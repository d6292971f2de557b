import { toPage } from '../page.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Database } from '../platform/database.ts'
import type { AuditRecord } from './audit.ts'

/** An entry and its place in the chain; null while it has none yet. */
export interface AuditEntryView extends AuditRecord {
  sequence: bigint | null
  hash: Uint8Array | null
}

/** A casino's trail, the oldest first; ids are in the order of time. */
export async function listAudit(
  database: Database,
  casinoId: string,
  page: PageRequest,
): Promise<Page<AuditEntryView>> {
  const rows = await database.$queryRaw<AuditEntryView[]>`
    SELECT entry.id, entry.casino_id AS "casinoId", entry.at, entry.actor, entry.address, entry.action, entry.params,
           entry.reason, entry.request_id AS "requestId", entry.outcome, link.sequence, link.hash
      FROM audit_entry AS entry
      LEFT JOIN audit_link AS link ON link.entry_id = entry.id
     WHERE entry.casino_id = ${casinoId}::text AND entry.id > ${page.afterId ?? ''}::text
     ORDER BY entry.id
     LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}
