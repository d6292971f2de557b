import type { Context } from 'koa'
import { isInNetworks } from '../../core/casino/allowed-addresses.ts'
import { isSameSecret, parseApiKey } from '../../core/casino/api-key.ts'
import type { ApiKeyScope } from '../../core/casino/api-key.ts'
import { getCasino } from '../../core/casino/casinos.ts'
import type { Caller } from '../../core/casino/find-caller.ts'
import { sandboxIdOf } from '../../core/casino/sandbox.ts'
import { RewardsError } from '../../core/errors.ts'
import type { NamedLimit } from '../../core/limit/rate-limiter.ts'
import type { KeyOperation } from '../../core/platform/rate-limits.ts'
import type { ApiDeps } from '../deps.ts'
import type { SignedIn } from '../../core/operator/sessions.ts'
import { reachesCasino, rightsOf } from '../../core/operator/rights.ts'
import type { Operator, Person } from '../endpoint.ts'
import type { RouteRight } from '../route.ts'
import { clientAddress } from './client-address.ts'
import { isCrossSite } from './cross-site.ts'
import { limitRate } from './limit-rate.ts'
import { readSessionCookie } from './session-cookie.ts'

type Deps = Pick<
  ApiDeps,
  'findCaller' | 'config' | 'adminAttempts' | 'failedAttempts' | 'keyUsage' | 'rateLimiter' | 'seenKeys'
>

/**
 * The casino whose key comes with the request. Throws `api_key_invalid`, `api_key_attempts_limited`,
 * `api_key_address_refused`, `api_key_scope_missing` or `rate_limited`, in this order.
 */
export async function authenticateCasino(
  ctx: Context,
  deps: Deps,
  needed: { scope: ApiKeyScope; operation: KeyOperation },
): Promise<Caller> {
  const address = clientAddress(ctx)
  const credential = bearerOf(ctx, deps)
  const waitSeconds = deps.failedAttempts.waitSeconds(address)
  // A complete key may be valid, even if others at the same address are guessing. A look-up is cheap.
  if (waitSeconds > 0 && parseApiKey(credential) === undefined) throw attemptsLimited(waitSeconds)
  const caller = await deps.findCaller(credential)
  if (caller === undefined) {
    deps.failedAttempts.recordFailure(address)
    throw waitSeconds > 0 ? attemptsLimited(waitSeconds) : new RewardsError('api_key_invalid')
  }
  ctx.state['keyHolder'] = { kind: 'casino', casinoId: caller.casinoId, keyId: caller.keyId }
  const { allowedNetworks } = caller
  if (allowedNetworks !== null && !isInNetworks(allowedNetworks, address)) {
    throw new RewardsError('api_key_address_refused')
  }
  if (!caller.scopes.includes(needed.scope)) throw new RewardsError('api_key_scope_missing')
  deps.keyUsage.record(caller.keyId)
  deps.seenKeys.record(caller)
  limitRate(ctx, deps, needed.operation, bucketsOf(caller, needed.operation, deps.config))
  return caller
}

/**
 * One bucket for all keys of a casino and of its sandbox, so that more keys do not allow more requests. A sandbox that
 * has a limit of its own has a bucket of its own beside it.
 */
function bucketsOf(
  { casinoId, sandboxOf, limits, sandboxLimits }: Caller,
  operation: KeyOperation,
  config: Deps['config'],
): NamedLimit[] {
  const ofAll = limits[operation] ?? config.rateLimits[operation]
  const ofSandbox = sandboxLimits[operation]
  return [
    ...(ofAll === null ? [] : [{ key: `${sandboxOf ?? casinoId}:${operation}`, limit: ofAll }]),
    ...(ofSandbox === undefined ? [] : [{ key: `${casinoId}:${operation}`, limit: ofSandbox }]),
  ]
}

/** The needs of a request of the management API: the casino in its path, if there is one, and the right of people. */
interface Needed {
  casinoId: string | undefined
  right: RouteRight
}

type OperatorDeps = Deps & Pick<ApiDeps, 'database' | 'findSession'>

/**
 * The service's admin key, a person who is signed in, or a casino that manages its own objects. Throws also
 * `casino_unknown` when the path names another casino: to other callers it does not exist. A path without a casino is
 * not for casinos' keys. A request with a key and a session counts as the key's.
 */
