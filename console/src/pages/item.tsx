import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { ItemFields, itemOf } from '../items/item-fields.tsx'
import { ItemStock } from '../items/item-stock.tsx'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Newer } from '../ui/newer.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Given, Id, Money, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { useSeen } from '../use-seen.ts'

/** An item, changing it, and the boxes that have it. */
export function ItemPage() {
  const { casinoId = '', itemId = '' } = useRoute().params
  return <ItemOf key={`${casinoId} ${itemId}`} casinoId={casinoId} itemId={itemId} />
}

function ItemOf({ casinoId, itemId }: { casinoId: string; itemId: string }) {
  const query = useQuery(`item ${casinoId} ${itemId}`, (signal) => readItem(casinoId, itemId, signal))
  return (
    <ObjectPage
      query={query}
      what="the item"
      untitled={`Item ${itemId}`}
      titleOf={({ name }) => name}
      trail={[{ href: casinoPath(casinoId, '/items'), label: 'Items' }]}
    >
      {(item) => (
        <>
          <ChangeableItem casinoId={casinoId} item={item} onSaved={query.reload} />
          <ItemStock casinoId={casinoId} itemId={itemId} />
        </>
      )}
    </ObjectPage>
  )
}

function ChangeableItem({
  casinoId,
  item,
  onSaved,
}: {
  casinoId: string
  item: Schemas['Item']
  onSaved: () => void
}) {
  const { may } = useSession()
  const [isChanging, setChanging] = useState(false)
  const [told, setTold] = useState('')
  return (
    <>
      <Section
        title="About the item"
        aside={
          may('admin') && (
            <button
              type="button"
              onClick={() => {
                setChanging(true)
              }}
            >
              Change
            </button>
          )
        }
      >
        <AboutItem item={item} />
        <p role="status">{told}</p>
      </Section>
      {isChanging && (
        <ChangeItem
          casinoId={casinoId}
          item={item}
          onClose={() => {
            setChanging(false)
          }}
          onSaved={() => {
            setTold('It is saved.')
            onSaved()
          }}
        />
      )}
    </>
  )
}

async function readItem(casinoId: string, itemId: string, signal?: AbortSignal): Promise<Schemas['Item']> {
  const params = { path: { casino_id: casinoId, item_id: itemId } }
  const options = { params, ...(signal === undefined ? {} : { signal }) }
  return (await answered(api.GET('/admin/casinos/{casino_id}/items/{item_id}', options))).data
}

function ChangeItem({
  casinoId,
  item,
  onClose,
  onSaved,
}: {
  casinoId: string
  item: Schemas['Item']
  onClose: () => void
  onSaved: () => void
}) {
  const { newer, unlessChanged } = useSeen(item)
  return (
    <ReasonDialog
      title="Change the item"
      button="Save"
      text="Prizes that were won earlier keep what they promised."
      fields={(problemOf) => (
        <>
          {newer !== undefined && (
            <Newer>
              <AboutItem item={newer} />
            </Newer>
          )}
          <ItemFields item={item} problemOf={problemOf} />
        </>
      )}
      onClose={onClose}
      onSubmit={async (header, values) => {
        const body = itemOf(values)
        const params = { path: { casino_id: casinoId, item_id: item.item_id }, header }
        const root = '/admin/casinos/{casino_id}/items/{item_id}' as const
        await unlessChanged(
          (expected_revision) => answered(api.PUT(root, { params, body: { ...body, expected_revision } })),
          () => readItem(casinoId, item.item_id),
        )
        onSaved()
      }}
    />
  )
}

function AboutItem({ item }: { item: Schemas['Item'] }) {
  return (
    <Facts
      facts={[
        ['Id', <Id key="id" id={item.item_id} />],
        ['Kind', item.kind],
        ['Cashback', <Money key="cashback" amount={item.cashback} />],
        ['Days to claim', item.claim_days ?? 'no deadline'],
        ['Description', item.description === null ? '–' : <Given key="text" text={item.description} />],
        ['Image', item.image_url === null ? '–' : <Given key="image" text={item.image_url} />],
        ['Made', <Time key="made" at={item.created_at} />],
        ['Changed', <Time key="changed" at={item.updated_at} />],
      ]}
    />
  )
}
