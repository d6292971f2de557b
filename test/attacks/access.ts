import type { Route } from '../../api/route.ts'
import { formatApiKey, generateApiKey } from '../../core/casino/api-key.ts'
import type { ApiKeyScope } from '../../core/casino/api-key.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { textAt } from '../api/admin/operator.ts'
import type { World } from '../support/casino-world.ts'
import { adminApiKey } from '../support/config.ts'
import { withOtherSecret } from '../support/factory.ts'
import type { TestService } from '../support/service.ts'
import { routeRows } from './route-table.ts'

export type Key = { name: string; text: string | undefined } & (
  | { kind: 'nobody' }
  | { kind: 'admin' }
  | { kind: 'casino'; casinoId: string; scopes: readonly ApiKeyScope[] }
)

/** The casino in the path, and the owner of the objects in the path and the body. */
export interface Aim {
  name: string
  casinoId: string
  owner: string
  world: Pick<World, 'ids' | 'cashbackPrizeId'>
}

export const rowNameOf = ({ method, path }: Route) => `${method} ${path}`
export const rowOf = (route: Route) => {
  const row = routeRows[rowNameOf(route)]
  if (row === undefined) throw new Error(`no row for ${rowNameOf(route)}`)
  return row
}

/** Keys of one casino and its sandbox, and invalid ones. Keys of another casino behave alike, the other way round. */
export async function createKeys(service: TestService, worlds: readonly World[]): Promise<Key[]> {
  const [live, test] = worlds
  if (live === undefined || test === undefined) throw new Error('no worlds')
  const past = new Date(Date.now() - 1_000)
  const both: ApiKeyScope[] = ['play', 'manage']
  const { factory } = service
  const testKey = async (scope: ApiKeyScope) => {
    // Requested with the sandbox's key: the casino's key would also copy the catalogue.
    const body = { scopes: [scope] }
    return textAt(
      await service.client.post(`/admin/casinos/${test.casinoId}/api-keys`, test.apiKey, body),
      'data.api_key',
    )
  }
  const nobody = (name: string, text: string | undefined): Key => ({ name, text, kind: 'nobody' })
  const casino = (name: string, text: string, { casinoId }: World, scope: ApiKeyScope): Key => ({
    name,
    text,
    casinoId,
    scopes: [scope],
    kind: 'casino',
  })
  return [
    nobody('no key', undefined),
    nobody('nonsense', 'nonsense'),
    nobody('a key nobody has made', formatApiKey(generateApiKey())),
    nobody('the id of a live key with another secret', withOtherSecret(live.apiKey)),
    nobody('the id of a test key with another secret', withOtherSecret(test.apiKey)),
    nobody('a live key that says it is a test key', live.apiKey.replace('rk_live_', 'rk_test_')),
    nobody('a test key that says it is a live key', test.apiKey.replace('rk_test_', 'rk_live_')),
    nobody('a revoked key', await factory.apiKey(live.casinoId, both, { revokedAt: past })),
    nobody('an expired key', await factory.apiKey(live.casinoId, both, { expiresAt: past })),
    nobody('almost the admin key', `${adminApiKey.slice(0, -1)}~`),
    casino('a live play key', await factory.apiKey(live.casinoId, ['play']), live, 'play'),
    casino('a live manage key', await factory.apiKey(live.casinoId, ['manage']), live, 'manage'),
    casino('a test play key', await testKey('play'), test, 'play'),
    casino('a test manage key', await testKey('manage'), test, 'manage'),
    { name: 'the admin key', text: adminApiKey, kind: 'admin' },
  ]
}

/** Each casino with its own objects, and with those of another casino. */
export function createAims(worlds: readonly World[]): Aim[] {
  const [live, test, otherLive, otherTest] = worlds
  if (live === undefined || test === undefined || otherLive === undefined || otherTest === undefined) {
    throw new Error('no worlds')
  }
  const aim = (casinoId: string, world: World): Aim => ({
    name: `${casinoId} with things of ${world.casinoId}`,
    casinoId,
    owner: world.casinoId,
    world,
  })
  const nothing = { ...live, casinoId: 'nobody', cashbackPrizeId: 'nothing', ids: { ...live.ids } }
  for (const name of Object.keys(nothing.ids)) if (name !== 'name') nothing.ids[name] = 'nothing'
  nothing.ids['player_id'] = 'nobody'
  return [
    ...worlds.map((world) => aim(world.casinoId, world)),
    aim(live.casinoId, test),
    aim(live.casinoId, otherLive),
    aim(live.casinoId, nothing),
    aim(test.casinoId, live),
    aim(test.casinoId, otherTest),
    aim(otherLive.casinoId, live),
    aim('unknown', live),
  ]
}

/** The casino whose objects a call is about; undefined if there is none. */
export function actedOn(
  worlds: readonly World[],
  key: Key,
  route: Route,
  { casinoId }: Aim,
): string | undefined {
  if (key.kind === 'nobody' || route.for === 'anybody' || route.for === 'partners') return undefined
  if (route.for === 'casinos') return key.kind === 'casino' ? key.casinoId : undefined
  if (!route.path.includes(':casino_id')) return undefined
  if (key.kind === 'admin') return worlds.find((world) => world.casinoId === casinoId)?.casinoId
  const isTest = key.casinoId.endsWith(':test')
  if (isTest)
    return casinoId === key.casinoId || `${casinoId}:test` === key.casinoId ? key.casinoId : undefined
  return casinoId === key.casinoId || casinoId === `${key.casinoId}:test` ? casinoId : undefined
}

/** The refusal by the rules of docs/integrate/sandbox.md and docs/integrate/management-api.md. */
export function refusalOf(
  key: Key,
  route: Route,
  aim: Aim,
  actsOn: string | undefined,
): ErrorCode | undefined {
  if (route.for === 'anybody') return undefined
  if (route.for === 'partners') return 'signature_invalid'
  if (key.kind === 'nobody') return 'api_key_invalid'
  if (route.for === 'casinos' && key.kind === 'admin') return 'api_key_invalid'
  const scope = route.for === 'casinos' ? 'play' : 'manage'
  if (key.kind === 'casino' && !key.scopes.includes(scope)) return 'api_key_scope_missing'
  if (route.for === 'operators' && !route.path.includes(':casino_id')) {
    if (key.kind !== 'admin') return 'api_key_scope_missing'
    return rowOf(route).isForSessions === true ? 'session_required' : undefined
  }
  const makesCasino = rowNameOf(route) === 'PUT /admin/casinos/:casino_id' && key.kind === 'admin'
  if (actsOn === undefined) return makesCasino ? undefined : 'casino_unknown'
  const { foreign, withSandbox } = rowOf(route)
  const isOwn = aim.owner === actsOn || (withSandbox === true && aim.owner === `${actsOn}:test`)
  return isOwn ? undefined : foreign
}
