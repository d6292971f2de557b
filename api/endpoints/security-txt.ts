import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint } from '../endpoint.ts'

/** RFC 9116 wants a date after which readers do not rely on the text. Every answer has a later date. */
const validDays = 90
const dayMs = 86_400_000

/**
 * `GET /.well-known/security.txt` (RFC 9116): the contact for reports of vulnerabilities. Throws `route_unknown` if no
 * contact is configured.
 */
export function createSecurityTxtEndpoint({
  config,
  clock,
}: Pick<ApiDeps, 'config' | 'clock'>): OpenEndpoint {
  return () => {
    const { securityContact } = config
    if (securityContact === undefined) return Promise.reject(new RewardsError('route_unknown'))
    const today = Math.floor(clock.now().getTime() / dayMs)
    const expires = new Date((today + validDays) * dayMs).toISOString()
    return Promise.resolve({
      body: `Contact: ${securityContact}\nExpires: ${expires}\n`,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    })
  }
}
