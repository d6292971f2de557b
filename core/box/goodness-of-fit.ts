import jStat from 'jstat'

/** Pearson's chi-square test of observed counts against the weights. */
export interface Fit {
  chiSquare: number
  degreesOfFreedom: number
  /** The probability of counts at least this far off, if the weights are right. */
  pValue: number
}

/** Cells with a lower expectation are merged: the chi-square distribution does not hold for them. */
const expectedMin = 5

/**
 * Compares how often each entry was drawn with its weight. Null if there is nothing to compare: a single entry, or too
 * few draws for two cells.
 */
export function testFit(observed: readonly number[], weights: readonly bigint[]): Fit | null {
  const cells = poolRareCells(observed, expectCounts(observed, weights))
  if (cells.length < 2) return null
  const chiSquare = cells.reduce((sum, cell) => sum + (cell.observed - cell.expected) ** 2 / cell.expected, 0)
  const degreesOfFreedom = cells.length - 1
  return { chiSquare, degreesOfFreedom, pValue: chiSquarePValue(chiSquare, degreesOfFreedom) }
}

/** The expected count of each entry in this many draws. */
export function expectCounts(observed: readonly number[], weights: readonly bigint[]): number[] {
  const draws = observed.reduce((sum, count) => sum + count, 0)
  const total = Number(weights.reduce((sum, weight) => sum + weight, 0n))
  return weights.map((weight) => (draws * Number(weight)) / total)
}

/** The probability of a chi-square statistic of at least this. Exact to about 1e-12, and so 0 below that. */
export function chiSquarePValue(chiSquare: number, degreesOfFreedom: number): number {
  const pValue = 1 - jStat.chisquare.cdf(chiSquare, degreesOfFreedom)
  return Math.min(1, Math.max(0, pValue))
}

interface Cell {
  observed: number
  expected: number
}

function poolRareCells(observed: readonly number[], expected: readonly number[]): Cell[] {
  const cells = expected
    .map((value, index) => ({ expected: value, observed: observed[index] ?? 0 }))
    .sort((a, b) => a.expected - b.expected)
  const pool: Cell = { observed: 0, expected: 0 }
  let pooled = 0
  for (const cell of cells) {
    if (pool.expected >= expectedMin || (pooled === 0 && cell.expected >= expectedMin)) break
    pool.observed += cell.observed
    pool.expected += cell.expected
    pooled++
  }
  return pooled === 0 ? cells : [pool, ...cells.slice(pooled)]
}
