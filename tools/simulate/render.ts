import type { BoxReport } from '../../core/box/box-report.ts'
import type { BoxWarning } from '../../core/box/box-warnings.ts'
import { expectCounts } from '../../core/box/goodness-of-fit.ts'
import { renderFraction, renderPercent } from '../../core/box/fraction.ts'
import type { Fit } from '../../core/box/goodness-of-fit.ts'
import { formatMoney } from '../../core/money.ts'
import { renderPValue, renderTable } from '../terminal/table.ts'
import type { Subject } from './subject.ts'

/** The counts of a simulation beside the expected counts. */
export function renderCounts(
  { box }: Subject,
  { counts, fit, seed }: { counts: readonly number[]; fit: Fit | null; seed: Buffer },
): string {
  const expected = expectCounts(
    counts,
    box.entries.map(({ weight }) => BigInt(weight)),
  )
  const table = renderTable(
    ['entry', 'item', 'weight', 'expected', 'observed', 'difference'],
    box.entries.map(({ itemId, weight }, index) => {
      const [wanted, got] = [expected[index] ?? 0, counts[index] ?? 0]
      const sign = got >= wanted ? '+' : '-'
      const difference = `${sign}${(Math.abs(got / wanted - 1) * 100).toFixed(2)} %`
      return [String(index + 1), itemId, String(weight), wanted.toFixed(1), String(got), difference]
    }),
  )
  const draws = counts.reduce((sum, count) => sum + count, 0)
  const verdict =
    fit === null
      ? 'Too few entries or draws for a chi-square test.'
      : `chi-square ${fit.chiSquare.toFixed(2)} with ${fit.degreesOfFreedom} degrees of freedom, p-value ${renderPValue(fit.pValue)}`
  return [`${draws} draws with the seed ${seed.toString('hex')}`, '', table, '', verdict].join('\n')
}

/** Odds, costs, run-outs and warnings. */
export function renderReport({ items }: Subject, report: BoxReport, warnings: readonly BoxWarning[]): string {
  const odds = renderTable(
    ['item', 'name', 'odds', 'percentage'],
    report.items.map(({ itemId, share }) => [
      itemId,
      items.get(itemId)?.name ?? '',
      renderFraction(share),
      renderPercent(share),
    ]),
  )
  const unpriced = report.items.map(({ itemId }) => itemId).filter((itemId) => !items.has(itemId))
  return [
    'What is won',
    odds,
    '',
    ...renderCosts('Expected cost per opening', report.costPerOpening),
    ...(report.costWhenUsedUp === null
      ? []
      : renderCosts('The same when every limited stock is used up', report.costWhenUsedUp)),
    ...(unpriced.length === 0 ? [] : [`Without items whose cost is not known: ${unpriced.join(', ')}`]),
    ...(report.runOuts.length === 0 ? [] : ['', 'When stocks are used up', renderRunOuts(report)]),
    ...(warnings.length === 0 ? [] : ['', 'Warnings']),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
  ].join('\n')
}

function renderCosts(title: string, costs: BoxReport['costPerOpening']): string[] {
  const amounts = costs.map(formatMoney)
  return [`${title}: ${amounts.length === 0 ? 'none' : amounts.join(', ')}`]
}

function renderRunOuts({ runOuts }: BoxReport): string {
  const isDated = runOuts.some(({ expectedDays }) => expectedDays !== null)
  return renderTable(
    ['entry', 'item', 'stock', 'openings', 'deviation', ...(isDated ? ['days', 'on'] : [])],
    runOuts.map((runOut) => [
      String(runOut.position),
      runOut.itemId,
      String(runOut.stock),
      runOut.expectedOpenings,
      runOut.standardDeviation,
      ...(isDated ? [runOut.expectedDays ?? '', runOut.expectedAt?.toISOString().slice(0, 10) ?? ''] : []),
    ]),
  )
}
