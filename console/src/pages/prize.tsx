import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { CashbackLink, OrderLink, PlayerLink } from '../ui/links.tsx'
import { OpeningProof } from '../ui/opening-proof.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Given, Id, Money, State, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** One prize: what it is, its orders and cashbacks, and what has happened to all of them. */
export function PrizePage() {
  const { params } = useRoute()
  const { casinoId = '', prizeId = '' } = params
  const { value, error, reload } = useQuery(`prize ${casinoId} ${prizeId}`, async (signal) => {
    const path = { casino_id: casinoId, prize_id: prizeId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/prizes/{prize_id}', { params: { path }, signal }),
    )
    return answer.data
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the prize" /> : <Failure error={error} retry={reload} />
  const player = casinoPath(casinoId, `/players/${encodeURIComponent(value.player_id)}`)
  return (
    <Page
      title={value.name}
      trail={[{ href: player, label: value.player_id }]}
      aside={<State state={value.state} />}
    >
      <Section title="Prize">
        <Facts
          facts={[
            ['Prize', <Id key="prize" id={value.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={value.player_id} />],
            ['Item', <Given key="item" text={value.item_id} />],
            ['Kind', value.kind],
            ['Cashback', <Money key="money" amount={value.cashback} />],
            [
              'Opening',
              value.opening_id === null ? 'given without one' : <Id key="opening" id={value.opening_id} />,
            ],
            ['Won', <Time key="created" at={value.created_at} />],
            ['Expires', <Time key="expires" at={value.expires_at} />],
          ]}
        />
      </Section>
      <Section title="Orders and cashbacks">
        {value.orders.length + value.cashbacks.length === 0 ? (
          <Empty>The player has neither ordered it nor taken its cashback.</Empty>
        ) : (
          <ul>
            {value.orders.map((order) => (
              <li key={order.order_id}>
                Order <OrderLink casinoId={casinoId} orderId={order.order_id} /> <State state={order.state} />
              </li>
            ))}
            {value.cashbacks.map((cashback) => (
              <li key={cashback.cashback_id}>
                Cashback <CashbackLink casinoId={casinoId} cashbackId={cashback.cashback_id} />{' '}
                <State state={cashback.state} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="What can be done">
        <Actions
          object={{
            ...value,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/prizes/${encodeURIComponent(value.prize_id)}`,
          }}
          onDone={reload}
        />
      </Section>
      {value.opening_id !== null && (
        <Section title="Proof of the opening">
          <Proof casinoId={casinoId} openingId={value.opening_id} />
        </Section>
      )}
      <Section title="History">
        <History entries={value.history} />
      </Section>
    </Page>
  )
}

/** That the prize was won as promised, as this browser finds it. */
function Proof({ casinoId, openingId }: { casinoId: string; openingId: string }) {
  const { value, error, reload } = useQuery(`opening ${casinoId} ${openingId}`, async (signal) => {
    const path = { casino_id: casinoId, opening_id: openingId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/openings/{opening_id}', { params: { path }, signal }),
    )
    return answer.data.evidence
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the opening" /> : <Failure error={error} retry={reload} />
  return <OpeningProof opening={value} />
}
