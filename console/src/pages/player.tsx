import { useLocation, useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { PrizeLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Money, State, Time, formatMoney } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

const states = [
  'won',
  'ordered',
  'fulfilled',
  'cashback_pending',
  'cashed_back',
  'expired',
  'voided',
] as const satisfies readonly Schemas['Prize']['state'][]

/** One player of a casino: prizes and credited cashback. */
export function PlayerPage() {
  const { params } = useRoute()
  const { query } = useLocation()
  const { casinoId = '', playerId = '' } = params
  const state = states.find((candidate) => candidate === query['state'])
  const path = { casino_id: casinoId, player_id: playerId }
  const columns: Column<Schemas['Prize']>[] = [
    {
      name: 'Prize',
      render: (prize) => <PrizeLink casinoId={casinoId} prizeId={prize.prize_id} text={prize.name} />,
    },
    { name: 'Kind', render: ({ kind }) => kind },
    { name: 'State', render: (prize) => <State state={prize.state} /> },
    { name: 'Cashback', render: ({ cashback }) => <Money amount={cashback} /> },
    { name: 'Won', render: (prize) => <Time at={prize.created_at} /> },
    { name: 'Expires', render: (prize) => <Time at={prize.expires_at} /> },
  ]
  return (
    <Page
      title={playerId}
      trail={[
        {
          href: casinoPath(casinoId, `/orders?player_id=${encodeURIComponent(playerId)}`),
          label: 'Orders of the player',
        },
      ]}
    >
      <Balance casinoId={casinoId} playerId={playerId} />
      <Section title="Prizes">
        <Filters filters={[{ name: 'state', label: 'State', choices: states }]} />
        <List
          caption="Prizes"
          columns={columns}
          keyOf={(prize) => prize.prize_id}
          listKey={`prizes ${casinoId} ${playerId} ${state ?? ''}`}
          load={(cursor, signal) =>
            answered(
              api.GET('/admin/casinos/{casino_id}/players/{player_id}/prizes', {
                params: {
                  path,
                  query: {
                    order: 'desc',
                    ...(cursor === undefined ? {} : { cursor }),
                    ...(state === undefined ? {} : { state }),
                  },
                },
                signal,
              }),
            )
          }
          empty="The player has no such prizes."
        />
      </Section>
    </Page>
  )
}

function Balance({ casinoId, playerId }: { casinoId: string; playerId: string }) {
  const { value, error, reload } = useQuery(`balance ${casinoId} ${playerId}`, async (signal) => {
    const path = { casino_id: casinoId, player_id: playerId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/players/{player_id}/balance', { params: { path }, signal }),
    )
    return answer.data.balances
  })
  return (
    <Section title="Credited cashback">
      {value === undefined ? (
        error === undefined ? (
          <Loading what="the balance" />
        ) : (
          <Failure error={error} retry={reload} />
        )
      ) : value.length === 0 ? (
        <Empty>None so far.</Empty>
      ) : (
        <p>{value.map(formatMoney).join(', ')}</p>
      )}
    </Section>
  )
}
