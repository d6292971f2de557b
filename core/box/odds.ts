import { fractionOf } from './fraction.ts'

/** A probability: an exact fraction in lowest terms, and in percent with all digits of a number. */
export interface Odds {
  /** Both are at most the sum of a box's weights, which is exact in JSON. */
  numerator: number
  denominator: number
  percentage: number
}

/** The odds of drawing each entry, by weight; they sum to one. */
export function oddsOf(weights: readonly bigint[]): Odds[] {
  const total = sumOf(weights)
  return weights.map((weight) => toOdds(weight, total))
}

/** The probability of an entry that is out of stock, which gives the fallback now. Such an entry keeps its own odds. */
export function oddsOfFallback(
  entries: readonly { position: number; weight: bigint }[],
  soldOut: ReadonlySet<number>,
): Odds {
  const gone = entries.filter(({ position }) => soldOut.has(position))
  return toOdds(sumOfWeights(gone), sumOfWeights(entries))
}

function sumOfWeights(entries: readonly { weight: bigint }[]): bigint {
  return sumOf(entries.map(({ weight }) => weight))
}

function sumOf(weights: readonly bigint[]): bigint {
  return weights.reduce((sum, weight) => sum + weight, 0n)
}

/**
 * The smallest probability, 1 / (2^53 − 1), has 13 zeros after the decimal point of its percentage; a number has 17
 * digits.
 */
const percentageDecimals = 40

/** The odds of a weight out of a sum of weights. */
export function toOdds(weight: bigint, total: bigint): Odds {
  const { numerator, denominator } = fractionOf(weight, total)
  const digits = (numerator * 100n * 10n ** BigInt(percentageDecimals)) / denominator
  return {
    numerator: Number(numerator),
    denominator: Number(denominator),
    percentage: Number(`${digits}e-${percentageDecimals}`),
  }
}
