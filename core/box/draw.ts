/** An endless sequence of independent, uniformly distributed 64-bit numbers. */
export type RandomSource = () => bigint

/**
 * A uniformly distributed number below `bound` (1 to 2^63), by rejection: numbers with just enough bits are drawn until
 * one is below it. A remainder would favour small numbers. Takes at most two draws on average.
 */
export function drawBelow(bound: bigint, source: RandomSource): bigint {
  return drawBits(bound, bitsOf(bound), source)
}

/**
 * Sums the weights once for many draws. Each draw returns an index with the probability weight / sum of weights.
 * `weights` is not empty.
 */
export function createDraw(weights: readonly bigint[]): (source: RandomSource) => number {
  let total = 0n
  const ends = weights.map((weight) => (total += weight))
  const bits = bitsOf(total)
  return (source) => findShare(ends, drawBits(total, bits, source))
}

/** Picks one of the entries, each with the probability weight / sum of weights. `entries` is not empty. */
export function drawEntry<Entry extends { weight: bigint }>(
  entries: readonly Entry[],
  source: RandomSource,
): Entry {
  const entry = entries[createDraw(entries.map(({ weight }) => weight))(source)]
  if (entry === undefined) throw new Error('the ticket is beyond the sum of weights')
  return entry
}

function bitsOf(bound: bigint): bigint {
  return BigInt((bound - 1n).toString(2).length)
}

function drawBits(bound: bigint, bits: bigint, source: RandomSource): bigint {
  for (;;) {
    const candidate = source() >> (64n - bits)
    if (candidate < bound) return candidate
  }
}

/** The index whose share contains the ticket: the first share that ends beyond it. */
function findShare(ends: readonly bigint[], ticket: bigint): number {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ticket < (ends[middle] ?? 0n)) high = middle
    else low = middle + 1
  }
  return low
}
