import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { ItemFields, itemOf } from '../items/item-fields.tsx'
import { ItemStock } from '../items/item-stock.tsx'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { refuseIfChanged } from '../typed.ts'
import { Facts, Page, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Given, Id, Money, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** An item, changing it, and the boxes that have it. */
export function ItemPage() {
  const { casinoId = '', itemId = '' } = useRoute().params
  const path = { casino_id: casinoId, item_id: itemId }
  const read = async (signal?: AbortSignal) =>
    (
      await answered(
        api.GET('/admin/casinos/{casino_id}/items/{item_id}', {
          params: { path },
          ...(signal === undefined ? {} : { signal }),
        }),
      )
    ).data
  const { value, error, reload } = useQuery(`item ${casinoId} ${itemId}`, read)
  const { may } = useSession()
  const [isChanging, setChanging] = useState(false)
  const [told, setTold] = useState('')
  if (value === undefined) {
    return error === undefined ? <Loading what="the item" /> : <Failure error={error} retry={reload} />
  }
  return (
    <Page title={value.name} trail={[{ href: casinoPath(casinoId, '/items'), label: 'Items' }]}>
      {error !== undefined && <Failure error={error} retry={reload} />}
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
        <AboutItem item={value} />
        <p role="status">{told}</p>
      </Section>
      <ItemStock casinoId={casinoId} itemId={itemId} />
      {isChanging && (
        <ReasonDialog
          title="Change the item"
          button="Save"
          text="Prizes that were won earlier keep what they promised."
          fields={(problemOf) => <ItemFields item={value} problemOf={problemOf} />}
          onClose={() => {
            setChanging(false)
          }}
          onSubmit={async (header, values) => {
            const body = itemOf(values)
            refuseIfChanged(value.updated_at, (await read()).updated_at)
            const params = { path, header }
            await answered(api.PUT('/admin/casinos/{casino_id}/items/{item_id}', { params, body }))
            setTold('It is saved.')
            reload()
          }}
        />
      )}
    </Page>
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
