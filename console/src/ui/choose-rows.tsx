import type { Chosen, Selection } from './bulk.tsx'

/** How the rows of a list are chosen. */
export interface Choice<Row> {
  selection: Selection
  chosenOf: (row: Row) => Chosen
}

/** Chooses, or no longer, all rows that can be seen: never rows that the operator has not looked at. */
export function ChoosePage<Row>({
  rows,
  choice: { selection, chosenOf },
}: {
  rows: readonly Row[]
  choice: Choice<Row>
}) {
  const ofPage = rows.map(chosenOf)
  const isAll = ofPage.every(({ id }) => selection.chosen.has(id))
  return (
    <p>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          selection.choose(ofPage, !isAll)
        }}
      >
        {isAll ? `Deselect the ${rows.length} of this page` : `Select the ${rows.length} of this page`}
      </button>
    </p>
  )
}

/** A box to tick for one row. */
export function ChooseRow<Row>({ row, choice: { selection, chosenOf } }: { row: Row; choice: Choice<Row> }) {
  const object = chosenOf(row)
  return (
    <input
      type="checkbox"
      aria-label={`Select ${object.id}`}
      checked={selection.chosen.has(object.id)}
      onChange={(event) => {
        selection.choose([object], event.currentTarget.checked)
      }}
    />
  )
}
