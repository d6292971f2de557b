import { inTurns } from '../batch/in-turns.ts'
import type { EndpointName } from './endpoints.ts'

/**
 * Selects as many endpoints with work as one statement handles, fairly: one endpoint of every casino before a second
 * one of any. Casinos take turns, starting after `afterCasinoId`, the one served last, so that each is served even if
 * there are more casinos than places.
 */
export function shareAmongCasinos<Endpoint extends Pick<EndpointName, 'casinoId'>>(
  endpoints: readonly Endpoint[],
  afterCasinoId: string,
  max: number,
): Endpoint[] {
  const casinoIds = [...new Set(endpoints.map(({ casinoId }) => casinoId))].sort()
  const inRing = [
    ...casinoIds.filter((casinoId) => casinoId > afterCasinoId),
    ...casinoIds.filter((casinoId) => casinoId <= afterCasinoId),
  ]
  const places = new Map(inRing.map((casinoId, place) => [casinoId, place]))
  const placeOf = ({ casinoId }: Endpoint) => places.get(casinoId) ?? 0
  const sorted = endpoints.toSorted((one, other) => placeOf(one) - placeOf(other))
  return [...inTurns(sorted, ({ casinoId }) => casinoId)].slice(0, max)
}
