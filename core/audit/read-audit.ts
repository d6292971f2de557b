import { listSql, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { AuditRecord } from './audit.ts'

/** An entry and its place in the chain; null until it is chained. */
export interface AuditEntryView extends AuditRecord {
  sequence: bigint | null
  hash: Uint8Array | null
}

/** A casino's trail, of all requests or one; ids are in order of time. */
export async function listAudit(
  database: Database,
  { casinoId, requestId }: { casinoId: string; requestId: string | undefined },
  page: ListRequest,
): Promise<Page<AuditEntryView>> {
  const ofRequest = requestId === undefined ? Prisma.empty : sql`AND entry.request_id = ${requestId}::text`
  const { conditions, direction } = listSql(page, { id: sql`entry.id`, createdAt: sql`entry.at` }, 'aud')
  const rows = await database.$queryRaw<AuditEntryView[]>`
    SELECT entry.id, entry.casino_id AS "casinoId", entry.at, entry.actor, entry.address, entry.action, entry.params,
           entry.reason, entry.request_id AS "requestId", entry.outcome, link.sequence, link.hash
      FROM audit_entry AS entry
      LEFT JOIN audit_link AS link ON link.entry_id = entry.id
     WHERE entry.casino_id = ${casinoId}::text ${ofRequest} ${conditions}
     ORDER BY entry.id ${direction}
     LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}
