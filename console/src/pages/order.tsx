import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { PlayerLink, PrizeLink } from '../ui/links.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Given, Id, State, Time, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { Delivery } from './order-delivery.tsx'

/** One order: its data and its delivery details. */
export function OrderPage() {
  const { params } = useRoute()
  const { casinoId = '', orderId = '' } = params
  const { value, error, reload } = useQuery(`order ${casinoId} ${orderId}`, async (signal) => {
    const path = { casino_id: casinoId, order_id: orderId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/orders/{order_id}', { params: { path }, signal }),
    )
    return answer.data
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the order" /> : <Failure error={error} retry={reload} />
  return (
    <Page
      title={value.item_name}
      trail={[{ href: casinoPath(casinoId, '/orders'), label: 'Orders' }]}
      aside={<State state={value.state} />}
    >
      <Section title="Order">
        <Facts
          facts={[
            ['Order', <Id key="order" id={value.order_id} />],
            ['Prize', <PrizeLink key="prize" casinoId={casinoId} prizeId={value.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={value.player_id} />],
            ['Held', value.holds.length === 0 ? 'no' : value.holds.map(wordsOf).join(', ')],
            ['Problem', value.problem === null ? 'none' : wordsOf(value.problem)],
            ['Carrier', value.carrier === null ? '–' : <Given text={value.carrier} />],
            [
              'Tracking number',
              value.tracking_number === null ? '–' : <Given text={value.tracking_number} />,
            ],
            ['Ordered', <Time key="created" at={value.created_at} />],
            ['Last change', <Time key="updated" at={value.updated_at} />],
          ]}
        />
      </Section>
      <Delivery casinoId={casinoId} order={value} onDone={reload} />
      <Section title="What can be done">
        <Actions
          object={{
            ...value,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/orders/${encodeURIComponent(value.order_id)}`,
          }}
          onDone={reload}
        />
      </Section>
      <Section title="History">
        <History entries={value.history} />
      </Section>
    </Page>
  )
}
