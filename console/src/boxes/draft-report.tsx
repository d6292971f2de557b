import type { Schemas } from '../api.ts'
import { DifferenceTable } from '../pages/box-versions.tsx'
import { formatCost } from '../pages/box-statistics.tsx'
import { Section } from '../ui/page.tsx'
import { differencesOf } from './differences.ts'
import { asPublished } from './draft.ts'
import type { Draft } from './draft.ts'

/** The changes and consequences of publishing a draft. */
export function DraftReport({
  draft,
  current,
  report,
}: {
  draft: Draft
  current: Schemas['Box'] | undefined
  report: Schemas['BoxReport']
}) {
  const { cost_per_opening: cost, cost_when_used_up: costAfter, first_run_out: first } = report
  const restocked = draft.entries.flatMap(({ item_id: id, restock }) =>
    restock === true ? [String(id)] : [],
  )
  return (
    <>
      <Section
        title={
          current === undefined ? 'A new box' : `What changes against version ${String(current.version)}`
        }
      >
        {current === undefined ? (
          <p>There is no box of this id yet: players see it as soon as it is published and open.</p>
        ) : (
          <DifferenceTable differences={differencesOf(current, asPublished(draft))} />
        )}
        {restocked.length > 0 && (
          <p>
            The whole stock is given out again of: <bdi>{restocked.join(', ')}</bdi>
          </p>
        )}
      </Section>
      <Section title="Cost and warnings">
        <p>
          Expected cashback of an opening, with full stocks: <strong>{costsText(cost)}</strong>
          {costAfter !== null && (
            <>
              ; after all stocks are used up: <strong>{costsText(costAfter)}</strong>
            </>
          )}
          .
        </p>
        {first !== null && (
          <p>
            The first stock to run out is that of <bdi>{first.item_id}</bdi>, after about{' '}
            {Math.round(Number(first.expected_openings)).toLocaleString()} openings.
          </p>
        )}
        {report.warnings.length === 0 ? (
          <p>There are no warnings.</p>
        ) : (
          <ul class="warnings">
            {report.warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function costsText(costs: Schemas['BoxReport']['cost_per_opening']): string {
  if (costs.length === 0) return 'none'
  return costs.map(({ amount_minor: minor, currency }) => formatCost(minor, currency)).join(', ')
}
