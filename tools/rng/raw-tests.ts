import { chiSquarePValue, testFit } from '../../core/box/goodness-of-fit.ts'
import { createRunsTest } from './runs-test.ts'
import { resultOfFit, resultOfZ } from './test-result.ts'
import type { TestResult } from './test-result.ts'

/**
 * How far apart the numbers are whose correlation is tested. Openings take turns among 1,000 players, so at 1,000 it is
 * the same player's next opening.
 */
const lags = [1, 2, 3, 5, 10, 100, 1_000] as const
/** A power of two above the largest lag. */
const historySize = 1_024

/** Observes raw 64-bit numbers. */
export interface RawTests {
  add(number: bigint): void
  results(): TestResult[]
}

/**
 * Bits (all, and each place by itself), bytes, runs above and below the median, and serial correlation, of numbers below
 * 2^64.
 */
export function createRawTests(): RawTests {
  const runs = createRunsTest('raw: runs above and below the median')
  const byteCounts = new Float64Array(256)
  const bitCounts = new Float64Array(64)
  const history = new Float64Array(historySize)
  const products = new Float64Array(lags.length)
  let count = 0

  function countBits(word: number, place: number): void {
    for (let bit = 0; bit < 32; bit++) {
      bitCounts[place + bit] = (bitCounts[place + bit] ?? 0) + ((word >>> bit) & 1)
    }
  }

  function countBytes(word: number): void {
    for (let shift = 24; shift >= 0; shift -= 8) {
      const byte = (word >>> shift) & 0xff
      byteCounts[byte] = (byteCounts[byte] ?? 0) + 1
    }
  }

  function addProducts(value: number): void {
    for (const [index, lag] of lags.entries()) {
      if (count < lag) break
      const before = history[(count - lag) % historySize] ?? 0
      products[index] = (products[index] ?? 0) + value * before
    }
    history[count % historySize] = value
  }

  return {
    add: (number) => {
      const high = Number(number >> 32n)
      const low = Number(number & 0xffff_ffffn)
      countBits(low, 0)
      countBits(high, 32)
      countBytes(high)
      countBytes(low)
      runs.add(high >= 2 ** 31)
      addProducts((high + low / 2 ** 32) / 2 ** 32 - 0.5)
      count++
    },
    results: () => [
      resultOfBits(bitCounts, count),
      resultOfPlaces(bitCounts, count),
      resultOfBytes(byteCounts),
      runs.result(),
      ...lags.map((lag, index) => resultOfLag(lag, count - lag, products[index] ?? 0)),
    ],
  }
}

/** The monobit test: as many ones as zeros. */
function resultOfBits(bitCounts: Float64Array, count: number): TestResult {
  const bits = bitCounts.length * count
  const ones = bitCounts.reduce((sum, value) => sum + value, 0)
  return resultOfZ('raw: ones among all bits', bits, (2 * ones - bits) / Math.sqrt(bits))
}

/** The same of each of the 64 places, as a place that is biased is hard to see among all of them. */
function resultOfPlaces(bitCounts: Float64Array, count: number): TestResult {
  const chiSquare = bitCounts.reduce((sum, ones) => sum + (2 * ones - count) ** 2 / count, 0)
  const degreesOfFreedom = bitCounts.length
  const pValue = chiSquarePValue(chiSquare, degreesOfFreedom)
  return resultOfFit('raw: ones at each of the 64 places', count, { chiSquare, degreesOfFreedom, pValue })
}

function resultOfBytes(byteCounts: Float64Array): TestResult {
  const bytes = byteCounts.reduce((sum, count) => sum + count, 0)
  const fit = testFit(
    [...byteCounts],
    Array.from(byteCounts, () => 1n),
  )
  return resultOfFit('raw: frequency of the bytes', bytes, fit)
}

/**
 * Products of independent numbers, each uniform from −½ to ½, have the mean 0 and the variance 1/144; products of
 * neighbours are uncorrelated, so their sum is as good as normally distributed.
 */
function resultOfLag(lag: number, count: number, sumOfProducts: number): TestResult {
  return resultOfZ(`raw: serial correlation at lag ${lag}`, count, (12 * sumOfProducts) / Math.sqrt(count))
}
