import type { BoxReport, ExpectedCost, RunOut } from '../../core/box/box-report.ts'
import type { BoxWarning } from '../../core/box/box-warnings.ts'
import type { EntryDefinition } from '../../core/box/box-definition.ts'
import { expectCounts, testFit } from '../../core/box/goodness-of-fit.ts'
import { toOdds } from '../../core/box/odds.ts'

/** Warnings name a parameter of `PUT …/boxes/{box_id}` as errors do, where they are about one. */
export function renderWarnings(warnings: readonly BoxWarning[]): object[] {
  return warnings.map(({ code, position, message }) => ({
    code,
    ...(position === null ? {} : { name: `entries.${position - 1}.stock` }),
    message,
  }))
}

export function renderReport(report: BoxReport, nameOf: (itemId: string) => string | null): object {
  const [first] = report.runOuts
  return {
    items: report.items.map(({ itemId, share }) => ({
      item_id: itemId,
      name: nameOf(itemId),
      odds: toOdds(share.numerator, share.denominator),
    })),
    cost_per_opening: report.costPerOpening.map(renderCost),
    cost_when_used_up: report.costWhenUsedUp?.map(renderCost) ?? null,
    first_run_out: first === undefined ? null : renderRunOut(first),
    run_outs: report.runOuts.map(renderRunOut),
  }
}

function renderCost({ currency, amountMinor }: ExpectedCost): object {
  return { currency, amount_minor: amountMinor }
}

function renderRunOut(runOut: RunOut): object {
  return {
    entry: runOut.position,
    item_id: runOut.itemId,
    stock: runOut.stock,
    expected_openings: runOut.expectedOpenings,
    standard_deviation: runOut.standardDeviation,
    expected_days: runOut.expectedDays,
    expected_at: runOut.expectedAt,
  }
}

/** What was drawn beside what was to be expected; the statistics are null where too little was drawn for a test. */
export function renderSimulation(
  entries: readonly EntryDefinition[],
  counts: readonly number[],
  seed: Uint8Array,
): object {
  const weights = entries.map(({ weight }) => BigInt(weight))
  const expected = expectCounts(counts, weights)
  const fit = testFit(counts, weights)
  return {
    draws: counts.reduce((sum, count) => sum + count, 0),
    seed: Buffer.from(seed).toString('hex'),
    entries: entries.map(({ itemId, weight }, index) => ({
      entry: index + 1,
      item_id: itemId,
      weight,
      expected: Number((expected[index] ?? 0).toFixed(4)),
      observed: counts[index],
    })),
    chi_square: fit === null ? null : Number(fit.chiSquare.toFixed(4)),
    degrees_of_freedom: fit?.degreesOfFreedom ?? null,
    p_value: fit === null ? null : Number(fit.pValue.toPrecision(6)),
  }
}
