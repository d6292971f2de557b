/** Few callers share one batch, as soon as this part of them waits: the last ones may be late, or not return. */
const sharedPart = 0.75

interface Callers {
  /** Those whose inputs wait. */
  waiting: number
  /** Those whose inputs are in batches. */
  inFlight: number
  /** Those that were just answered and are expected to call again. */
  returning: number
}

interface Sizes {
  worthwhileSize: number
  batchSizeMax: number
}

/**
 * The number of waiting inputs that start a batch when callers return after their answers. Enough of them form two batches
 * of the same size, one of which is in the database while this process answers the other; fewer form one.
 */
export function wantedSize(
  { waiting, inFlight, returning }: Callers,
  { worthwhileSize, batchSizeMax }: Sizes,
): number {
  const callers = waiting + inFlight + returning
  const isForTwo = inFlight > 0 || callers >= 2 * worthwhileSize
  const part = isForTwo ? Math.ceil(callers / 2) : Math.floor(callers * sharedPart)
  const least = inFlight > 0 ? worthwhileSize : 1
  return Math.min(batchSizeMax, Math.max(least, part))
}
