import { useCallback, useRef } from 'preact/hooks'
import { answered, api } from './api.ts'
import type { Schemas } from './api.ts'
import { useQuery } from './use-query.ts'

type Casino = Schemas['Casino']

/** The casinos that the person works for, as far as they are loaded. No page waits for them. */
export interface KnownCasinos {
  casinos: readonly Casino[]
  /** Whether there are more than are loaded, or none is loaded yet. */
  isPartial: boolean
  error: unknown
  /** Loads the others, for a person who is about to choose one. */
  loadRest: () => void
  reload: () => void
}

const pageMax = 200

/** More than that are found by their id. */
const casinosMax = 1000

/** Loads the first of them, and the others when they are asked for. Nothing is loaded while the service would refuse it. */
export function useCasinos(isAllowed: boolean): KnownCasinos {
  const wanted = useRef(1)
  const { value, error, reload } = useQuery(`casinos ${String(isAllowed)}`, (signal) =>
    isAllowed ? loadCasinos(wanted.current, signal) : Promise.resolve({ casinos: [], isPartial: true }),
  )
  const isPartial = value?.isPartial ?? true
  const loadRest = useCallback(() => {
    if (wanted.current === casinosMax) return
    wanted.current = casinosMax
    if (isPartial) reload()
  }, [isPartial, reload])
  return { casinos: value?.casinos ?? [], isPartial, error, loadRest, reload }
}

/** At least so many casinos, in whole pages. */
async function loadCasinos(
  count: number,
  signal: AbortSignal,
): Promise<Pick<KnownCasinos, 'casinos' | 'isPartial'>> {
  const casinos: Casino[] = []
  let cursor: string | undefined
  do {
    const query = { limit: pageMax, ...(cursor === undefined ? {} : { cursor }) }
    const page = await answered(api.GET('/admin/casinos', { params: { query }, signal }))
    casinos.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== undefined && casinos.length < count)
  return { casinos, isPartial: cursor !== undefined }
}

/** One casino, which need not be among the known ones; undefined while it is loading and if it cannot be loaded. */
export function useCasino({ casinos, isPartial }: KnownCasinos, casinoId: string): Casino | undefined {
  const known = casinos.find(({ casino_id: id }) => id === casinoId)
  const isNeeded = known === undefined && isPartial && casinos.length > 0 && casinoId !== ''
  const { value } = useQuery(isNeeded ? `casino named ${casinoId}` : '', async (signal) => {
    if (!isNeeded) return undefined
    const params = { path: { casino_id: casinoId } }
    return (await answered(api.GET('/admin/casinos/{casino_id}', { params, signal }))).data
  })
  return known ?? value
}
