/** A batch in flight. */
export interface Flight {
  size: number
  /** The lane that makes the others wait for it, if one does. */
  filledBy: string | undefined
  /** Started beside the usual batches, for the lanes that do not fill them. */
  isBypass: boolean
}

/** A lane with this part of a batch, of at least `worthwhileSize` inputs, makes the other lanes wait for it. */
const fillingPart = 0.75

/** The batches that are in flight. */
export function createFlights({
  usualMax,
  worthwhileSize,
}: {
  /** The maximum number of batches without the bypass. */
  usualMax: number
  worthwhileSize: number
}) {
  const flights = new Set<Flight>()
  const some = (is: (flight: Flight) => boolean) => [...flights].some(is)
  const hasBypass = () => some(({ isBypass }) => isBypass)
  return {
    begin: (lanes: readonly string[], isBypass: boolean): Flight => {
      const filledBy = lanes.length < worthwhileSize ? undefined : findFilling(lanes)
      const flight = { size: lanes.length, filledBy, isBypass }
      flights.add(flight)
      return flight
    },
    end: (flight: Flight) => flights.delete(flight),
    isEmpty: () => flights.size === 0,
    hasBypass,
    hasUsualSlot: () => flights.size - (hasBypass() ? 1 : 0) < usualMax,
    isAnyFilled: () => some(({ filledBy }) => filledBy !== undefined),
    isFilling: (lane: string) => some(({ filledBy }) => filledBy === lane),
    /** The number of inputs in them. */
    count: () => [...flights].reduce((sum, { size }) => sum + size, 0),
  }
}

function findFilling(lanes: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const lane of lanes) counts.set(lane, (counts.get(lane) ?? 0) + 1)
  return [...counts].find(([, count]) => count >= fillingPart * lanes.length)?.[0]
}
