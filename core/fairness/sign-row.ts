import { createHash } from 'node:crypto'
import { createSigner } from '../crypto/signer.ts'
import type { Signer } from '../crypto/signer.ts'

type Field = string | number | boolean | null

/** A row of an export: flat, so that the JSON text of each field is the same in any implementation. */
type ExportRow = Readonly<Record<string, Field>>

export interface SignedRow {
  signing_key: string
  digests: Readonly<Record<string, string>>
  signature: string
  [field: string]: Field | Readonly<Record<string, string>>
}

/** Half of a SHA-256: a second value with the same 128 bits cannot be found. */
const digestHexDigits = 32

export function createEvidenceSigner(hashSecret: string): Signer {
  return createSigner(hashSecret, 'fairness-evidence')
}

/**
 * Makes an altered field detectable, and shows which one it was: `digests` has a digest of each field, including the
 * key's, and the signature is over their canonical JSON (RFC 8785: sorted names, no white space).
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
