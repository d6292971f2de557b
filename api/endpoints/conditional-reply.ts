import { createHash } from 'node:crypto'
import type { EndpointReply } from '../endpoint.ts'

/**
 * An answer that its caller may cache: 304 if the caller has it already. The cache is for that caller alone, and must
 * ask each time, because the answer can change at any moment. `state` changes whenever the body does.
 */
export function conditionalReply(
  { state, toBody }: { state: readonly unknown[]; toBody: () => string },
  ifNoneMatch: string | undefined,
): EndpointReply {
  const tag = createHash('sha256').update(JSON.stringify(state)).digest('base64url')
  const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization', ETag: `"${tag}"` }
  return isMatch(ifNoneMatch, tag) ? { status: 304, body: '', headers } : { body: toBody(), headers }
}

/**
 * Whether an `If-None-Match` header names the tag: `*` names every one, and a list those in it, where weak ones count like
 * strong ones (RFC 9110, 13.1.2).
 */
export function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return [...header.matchAll(/"([^"]*)"/g)].some(([, listed]) => listed === tag)
}
