import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { readTyped } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import { BoxLink } from '../ui/links.tsx'
import { Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, State } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { findBoxesWith } from './find-boxes.ts'

type Box = Schemas['Box']
type Entry = Box['entries'][number]

/** A place where the item can be won: an entry of a box's current version. */
interface Place {
  box: Box
  entry: Entry
  position: number
}

/** The boxes that have the item, with its remaining stocks, and adding to them. */
export function ItemStock({ casinoId, itemId }: { casinoId: string; itemId: string }) {
  const { may } = useSession()
  const [boxesMax, setBoxesMax] = useState(boxesStep)
  const [chosen, setChosen] = useState<Place>()
  const [told, setTold] = useState('')
  const { value, error, reload } = useQuery(`stock ${casinoId} ${itemId} ${boxesMax}`, (signal) =>
    findBoxesWith(casinoId, itemId, boxesMax, signal),
  )
  const places = (value?.boxes ?? []).flatMap((box) =>
    box.entries.flatMap((entry, index) =>
      entry.item_id === itemId ? [{ box, entry, position: index + 1 }] : [],
    ),
  )
  const fallbacks = (value?.boxes ?? []).filter(({ fallback_item_id: id }) => id === itemId)
  return (
    <Section title="Boxes and stock">
      {error !== undefined && <Failure error={error} retry={reload} />}
      {value === undefined ? (
        error === undefined && <Loading what="the boxes" />
      ) : places.length === 0 && fallbacks.length === 0 ? (
        <Empty>No box {value.isPartial ? `of the first ${boxesMax} ` : ''}has it.</Empty>
      ) : (
        <Table
          caption="Boxes and stock"
          columns={may('admin') ? [...columnsOf(casinoId), choosing(setChosen)] : columnsOf(casinoId)}
          rows={places}
          keyOf={({ box, position }) => `${box.box_id} ${position}`}
        />
      )}
      {fallbacks.length > 0 && (
        <p>
          It is won instead of what is out of stock in:{' '}
          {fallbacks.map(({ box_id: id }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <BoxLink casinoId={casinoId} boxId={id} />
            </span>
          ))}
        </p>
      )}
      {value?.isPartial === true && (
        <p>
          Only the first {boxesMax} boxes were looked at.{' '}
          <button
            type="button"
            onClick={() => {
              setBoxesMax(boxesMax * 4)
            }}
          >
            Look at more
          </button>
        </p>
      )}
      <p role="status">{told}</p>
      {chosen !== undefined && (
        <AddStock
          casinoId={casinoId}
          place={chosen}
          onClose={() => {
            setChosen(undefined)
          }}
          onDone={(left) => {
            setTold(`${left} are left now.`)
            reload()
          }}
        />
      )}
    </Section>
  )
}

/** Each box is a request. */
const boxesStep = 50

const columnsOf = (casinoId: string): Column<Place>[] => [
  { name: 'Box', render: ({ box }) => <BoxLink casinoId={casinoId} boxId={box.box_id} /> },
  { name: 'Name', render: ({ box }) => <Given text={box.name} /> },
  { name: 'State', render: ({ box }) => <State state={box.enabled ? 'enabled' : 'disabled'} /> },
  { name: 'Weight', render: ({ entry }) => <span class="number">{entry.weight}</span> },
  {
    name: 'Stock',
    render: ({ entry }) =>
      entry.stock === null ? <span class="soft">no limit</span> : <span class="number">{entry.stock}</span>,
  },
  {
    name: 'Left',
    render: ({ entry }) =>
      entry.remaining === null ? <span class="soft">–</span> : <span class="number">{entry.remaining}</span>,
  },
]

/** Several limited entries of one item share their stocks by rules of their own: those are for the box's editor. */
function choosing(choose: (place: Place) => void): Column<Place> {
  return {
    name: 'Actions',
    render: (place) => {
      const { box, entry } = place
      const limited = box.entries.filter(({ item_id: id, stock }) => id === entry.item_id && stock !== null)
      return (
        entry.stock !== null &&
        limited.length === 1 && (
          <button
            type="button"
            onClick={() => {
              choose(place)
            }}
          >
            Add <span class="unseen">to the stock in {box.box_id}</span>
          </button>
        )
      )
    },
  }
}

/** Publishes the box with a larger stock of the entry, unless another person has published the box meanwhile. */
function AddStock({
  casinoId,
  place: { box, entry, position },
  onClose,
  onDone,
}: {
  casinoId: string
  place: Place
  onClose: () => void
  onDone: (left: number | string) => void
}) {
  return (
    <ReasonDialog
      title="Add to the stock"
      button="Publish"
      text={`The box ${box.name} gets a new version with more of the item. The weights stay. ${entry.remaining ?? 0} are left now.`}
      fields={(problemOf) => (
        <Field name="added" label="How many more" problem={problemOf('added')} isRequired />
      )}
      onClose={onClose}
      onSubmit={async (header, values) => {
        const typed = readTyped(values)
        const added = typed.neededNumberIn('added')
        if (!Number.isInteger(added) || added < 1) typed.refuse('added', 'Write a whole number from 1.')
        typed.check()
        const params = { path: { casino_id: casinoId, box_id: box.box_id }, header }
        const body = withStock(box, position, (entry.stock ?? 0) + added)
        const published = await answered(
          api.PUT('/admin/casinos/{casino_id}/boxes/{box_id}', { params, body }),
        )
        onDone(published.data.entries[position - 1]?.remaining ?? 'Some')
      }}
    />
  )
}

/** The box as it is, but for the stock of one entry. */
function withStock(box: Box, position: number, stock: number): Schemas['PublishBoxRequest'] {
  const { name, description, image_url, access, limit, active_from, active_until, fallback_item_id } = box
  return {
    name,
    description,
    image_url,
    access,
    limit,
    active_from,
    active_until,
    fallback_item_id,
    entries: box.entries.map(({ item_id, weight, stock: before }, index) => ({
      item_id,
      weight,
      stock: index + 1 === position ? stock : before,
    })),
    expected_version: box.version,
  }
}
