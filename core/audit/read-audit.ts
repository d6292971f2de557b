import { RewardsError } from '../errors.ts'
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

/** A place in the chain of a trail. */
export interface ChainedEntry {
  id: string
  sequence: bigint
  hash: Uint8Array
}

/** An entry with the ones before and after it in the chain; null if there are none, or none yet. */
export interface AuditEntryDetails extends AuditEntryView {
  previous: ChainedEntry | null
  next: ChainedEntry | null
}

const entryColumns = sql`
       entry.id, entry.casino_id AS "casinoId", entry.at, entry.actor, entry.address, entry.action, entry.params,
       entry.reason, entry.request_id AS "requestId", entry.outcome, link.sequence, link.hash`

/** A casino's trail; ids are in order of time. */
export async function listAudit(
  database: Database,
  { casinoId, requestId }: { casinoId: string; requestId: string | undefined },
  page: ListRequest,
): Promise<Page<AuditEntryView>> {
  const ofRequest = requestId === undefined ? Prisma.empty : sql`AND entry.request_id = ${requestId}::text`
  const { conditions, direction } = listSql(page, { id: sql`entry.id`, createdAt: sql`entry.at` }, 'aud')
  const rows = await database.$queryRaw<AuditEntryView[]>`
    SELECT ${entryColumns}
      FROM audit_entry AS entry
      LEFT JOIN audit_link AS link ON link.entry_id = entry.id
     WHERE entry.casino_id = ${casinoId}::text ${ofRequest} ${conditions}
     ORDER BY entry.id ${direction}
     LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}

interface EntryRow extends AuditEntryView {
  previousId: string | null
  previousHash: Uint8Array | null
  nextId: string | null
  nextHash: Uint8Array | null
}

/** An entry of a casino's trail, or with '' of the service's. Throws `audit_entry_unknown`. */
export async function getAuditEntry(
  database: Database,
  casinoId: string,
  entryId: string,
): Promise<AuditEntryDetails> {
  const [row] = await database.$queryRaw<EntryRow[]>`
    SELECT ${entryColumns}, previous.entry_id AS "previousId", previous.hash AS "previousHash",
           next.entry_id AS "nextId", next.hash AS "nextHash"
      FROM audit_entry AS entry
      LEFT JOIN audit_link AS link ON link.entry_id = entry.id
      LEFT JOIN audit_link AS previous
        ON previous.casino_id = link.casino_id AND previous.sequence = link.sequence - 1
      LEFT JOIN audit_link AS next ON next.casino_id = link.casino_id AND next.sequence = link.sequence + 1
     WHERE entry.id = ${entryId}::text AND entry.casino_id = ${casinoId}::text`
  if (row === undefined) throw new RewardsError('audit_entry_unknown')
  const { previousId, previousHash, nextId, nextHash, ...entry } = row
  const place = entry.sequence ?? 0n
  return {
    ...entry,
    previous: neighbourOf(previousId, place - 1n, previousHash),
    next: neighbourOf(nextId, place + 1n, nextHash),
  }
}

function neighbourOf(id: string | null, sequence: bigint, hash: Uint8Array | null): ChainedEntry | null {
  return id === null || hash === null ? null : { id, sequence, hash }
}
