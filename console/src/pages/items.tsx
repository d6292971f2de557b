import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { ItemFields, itemOf } from '../items/item-fields.tsx'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { refusedIfTaken } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, GivenName, Money } from '../ui/values.tsx'

/** The items of a casino, and making one. */
export function Items() {
  const { casinoId = '' } = useRoute().params
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<Schemas['Item']>()
  const columns: Column<Schemas['Item']>[] = [
    {
      name: 'Name',
      render: ({ item_id: id, name }) => (
        <a href={casinoPath(casinoId, `/items/${encodeURIComponent(id)}`)}>
          <GivenName text={name} />
        </a>
      ),
    },
    { name: 'Id', render: ({ item_id: id }) => <Given text={id} /> },
    { name: 'Kind', render: ({ kind }) => kind },
    { name: 'Cashback', render: ({ cashback }) => <Money amount={cashback} /> },
    {
      name: 'Days to claim',
      render: ({ claim_days: days }) => days ?? <span class="soft">no deadline</span>,
    },
    { name: 'Changed', render: (item) => <Ago at={item.updated_at} /> },
  ]
  return (
    <Page
      title="Items"
      aside={
        may('admin') && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setCreating(true)
            }}
          >
            Create an item
          </button>
        )
      }
    >
      <p role="status">
        {made !== undefined && (
          <>
            The item <Given text={made.item_id} /> is made.
          </>
        )}
      </p>
      <List
        caption="Items"
        columns={columns}
        keyOf={({ item_id: id }) => id}
        listKey={`items ${casinoId} ${made?.item_id ?? ''}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/items', {
              params: { path: { casino_id: casinoId }, query: cursor === undefined ? {} : { cursor } },
              signal,
            }),
          )
        }
        empty="The casino has no items yet."
      />
      {isCreating && (
        <ReasonDialog
          title="Create an item"
          button="Create"
          text="It can be won after a box has it."
          fields={(problemOf) => (
            <>
              <Field
                name="item_id"
                label="Id"
                hint="1 to 128 characters. It never changes."
                problem={problemOf('item_id')}
                maxLength={128}
                isRequired
              />
              <ItemFields problemOf={problemOf} />
            </>
          )}
          onClose={() => {
            setCreating(false)
          }}
          onSubmit={async (header, values) => {
            const params = { path: { casino_id: casinoId, item_id: values['item_id'] ?? '' }, header }
            const body = { ...itemOf(values), expected_revision: 0 }
            const creating = answered(api.PUT('/admin/casinos/{casino_id}/items/{item_id}', { params, body }))
            setMade((await refusedIfTaken('item_id', creating)).data)
          }}
        />
      )}
    </Page>
  )
}
