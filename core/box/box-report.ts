import type { Money } from '../money.ts'
import type { BoxDefinition, EntryDefinition } from './box-definition.ts'
import { fractionOf, renderDecimal, wholeSquareRoot } from './fraction.ts'
import type { Fraction } from './fraction.ts'

/** The subject of a report: a draft with its whole stock, or a published version with its rest. */
export type ReportedBox = Pick<BoxDefinition, 'entries' | 'fallbackItemId' | 'activeFrom' | 'activeUntil'>

/** An item's cost as cashback; undefined or null if it has none. */
export type CashbackOf = (itemId: string) => Money | null | undefined

/** The consequences of publishing a box. Computed exactly, and rounded only here. */
export interface BoxReport {
  /** The items in the order of their entries. An entry that is out of stock counts for the fallback. */
  items: readonly ItemOdds[]
  /** Expected cashback per opening, by currency, until another stock runs out. */
  costPerOpening: readonly ExpectedCost[]
  /** The same after all limited stocks have run out; null if there are none, or if the box closes then. */
  costWhenUsedUp: readonly ExpectedCost[] | null
  /** The entries with limited stock, in the order in which they are expected to run out. */
  runOuts: readonly RunOut[]
}

export interface ItemOdds {
  itemId: string
  /** Its probability, in lowest terms. */
  share: Fraction
}

export interface ExpectedCost {
  currency: string
  /** In minor units, with decimals. */
  amountMinor: string
}

/** When an entry's stock runs out: after `stock` wins, each with the entry's probability per opening. */
export interface RunOut {
  /** The entry's position, from 1. */
  position: number
  itemId: string
  stock: number
  expectedOpenings: string
  standardDeviation: string
  /** At the given number of openings per day; null without one. */
  expectedDays: string | null
  /** Also null beyond the year 9999. */
  expectedAt: Date | null
}

/** The expected number of openings per day, and their start. */
export interface Pace {
  openingsPerDay: number
  now: Date
}

/** A published version with its current stock. */
export function toReportedBox({
  entries,
  fallbackItemId,
  activeFrom,
  activeUntil,
}: Omit<ReportedBox, 'entries'> & {
  entries: readonly { itemId: string; weight: bigint; remaining: number | null }[]
}): ReportedBox {
  return {
    entries: entries.map(({ itemId, weight, remaining }) => ({
      itemId,
      weight: Number(weight),
      stock: remaining,
    })),
    fallbackItemId,
    activeFrom,
    activeUntil,
  }
}

export function reportBox(box: ReportedBox, cashbackOf: CashbackOf, pace?: Pace): BoxReport {
  const weights = weightsWon(box, (entry) => entry.stock === 0)
  const usedUp = weightsWon(box, (entry) => entry.stock !== null)
  const total = sumOfWeights(box)
  const isLimited = box.entries.some((entry) => entry.stock !== null)
  return {
    items: [...weights].map(([itemId, weight]) => ({ itemId, share: fractionOf(weight, total) })),
    costPerOpening: expectCosts(weights, total, cashbackOf),
    costWhenUsedUp: isLimited && box.fallbackItemId !== null ? expectCosts(usedUp, total, cashbackOf) : null,
    runOuts: estimateRunOuts(box, total, pace),
  }
}

function sumOfWeights({ entries }: ReportedBox): bigint {
  return entries.reduce((sum, entry) => sum + BigInt(entry.weight), 0n)
}

/**
 * The weight of each item that can be won, with entries replaced by the fallback. Without a fallback, every entry gives
 * its own item.
 */
function weightsWon(
  { entries, fallbackItemId }: ReportedBox,
  isUsedUp: (entry: EntryDefinition) => boolean,
): Map<string, bigint> {
  const weights = new Map<string, bigint>()
  for (const entry of entries) {
    const itemId = isUsedUp(entry) ? (fallbackItemId ?? entry.itemId) : entry.itemId
    weights.set(itemId, (weights.get(itemId) ?? 0n) + BigInt(entry.weight))
  }
  return weights
}

function expectCosts(
  weights: ReadonlyMap<string, bigint>,
  total: bigint,
  cashbackOf: CashbackOf,
): ExpectedCost[] {
  const sums = new Map<string, bigint>()
  for (const [itemId, weight] of weights) {
    const cashback = cashbackOf(itemId)
    if (cashback === undefined || cashback === null) continue
    sums.set(cashback.currency, (sums.get(cashback.currency) ?? 0n) + weight * cashback.amountMinor)
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amountMinor: renderDecimal(fractionOf(sum, total), 4) }))
}

function estimateRunOuts(box: ReportedBox, total: bigint, pace: Pace | undefined): RunOut[] {
  return box.entries
    .flatMap(({ itemId, weight, stock }, index) =>
      stock === null ? [] : [{ position: index + 1, itemId, weight: BigInt(weight), stock }],
    )
    .map(({ weight, ...entry }) => ({
      ...entry,
      openings: fractionOf(BigInt(entry.stock) * total, weight),
      standardDeviation: deviationOf(BigInt(entry.stock), weight, total),
    }))
    .sort((a, b) => compare(a.openings, b.openings))
    .map(({ openings, standardDeviation, ...entry }) => ({
      ...entry,
      expectedOpenings: renderDecimal(openings, 2),
      standardDeviation: renderDecimal(standardDeviation, 2),
      ...expectDate(box, openings, pace),
    }))
}

/**
 * The openings up to the n-th win have the negative binomial distribution: mean n / p, variance n (1 - p) / p². With
 * p = weight / total the deviation is √(n · (total − weight) · total) / weight; two decimals of it are kept.
 */
function deviationOf(stock: bigint, weight: bigint, total: bigint): Fraction {
  const square = (stock * (total - weight) * total * 10_000n) / (weight * weight)
  return { numerator: wholeSquareRoot(square), denominator: 100n }
}

const msPerDay = 86_400_000
const latestMs = Date.UTC(9999, 11, 31)

function expectDate({ activeFrom }: ReportedBox, openings: Fraction, pace: Pace | undefined) {
  if (pace === undefined) return { expectedDays: null, expectedAt: null }
  const days = fractionOf(openings.numerator, openings.denominator * BigInt(pace.openingsPerDay))
  const startMs = Math.max(pace.now.getTime(), activeFrom?.getTime() ?? 0)
  const atMs = startMs + (Number(days.numerator) / Number(days.denominator)) * msPerDay
  return {
    expectedDays: renderDecimal(days, 2),
    expectedAt: atMs <= latestMs ? new Date(Math.round(atMs)) : null,
  }
}

function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
