/**
 * Holm's correction of several p-values: rejecting those whose corrected value is below α rejects, with probability
 * 1 − α at least, none of the hypotheses that hold, however the tests depend on each other. In the order of the input.
 * (S. Holm, A simple sequentially rejective multiple test procedure, 1979.)
 */
export function correctByHolm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => a.pValue - b.pValue)
  const corrected = pValues.map(() => 1)
  let largest = 0
  for (const [rank, { pValue, index }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, pValue * (pValues.length - rank)))
    corrected[index] = largest
  }
  return corrected
}
