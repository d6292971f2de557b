import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { readTyped } from '../typed.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { BoxLink } from '../ui/links.tsx'
import { Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, State } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Box = Schemas['Box']
type Summary = Schemas['BoxSummary']
type Entry = NonNullable<Summary['item_entries']>[number]

/** A place where the item can be won: an entry of a box's current version, or as its fallback. */
interface Place {
  box: Summary
  /** Undefined for the fallback. */
  entry: Entry | undefined
}

/** The boxes that have the item, with its remaining stocks, and adding to them. */
export function ItemStock({ casinoId, itemId }: { casinoId: string; itemId: string }) {
  const { may } = useSession()
  const [round, setRound] = useState(0)
  const [chosenBoxId, setChosenBoxId] = useState<string>()
  const [told, setTold] = useState('')
  return (
    <Section title="Boxes and stock">
      <List
        caption="Boxes and stock"
        columns={may('admin') ? [...columnsOf(casinoId), choosing(setChosenBoxId)] : columnsOf(casinoId)}
        keyOf={({ box, entry }) => `${box.box_id} ${entry?.entry ?? 'fallback'}`}
        listKey={`stock ${casinoId} ${itemId} ${round}`}
        load={async (cursor, signal) => {
          const query = { item_id: itemId, ...(cursor === undefined ? {} : { cursor }) }
          const params = { path: { casino_id: casinoId }, query }
          const page = await answered(api.GET('/admin/casinos/{casino_id}/boxes', { params, signal }))
          return { ...page, data: page.data.flatMap((box) => placesIn(box, itemId)) }
        }}
        empty="No box has it."
      />
      <p role="status">{told}</p>
      {chosenBoxId !== undefined && (
        <AddStock
          casinoId={casinoId}
          boxId={chosenBoxId}
          itemId={itemId}
          onClose={() => {
            setChosenBoxId(undefined)
          }}
          onDone={(left) => {
            setTold(`${left} are left now.`)
            setRound(round + 1)
          }}
        />
      )}
    </Section>
  )
}

function placesIn(box: Summary, itemId: string): Place[] {
  const drawn = (box.item_entries ?? []).map((entry) => ({ box, entry }))
  return box.fallback_item_id === itemId ? [...drawn, { box, entry: undefined }] : drawn
}

const columnsOf = (casinoId: string): Column<Place>[] => [
  { name: 'Box', render: ({ box }) => <BoxLink casinoId={casinoId} boxId={box.box_id} /> },
  { name: 'Name', render: ({ box }) => <Given text={box.name} /> },
  { name: 'State', render: ({ box }) => <State state={box.enabled ? 'enabled' : 'disabled'} /> },
  {
    name: 'Won',
    render: ({ entry }) => (entry === undefined ? 'instead of what is out of stock' : 'when drawn'),
  },
  {
    name: 'Weight',
    render: ({ entry }) => (entry === undefined ? '' : <span class="number">{entry.weight}</span>),
  },
  {
    name: 'Stock',
    render: ({ entry }) => (entry === undefined ? '' : numberOr(entry.stock, 'no limit')),
  },
  {
    name: 'Left',
    render: ({ entry }) => (entry === undefined ? '' : numberOr(entry.remaining, '–')),
  },
]

const numberOr = (count: number | null, text: string) =>
  count === null ? <span class="soft">{text}</span> : <span class="number">{count}</span>

/** Several limited entries of one item share their stocks by rules of their own: those are for the box's editor. */
function choosing(choose: (boxId: string) => void): Column<Place> {
  return {
    name: 'Actions',
    render: ({ box, entry }) => {
      const limited = (box.item_entries ?? []).filter(({ stock }) => stock !== null)
      return (
        entry !== undefined &&
        entry.stock !== null &&
        limited.length === 1 && (
          <button
            type="button"
            onClick={() => {
              choose(box.box_id)
            }}
          >
            Add <span class="unseen">to the stock in {box.box_id}</span>
          </button>
        )
      )
    },
  }
}

/** Reads the whole box, which the list does not have, before it asks how many more. */
function AddStock(props: {
  casinoId: string
  boxId: string
  itemId: string
  onClose: () => void
  onDone: (left: number | string) => void
}) {
  const { casinoId, boxId, itemId, onClose } = props
  const { value, error, reload } = useQuery(`box ${casinoId} ${boxId}`, async (signal) => {
    const params = { path: { casino_id: casinoId, box_id: boxId } }
    return (await answered(api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', { params, signal }))).data
  })
  const limited = (value?.entries ?? []).flatMap(({ item_id: id, stock }, index) =>
    id === itemId && stock !== null ? [index + 1] : [],
  )
  const [position, another] = limited
  if (value !== undefined && position !== undefined && another === undefined)
    return <AddStockTo {...props} box={value} position={position} />
  return (
    <Dialog title="Add to the stock" onClose={onClose}>
      {error !== undefined ? (
        <Failure error={error} retry={reload} />
      ) : value === undefined ? (
        <Loading what="the box" />
      ) : (
        <p>Somebody else has published the box meanwhile. Use its editor.</p>
      )}
    </Dialog>
  )
}

/** Publishes the box with a larger stock of the entry, unless another person has published the box meanwhile. */
function AddStockTo({
  casinoId,
  box,
  position,
  onClose,
  onDone,
}: {
  casinoId: string
  box: Box
  position: number
  onClose: () => void
  onDone: (left: number | string) => void
}) {
  const entry = box.entries[position - 1]
  return (
    <ReasonDialog
      title="Add to the stock"
      button="Publish"
      text={`The box ${box.name} gets a new version with more of the item. The weights stay. ${entry?.remaining ?? 0} are left now.`}
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
        const body = withStock(box, position, (entry?.stock ?? 0) + added)
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
