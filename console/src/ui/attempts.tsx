import type { Schemas } from '../api.ts'
import { Time, wordsOf } from './values.tsx'

type Delivery = Schemas['WebhookDelivery']

/** How often a delivery was tried, and what came of it; the single attempts to be opened. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { attempts, recent_attempts: recent, last_status: status, last_problem: problem } = delivery
  const summary = `${attempts}${attempts > 0 ? `, last: ${resultOf({ status, problem })}` : ''}`
  if (recent.length === 0) return <span class="number">{summary}</span>
  return (
    <details>
      <summary class="number">{summary}</summary>
      <ol class="attempts">
        {recent.map((one) => (
          <li key={one.attempt} value={one.attempt}>
            <Time at={one.at} />: {resultOf(one)}
          </li>
        ))}
      </ol>
    </details>
  )
}

function resultOf({ status, problem }: { status: number | null; problem: string | null }): string {
  if (status !== null) return `answered ${String(status)}`
  return wordsOf(problem ?? 'no answer')
}
