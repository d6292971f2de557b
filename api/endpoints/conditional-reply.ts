import { createHash } from 'node:crypto'
import type { EndpointReply } from '../endpoint.ts'

/**
 * An answer that its caller may keep and ask for again: as it is, or 304 when the caller has it already. It is for that
 * caller alone, and has to be asked for each time: what it tells can change at any moment. `state` is another one whenever
 * the body is.
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
