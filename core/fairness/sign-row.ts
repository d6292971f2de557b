import { createHash } from 'node:crypto'
import { createSigner } from '../crypto/signer.ts'
import type { Signer } from '../crypto/signer.ts'

type Field = string | number | boolean | null

/** What an export consists of: flat, so that the JSON text of each field is the same whoever writes it. */
type ExportRow = Readonly<Record<string, Field>>

export interface SignedRow {
  signing_key: string
  digests: Readonly<Record<string, string>>
  signature: string
  [field: string]: Field | Readonly<Record<string, string>>
}

/** Half of a SHA-256: nobody finds another value with the same 128 bits. */
const digestHexDigits = 32

export function createEvidenceSigner(hashSecret: string): Signer {
  return createSigner(hashSecret, 'fairness-evidence')
}

/**
 * Makes tampering with any field show, and which one it was: `digests` has a digest of each field, of the key's too, and
 * the signature is over their canonical JSON (RFC 8785: names sorted, no white space).
 */
export function signRow(signer: Signer, row: ExportRow): SignedRow {
  const signed = { ...row, signing_key: signer.publicKey }
  const digests = Object.fromEntries(
    Object.entries(signed)
      .map(([name, value]) => [name, digestOf(name, value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return { ...signed, digests, signature: signer.sign(JSON.stringify(digests)) }
}

function digestOf(name: string, value: Field): string {
  return createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('hex')
    .slice(0, digestHexDigits)
}
