import { createHash } from 'node:crypto'

/** Distinguishes the systems behind URLs without revealing the URL, which may contain a secret. */
export function partnerIdOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 32)
}
