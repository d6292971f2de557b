import { useState } from 'preact/hooks'
import { Table } from '../ui/table.tsx'
import { Given } from '../ui/values.tsx'
import type { Remark } from './check-grants.ts'

/** As many rows as a browser shows without delay. */
const shownMax = 100

/** All remarks about the lines of a file, some at a time. */
export function Remarks({ caption, remarks }: { caption: string; remarks: readonly Remark[] }) {
  const [page, setPage] = useState(0)
  const from = page * shownMax
  const shown = remarks.slice(from, from + shownMax)
  const steps = [
    { label: 'Previous', to: page - 1, isThere: page > 0 },
    { label: 'Next', to: page + 1, isThere: from + shownMax < remarks.length },
  ]
  return (
    <>
      <Table
        caption={caption}
        columns={[
          { name: 'Line', render: ({ line }) => <span class="number">{line}</span> },
          { name: 'Field', render: ({ field }) => <Given text={field} /> },
          { name: 'What', render: ({ text }) => text },
        ]}
        rows={shown}
        keyOf={({ line, field, text }) => `${line} ${field} ${text}`}
      />
      {remarks.length > shownMax && (
        <p class="row">
          {steps.map(({ label, to, isThere }) => (
            <button
              key={label}
              type="button"
              disabled={!isThere}
              onClick={() => {
                setPage(to)
              }}
            >
              {label} <span class="unseen">of {caption.toLowerCase()}</span>
            </button>
          ))}
          <span class="soft">
            {from + 1} to {from + shown.length} of {remarks.length.toLocaleString()}
          </span>
        </p>
      )}
    </>
  )
}
