import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Calls that are older or newer than this are refused: somebody may be replaying a recording. */
const toleranceSeconds = 5 * 60

/** Whether this secret signed the body within the last five minutes. Pass the body as it came, before parsing it. */
export function isSigned(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  nowSeconds = Date.now() / 1000,
): boolean {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const expected = Buffer.from(`v1,${hmac}`)
  // There are several signatures while a secret is being rotated. One of them must match.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
