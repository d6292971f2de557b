/** A table of weights that draws are tested with. */
export interface WeightTable {
  name: string
  weights: readonly bigint[]
}

const equal = (count: number, weight = 1n) => Array.from({ length: count }, () => weight)

/** Different enough for a mistake in the draw to show in one of them. */
export const weightTables: readonly WeightTable[] = [
  { name: '10 equal entries', weights: equal(10) },
  { name: 'skewed: 1, 2, 3, 10, 84', weights: [1n, 2n, 3n, 10n, 84n] },
  { name: 'one entry of 1 in 5,000', weights: [1n, 4_999n] },
  { name: 'a prime: 31 equal entries', weights: equal(31) },
  // One more than a power of two: almost half of the numbers are rejected.
  { name: 'sum 2^16 + 1', weights: [16_385n, ...equal(3, 16_384n)] },
  { name: 'the largest sum, 2^53 − 1', weights: [...equal(7, 2n ** 50n), 2n ** 50n - 1n] },
  { name: '1,000 equal entries', weights: equal(1_000) },
]
