import type { Settled } from '../batch/batcher.ts'
import type { CasinoSettings, FindSettings } from './settings.ts'

/**
 * A value derived from each casino's settings. A setting that cannot be read, because its secret cannot be decrypted,
 * fails only its own casino.
 */
export type FindOfCasinos<Value> = (
  casinoIds: readonly string[],
) => Promise<ReadonlyMap<string, Settled<Value>>>

/** `read` runs once per cached setting: it may cost as much as the work that needs it. */
export function createFindOfCasinos<Value>(
  findSettings: FindSettings,
  read: (casinoId: string, settings: CasinoSettings) => Value,
): FindOfCasinos<Value> {
  const known = new WeakMap<CasinoSettings, Settled<Value>>()
  const find = (casinoId: string, settings: CasinoSettings): Settled<Value> => {
    const found = known.get(settings)
    if (found !== undefined) return found
    try {
      const value = { value: read(casinoId, settings) }
      known.set(settings, value)
      return value
    } catch (error) {
      return { error }
    }
  }
  return async (casinoIds) =>
    new Map([...(await findSettings(casinoIds))].map(([id, settings]) => [id, find(id, settings)]))
}

/** Each of `loaded` with its casino's settings; `combine` makes the two one. Without readable settings it fails alone. */
export async function withSettings<Loaded extends { casinoId: string }, Value, Combined>(
  loaded: ReadonlyMap<string, Loaded>,
  find: FindOfCasinos<Value>,
  combine: (one: Loaded, value: Value) => Combined,
): Promise<ReadonlyMap<string, Settled<Combined>>> {
  const casinoIds = new Set([...loaded.values()].map(({ casinoId }) => casinoId))
  const found = await find([...casinoIds])
  const combined = (one: Loaded): Settled<Combined> => {
    const settings = found.get(one.casinoId) ?? { error: new Error('casino without settings') }
    return 'error' in settings ? settings : { value: combine(one, settings.value) }
  }
  return new Map([...loaded].map(([key, one]) => [key, combined(one)]))
}

/** The readable settings of the casinos that `jobs` name. A job only claims a casino: check that its object is that one's. */
export async function claimedSettings<Value>(
  jobs: readonly { casinoId?: string }[],
  find: FindOfCasinos<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const casinoIds = new Set(jobs.flatMap(({ casinoId }) => casinoId ?? []))
  const found = casinoIds.size === 0 ? [] : await find([...casinoIds])
  return new Map([...found].flatMap(([id, one]) => ('value' in one ? [[id, one.value] as const] : [])))
}
