import type { Context } from 'koa'
import { isSameSecret } from '../../core/casino/api-key.ts'
import type { ApiKeyScope } from '../../core/casino/api-key.ts'
import { getCasino } from '../../core/casino/casinos.ts'
import type { Caller } from '../../core/casino/find-caller.ts'
import { sandboxIdOf } from '../../core/casino/sandbox.ts'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { Operator } from '../endpoint.ts'

type Deps = Pick<ApiDeps, 'findCaller' | 'config'>

/** The casino whose key comes with the request. Throws `api_key_invalid` or `api_key_scope_missing`. */
export async function authenticateCasino(ctx: Context, deps: Deps, scope: ApiKeyScope): Promise<Caller> {
  const caller = await deps.findCaller(bearerOf(ctx))
  if (caller === undefined) throw new RewardsError('api_key_invalid')
  if (!caller.scopes.includes(scope)) throw new RewardsError('api_key_scope_missing')
  return caller
}

/**
 * The service's admin, or a casino that manages its own things. Throws also `casino_unknown` when the path names another
 * casino: to whom it does not belong, it does not exist. What names no casino is the admin's alone.
 */
export async function authenticateOperator(
  ctx: Context,
  deps: Deps & Pick<ApiDeps, 'database'>,
  casinoId: string | undefined,
): Promise<Operator> {
  if (isSameSecret(bearerOf(ctx), deps.config.adminApiKey, deps.config.hashSecret)) return { kind: 'admin' }
  const caller = await authenticateCasino(ctx, deps, 'manage')
  if (casinoId === undefined) throw new RewardsError('api_key_scope_missing')
  return { kind: 'casino', casinoId: await resolveCasino(deps, caller, casinoId), keyId: caller.keyId }
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

/** The credential of `Authorization: Bearer …`. Throws `api_key_invalid` when there is none. */
export function bearerOf(ctx: Context): string {
  const [, credential] = /^Bearer +([^ ]{1,512}) *$/i.exec(ctx.get('Authorization')) ?? []
  if (credential === undefined) throw new RewardsError('api_key_invalid')
  return credential
}
