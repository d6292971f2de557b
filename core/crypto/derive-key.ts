import { hkdfSync } from 'node:crypto'

const keyBytes = 32

/** A key of 32 bytes, derived (HKDF-SHA-256) from the secret for one purpose; each purpose has its own. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
}
