import { testFit } from '../../core/box/goodness-of-fit.ts'
import { createRunsTest } from './runs-test.ts'
import { resultOfFit } from './test-result.ts'
import type { TestResult } from './test-result.ts'
import type { WeightTable } from './weight-tables.ts'

/** Observes the places of drawn entries, from 0. */
export interface TableTests {
  entries: readonly { weight: bigint; index: number }[]
  add(index: number): void
  results(): TestResult[]
}

/** How many entries a table may have for pairs of them to be counted. */
const pairedEntriesMax = 32

/**
 * Each entry's share, and whether draws that follow each other know of each other: pairs of them (which do not overlap)
 * in tables of few entries, and runs above and below the middle where the weights are equal and even in number.
 */
export function createTableTests({ name, weights }: WeightTable): TableTests {
  const counts = weights.map(() => 0)
  const isPaired = weights.length <= pairedEntriesMax
  const pairWeights = isPaired ? weights.flatMap((first) => weights.map((second) => first * second)) : []
  const pairCounts = pairWeights.map(() => 0)
  const isSplit = weights.length % 2 === 0 && new Set(weights).size === 1
  const runs = createRunsTest(`${name}: runs above and below the middle`)
  let drawn = 0
  let last = 0

  return {
    entries: weights.map((weight, index) => ({ weight, index })),
    add: (index) => {
      counts[index] = (counts[index] ?? 0) + 1
      if (isPaired && drawn % 2 === 1) {
        const pair = last * weights.length + index
        pairCounts[pair] = (pairCounts[pair] ?? 0) + 1
      }
      if (isSplit) runs.add(index >= weights.length / 2)
      last = index
      drawn++
    },
    results: () => [
      resultOfFit(`${name}: shares`, drawn, testFit(counts, weights)),
      ...(isPaired
        ? [resultOfFit(`${name}: pairs`, Math.floor(drawn / 2), testFit(pairCounts, pairWeights))]
        : []),
      ...(isSplit ? [runs.result()] : []),
    ],
  }
}
