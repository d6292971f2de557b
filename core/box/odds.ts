import { fractionOf } from './fraction.ts'

/** A probability: an exact fraction in lowest terms, and the same in percent, as exactly as a number can say it. */
export interface Odds {
  /** Both are at most the sum of a box's weights, which JSON carries exactly. */
  numerator: number
  denominator: number
  percentage: number
}

/** The odds of entries to be drawn, by their weights; they sum to one. */
export function oddsOf(weights: readonly bigint[]): Odds[] {
  const total = sumOf(weights)
  return weights.map((weight) => toOdds(weight, total))
}

/**
 * That an entry is drawn which is out of stock, so that the fallback is given at present: such an entry keeps its own odds.
 */
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

/** The smallest probability, 1 / (2^53 − 1), has 13 zeros behind the point of its percentage; a number tells 17 digits. */
const percentageDecimals = 40

/** The odds of so much of a sum of weights. */
export function toOdds(weight: bigint, total: bigint): Odds {
  const { numerator, denominator } = fractionOf(weight, total)
  const digits = (numerator * 100n * 10n ** BigInt(percentageDecimals)) / denominator
  return {
    numerator: Number(numerator),
    denominator: Number(denominator),
    percentage: Number(`${digits}e-${percentageDecimals}`),
  }
}
