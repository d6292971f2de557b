import type { BoxEntry } from './box.ts'
import { fractionOf } from './fraction.ts'

/** A probability: an exact fraction in lowest terms, and the same in percent, as exactly as a number can say it. */
export interface Odds {
  /** Both are at most the sum of a box's weights, which JSON carries exactly. */
  numerator: number
  denominator: number
  percentage: number
}

export interface BoxOdds {
  /** Of each entry to be drawn; they sum to one. */
  entries: readonly Odds[]
  /** That an entry is drawn which is out of stock, so that the fallback is given at present. */
  fallback: Odds
}

/** The odds of a box's entries. An entry keeps its own when its stock is used up: then the fallback is given for it. */
export function oddsOf(entries: readonly Pick<BoxEntry, 'weight' | 'remaining'>[]): BoxOdds {
  const sumOf = (some: readonly { weight: bigint }[]) => some.reduce((sum, { weight }) => sum + weight, 0n)
  const total = sumOf(entries)
  return {
    entries: entries.map(({ weight }) => toOdds(weight, total)),
    fallback: toOdds(sumOf(entries.filter(({ remaining }) => remaining === 0)), total),
  }
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