export async function authenticateOperator(
  ctx: Context,
  deps: OperatorDeps,
  needed: Needed,
): Promise<Operator> {
  const { casinoId, right } = needed
  if (ctx.get('Authorization') === '' && readSessionCookie(ctx) !== undefined) {
    return authenticatePerson(ctx, deps, needed)
  }
  if (parseApiKey(bearerOf(ctx, deps)) === undefined) {
    authenticateAdmin(ctx, deps)
    if (right === 'own') throw new RewardsError('session_required')
    return { kind: 'admin' }
  }
  const caller = await authenticateCasino(ctx, deps, { scope: 'manage', operation: 'management' })
  if (casinoId === undefined) throw new RewardsError('api_key_scope_missing')
  return {
    kind: 'casino',
    casinoId: await resolveCasino(deps, caller, casinoId),
    ownerId: caller.sandboxOf ?? caller.casinoId,
    keyId: caller.keyId,
  }
}

/**
 * An operator who is signed in. Throws `cross_site_refused`, `session_ended`, `rate_limited`, `second_factor_required`,
 * `right_missing` or `casino_unknown`, in this order.
 */
async function authenticatePerson(
  ctx: Context,
  deps: OperatorDeps,
  { casinoId, right }: Needed,
): Promise<Person> {
  const { sessionId, operator } = await authenticateSession(ctx, deps)
  if (right !== 'own') {
    if (operator.isSecondFactorRequired && !operator.hasSecondFactor)
      throw new RewardsError('second_factor_required')
    if (!rightsOf(operator.role).includes(right)) throw new RewardsError('right_missing')
    if (casinoId !== undefined && !reachesCasino(operator.casinos, casinoId))
      throw new RewardsError('casino_unknown')
    if (casinoId === undefined && right === 'admin' && operator.casinos !== 'all')
      throw new RewardsError('right_missing')
  }
  return { kind: 'person', username: operator.username, sessionId, record: operator }
}

/** The session of the cookie. Throws `cross_site_refused`, `session_ended` or `rate_limited`. */
export async function authenticateSession(
  ctx: Context,
  deps: Pick<ApiDeps, 'findSession' | 'rateLimiter' | 'config'>,
): Promise<SignedIn> {
  // A cookie is sent by the browser, from the pages of all sites.
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && isCrossSite(ctx))
    throw new RewardsError('cross_site_refused')
  const session = await deps.findSession(readSessionCookie(ctx) ?? '')
  if (session === undefined) throw new RewardsError('session_ended')
  const { username } = session.operator
  ctx.state['keyHolder'] = { kind: 'person', username }
  const limit = deps.config.rateLimits.management
  limitRate(ctx, deps, 'management', limit === null ? [] : [{ key: `operator:${username}`, limit }])
  return session
}

/**
 * The service's admin only. A credential that is not a casino's key counts as a guess at the admin key; guesses are limited
 * for every address, including one that sent the right key before. Throws `api_key_invalid` or `api_key_attempts_limited`.
 */
export function authenticateAdmin(
  ctx: Context,
  deps: Pick<Deps, 'config' | 'adminAttempts' | 'failedAttempts'>,
): void {
  const address = clientAddress(ctx)
  const credential = bearerOf(ctx, deps)
  const waitSeconds = deps.adminAttempts.waitSeconds(address)
  if (waitSeconds > 0) throw attemptsLimited(waitSeconds)
  if (!isSameSecret(credential, deps.config.adminApiKey, deps.config.hashSecret)) {
    deps.adminAttempts.recordFailure(address)
    throw new RewardsError('api_key_invalid')
  }
  ctx.state['keyHolder'] = { kind: 'admin' }
}

function attemptsLimited(retryAfterSeconds: number): RewardsError {
  return new RewardsError('api_key_attempts_limited', undefined, { retryAfterSeconds })
}

/**
 * The casino that a caller acts on when the path names `casinoId`. A test key acts on its sandbox, under the sandbox's id
 * or that of its casino, so that a script needs another key only and cannot reach live data by mistake. A live key acts
 * on its casino, or on its sandbox when the path says so.
 */
async function resolveCasino(
  { database }: Pick<ApiDeps, 'database'>,
  caller: Caller,
  casinoId: string,
): Promise<string> {
  if (casinoId === caller.casinoId || casinoId === caller.sandboxOf) return caller.casinoId
  const isSandbox =
    caller.sandboxOf === null &&
    casinoId === sandboxIdOf(caller.casinoId) &&
    (await getCasino(database, casinoId)).sandboxOf === caller.casinoId
  if (!isSandbox) throw new RewardsError('casino_unknown')
  return casinoId
}

/** The credential of `Authorization: Bearer …`. Throws `api_key_invalid` when there is none; a missing header does not count as an attempt. */
function bearerOf(ctx: Context, { failedAttempts }: Pick<Deps, 'failedAttempts'>): string {
  const header = ctx.get('Authorization')
  const [, credential] = /^Bearer +([^ ]{1,512}) *$/i.exec(header) ?? []
  if (credential !== undefined) return credential
  if (header !== '') failedAttempts.recordFailure(clientAddress(ctx))
  throw new RewardsError('api_key_invalid')
}
