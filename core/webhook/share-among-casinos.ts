import { inTurns } from '../batch/in-turns.ts'
import type { EndpointName } from './endpoints.ts'

/**
 * Of the endpoints that have something to do, as many as one statement works on, and of each casino its share: one endpoint
 * of every casino before a second one of any. Casinos take turns, beginning after `afterCasinoId`, the one that was served
 * last: so with more casinos than room, each has its turn too. Of a casino's endpoints the first ones are taken.
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
