import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../crypto/derive-key.ts'

/** One thing that somebody did, or tried to do. */
export interface AuditRecord {
  id: string
  /** Empty for what concerns the service as a whole. */
  casinoId: string
  at: Date
  /** `admin`, `key:…`, or `ops` for the pages of operators. */
  actor: string
  address: string | null
  /** Method and route, such as `POST /admin/casinos/:casino_id/grants`. */
  action: string
  /** The path's parameters, as JSON. */
  params: string
  reason: string | null
  requestId: string
  /**
   * `requested` (written before it was carried out), or the answer's status and error code, such as `404 item_unknown`;
   * `201 replayed` for a repeated one.
   */
  outcome: string
}

/** An entry as it is stored. */
export interface SignedEntry extends AuditRecord {
  /** Null in entries from before they were signed. */
  signature: Uint8Array | null
}

/** Resolves when the entry is stored. */
export type RecordAudit = (record: AuditRecord) => Promise<void>

/**
 * The hash of an entry at its place in a casino's chain. Keyed, so that whoever can write to the database, but does not
 * know the service's secret, cannot make a chain that fits.
 */
export function linkHash(
  hashSecret: string,
  link: { sequence: bigint; previousHash: Uint8Array },
  entry: AuditRecord,
): Buffer {
  const fields = [String(link.sequence), Buffer.from(link.previousHash).toString('hex'), ...fieldsOf(entry)]
  return createHmac('sha256', `${hashSecret}/audit`).update(JSON.stringify(fields)).digest()
}

/** Signs entries when they are written, and tells whether somebody else has written one. */
export interface EntrySigner {
  sign(entry: AuditRecord): Buffer
  isOurs(entry: SignedEntry): boolean
}

/** By a key that the database does not have. All of an entry is signed but the transaction that stores it. */
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
