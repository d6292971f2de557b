import { resultOfZ } from './test-result.ts'
import type { TestResult } from './test-result.ts'

/** Observes, one after the other, whether a number is above the median. */
export interface RunsTest {
  add(isAbove: boolean): void
  result(): TestResult
}

/**
 * The runs test of Wald and Wolfowitz: numbers that are independent change between above and below the median neither too
 * often nor too seldom. Given n₁ above and n₂ below, the number of runs has the mean μ = 2·n₁·n₂ / n + 1 and the
 * variance (μ − 1)·(μ − 2) / (n − 1).
 */
export function createRunsTest(name: string): RunsTest {
  const counts = { above: 0, below: 0, runs: 0 }
  let last: boolean | undefined
  return {
    add: (isAbove) => {
      if (isAbove) counts.above++
      else counts.below++
      if (isAbove !== last) counts.runs++
      last = isAbove
    },
    result: () => {
      const count = counts.above + counts.below
      const mean = (2 * counts.above * counts.below) / count + 1
      const variance = ((mean - 1) * (mean - 2)) / (count - 1)
      // All on one side: only one run was possible, which is the largest deviation from the expected number.
      const z = variance > 0 ? (counts.runs - mean) / Math.sqrt(variance) : Number.POSITIVE_INFINITY
      return resultOfZ(name, count, z)
    },
  }
}
