import type { Schemas } from '../api.ts'
import { Empty } from './states.tsx'
import { Given, Time, wordsOf } from './values.tsx'

/** The events, the newest first, with their actors and reasons. */
export function History({ entries }: { entries: readonly Schemas['HistoryEntry'][] }) {
  if (entries.length === 0) return <Empty>Nothing has happened yet.</Empty>
  const newestFirst = [...entries].sort(
    (one, other) => other.at.localeCompare(one.at) || other.sequence - one.sequence,
  )
  return (
    <ol class="timeline">
      {newestFirst.map((entry) => (
        <li key={`${entry.object_type} ${entry.object_id} ${entry.sequence}`}>
          <Time at={entry.at} />
          <div>
            <strong>{wordsOf(entry.type.replace('.', ': '))}</strong>
            {entry.from !== entry.to && (
              <span class="soft">
                {' '}
                {entry.from === null ? '' : `${wordsOf(entry.from)} `}→ {wordsOf(entry.to)}
              </span>
            )}
            <div class="soft">
              by <Given text={entry.actor} />
              {entry.request_id !== null && (
                <>
                  , request <code>{entry.request_id}</code>
                </>
              )}
            </div>
            {entry.reason !== null && (
              <div>
                <Given text={entry.reason} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
