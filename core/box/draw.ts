/** An endless sequence of independent, uniformly distributed 64-bit numbers. */
export type RandomSource = () => bigint

/**
 * A number below `bound` (1 to 2^63), each with the same probability: numbers of as many bits as needed are drawn until
 * one is below it. Taking a remainder instead would favour the small ones. Two draws are enough on average, at worst.
 */
export function drawBelow(bound: bigint, source: RandomSource): bigint {
  const bits = BigInt((bound - 1n).toString(2).length)
  for (;;) {
    const candidate = source() >> (64n - bits)
    if (candidate < bound) return candidate
  }
}

/** Picks one of the entries, each with the probability weight / sum of weights. `entries` is not empty. */
export function drawEntry<Entry extends { weight: bigint }>(
  entries: readonly Entry[],
  source: RandomSource,
): Entry {
  const total = entries.reduce((sum, entry) => sum + entry.weight, 0n)
  let ticket = drawBelow(total, source)
  for (const entry of entries) {
    if (ticket < entry.weight) return entry
    ticket -= entry.weight
  }
  throw new Error('a ticket beyond the sum of weights')
}
