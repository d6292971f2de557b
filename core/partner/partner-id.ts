import { createHash } from 'node:crypto'

/** Tells the system behind one URL from that behind another, without telling the URL, which may have a secret in it. */
export function partnerIdOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 32)
}
