import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../crypto/derive-key.ts'

/** An action that was taken or attempted. */
export interface AuditRecord {
  id: string
  /** Empty for actions on the service as a whole. */
  casinoId: string
  at: Date
  /** `admin`, `key:…`, or `ops` for the operators' pages. */
  actor: string
  address: string | null
  /** Method and route, such as `POST /admin/casinos/:casino_id/grants`. */
  action: string
  /** The path's parameters, as JSON. */
  params: string
  reason: string | null
  requestId: string
  /**
   * `requested` (written before the action), or the answer's status and error code, such as `404 item_unknown`; `201
   * replayed` for a replay.
   */
  outcome: string
}

/** An entry as stored. */
export interface SignedEntry extends AuditRecord {
  /** Null for entries from before there were signatures. */
  signature: Uint8Array | null
}

/** Resolves when the entry is stored. */
export type RecordAudit = (record: AuditRecord) => Promise<void>

/**
 * The hash of an entry at its place in a casino's chain. Keyed, so that a valid chain cannot be made with access to the
 * database alone.
 */
export function linkHash(
  hashSecret: string,
  link: { sequence: bigint; previousHash: Uint8Array },
  entry: AuditRecord,
): Buffer {
  const fields = [String(link.sequence), Buffer.from(link.previousHash).toString('hex'), ...fieldsOf(entry)]
  return createHmac('sha256', `${hashSecret}/audit`).update(JSON.stringify(fields)).digest()
}

/** Signs new entries, and verifies stored ones. */
export interface EntrySigner {
  sign(entry: AuditRecord): Buffer
  isOurs(entry: SignedEntry): boolean
}

/** With a key that the database does not have. The signature covers the entry except the transaction that stores it. */
export function createEntrySigner(hashSecret: string): EntrySigner {
  const key = deriveKey(hashSecret, 'audit-entry')
  const sign = (entry: AuditRecord) =>
    createHmac('sha256', key)
      .update(JSON.stringify(fieldsOf(entry)))
      .digest()
  return {
    sign,
    isOurs: (entry) => {
      const expected = sign(entry)
      return entry.signature?.length === expected.length && timingSafeEqual(entry.signature, expected)
    },
  }
}

function fieldsOf(entry: AuditRecord): (string | null)[] {
  return [
    entry.id,
    entry.casinoId,
    entry.at.toISOString(),
    entry.actor,
    entry.address,
    entry.action,
    entry.params,
    entry.reason,
    entry.requestId,
    entry.outcome,
  ]
}
