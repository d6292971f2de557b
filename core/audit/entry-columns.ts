import { sql } from '../platform/sql.ts'

/** The columns of a SignedEntry, of `audit_entry AS entry`. */
export const entryColumns = sql`entry.id, entry.casino_id AS "casinoId", entry.at, entry.actor, entry.address,
           entry.action, entry.params, entry.reason, entry.request_id AS "requestId", entry.outcome, entry.signature`
