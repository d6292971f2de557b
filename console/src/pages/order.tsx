import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { whileItMoves } from '../polling.ts'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { PlayerLink, PrizeLink } from '../ui/links.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Given, Id, State, Time, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { Delivery } from './order-delivery.tsx'

/** One order: its data and its delivery details. */
export function OrderPage() {
  const { params } = useRoute()
  const { casinoId = '', orderId = '' } = params
  const query = useQuery(
    `order ${casinoId} ${orderId}`,
    async (signal) => {
      const path = { casino_id: casinoId, order_id: orderId }
      const answer = await answered(
        api.GET('/admin/casinos/{casino_id}/orders/{order_id}', { params: { path }, signal }),
      )
      return answer.data
    },
    whileItMoves,
  )
  return (
    <ObjectPage
      query={query}
      what="the order"
      untitled={`Order ${orderId}`}
      titleOf={(order) => order.item_name}
      asideOf={({ state }) => <State state={state} />}
      trail={[{ href: casinoPath(casinoId, '/orders'), label: 'Orders' }]}
    >
      {(order) => <AboutOrder casinoId={casinoId} order={order} onDone={query.reload} />}
    </ObjectPage>
  )
}

function AboutOrder({
  casinoId,
  order,
  onDone,
}: {
  casinoId: string
  order: Schemas['OrderDetails']
  onDone: () => void
}) {
  return (
    <>
      <Section title="Order">
        <Facts
          facts={[
            ['Order', <Id key="order" id={order.order_id} />],
            ['Prize', <PrizeLink key="prize" casinoId={casinoId} prizeId={order.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={order.player_id} />],
            ['Held', order.holds.length === 0 ? 'no' : order.holds.map(wordsOf).join(', ')],
            ['Problem', order.problem === null ? 'none' : wordsOf(order.problem)],
            ['Carrier', order.carrier === null ? '–' : <Given text={order.carrier} />],
            [
              'Tracking number',
              order.tracking_number === null ? '–' : <Given text={order.tracking_number} />,
            ],
            ['Ordered', <Time key="created" at={order.created_at} />],
            ['Last change', <Time key="updated" at={order.updated_at} />],
          ]}
        />
      </Section>
      <Delivery casinoId={casinoId} order={order} onDone={onDone} />
      <Section title="What can be done">
        <Actions
          object={{
            ...order,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/orders/${encodeURIComponent(order.order_id)}`,
          }}
          onDone={onDone}
        />
      </Section>
      <Section title="History">
        <History entries={order.history} />
      </Section>
    </>
  )
}
