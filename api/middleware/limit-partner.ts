import type { Context } from 'koa'
import { addressGroupOf } from '../../core/casino/allowed-addresses.ts'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { EndpointReply } from '../endpoint.ts'
import { clientAddress } from './client-address.ts'
import { limitRate } from './limit-rate.ts'

type Deps = Pick<ApiDeps, 'config' | 'failedSignatures' | 'rateLimiter'>

/** No casino's id is longer. Paths are, and each would be remembered. */
const casinoIdUnitsMax = 256

/**
 * Carries out a request of a casino's partner, unless its address sends too many. The limit applies before anything is
 * read or looked up, when no caller is known yet: so each address has its own bucket for each casino, which other
 * addresses cannot use up. Throws `signature_attempts_limited`, `rate_limited`, and the errors of `call`.
 */
export async function limitPartner(
  ctx: Context,
  deps: Deps,
  casinoPath: string,
  call: () => Promise<EndpointReply>,
): Promise<EndpointReply> {
  const { failedSignatures, config } = deps
  const casinoId = casinoPath.slice(0, casinoIdUnitsMax)
  const address = clientAddress(ctx)
  const retryAfterSeconds = failedSignatures.waitSeconds(address, casinoId)
  if (retryAfterSeconds > 0) {
    throw new RewardsError('signature_attempts_limited', undefined, { retryAfterSeconds })
  }
  const limit = config.rateLimits.partners
  const key = `${addressGroupOf(address)}/${casinoId}:partners`
  limitRate(ctx, deps, 'partners', limit === null ? [] : [{ key, limit }])
  try {
    const reply = await call()
    failedSignatures.recordSuccess(address, casinoId)
    return reply
  } catch (error) {
    if (error instanceof RewardsError && error.code === 'signature_invalid') {
      failedSignatures.recordFailure(address)
    }
    throw error
  }
}
