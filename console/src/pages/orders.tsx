import { useLocation, useRoute } from 'preact-iso'
import { orderActions } from '../bulk-actions.ts'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { OrderLink, PlayerLink } from '../ui/links.tsx'
import { BulkBar, useSelection } from '../ui/bulk.tsx'
import { Page } from '../ui/page.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, State, wordsOf } from '../ui/values.tsx'

type Order = Schemas['Order']

const states = [
  'pending_confirmation',
  'confirmed',
  'submitted',
  'processing',
  'shipped',
  'exception',
  'cancel_requested',
  'delivered',
  'rejected',
  'cancelled',
] as const satisfies readonly Order['state'][]

/** The orders of a casino, newest first. */
export function Orders() {
  const { params } = useRoute()
  const { query } = useLocation()
  const casinoId = params['casinoId'] ?? ''
  const state = states.find((candidate) => candidate === query['state'])
  const playerId = query['player_id']
  const isHeld = query['held'] === 'true'
  const { may } = useSession()
  const selection = useSelection(`orders ${casinoId}`)
  const columns: Column<Order>[] = [
    {
      name: 'Order',
      render: (order) => <OrderLink casinoId={casinoId} orderId={order.order_id} />,
    },
    { name: 'Item', render: (order) => <Given text={order.item_name} /> },
    {
      name: 'Player',
      render: (order) => <PlayerLink casinoId={casinoId} playerId={order.player_id} />,
    },
    {
      name: 'State',
      render: (order) => (
        <>
          <State state={order.state} /> {order.holds.length > 0 && <State state="held" />}
        </>
      ),
    },
    { name: 'Problem', render: ({ problem }) => (problem === null ? '' : wordsOf(problem)) },
    { name: 'Ordered', render: (order) => <Ago at={order.created_at} /> },
  ]
  return (
    <Page title="Orders">
      <Filters
        filters={[
          { name: 'state', label: 'State', choices: states },
          { name: 'player_id', label: 'Player' },
          { name: 'held', label: 'Held', choices: ['true'] },
        ]}
      />
      <BulkBar casinoId={casinoId} selection={selection} actions={orderActions} what="orders" />
      <List
        choice={
          orderActions.some(({ right }) => may(right))
            ? { selection, chosenOf: ({ order_id: id, revision }) => ({ id, revision }) }
            : undefined
        }
        caption="Orders"
        columns={columns}
        keyOf={(order) => order.order_id}
        listKey={`orders ${casinoId} ${state ?? ''} ${playerId ?? ''} ${isHeld}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/orders', {
              params: {
                path: { casino_id: casinoId },
                query: {
                  order: 'desc',
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(state === undefined ? {} : { state }),
                  ...(playerId === undefined ? {} : { player_id: playerId }),
                  ...(isHeld ? { held: true } : {}),
                },
              },
              signal,
            }),
          )
        }
        empty="No orders fit."
      />
    </Page>
  )
}
