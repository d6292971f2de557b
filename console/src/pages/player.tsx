import { useLocation, useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { GrantList } from '../grants/grant-list.tsx'
import { casinoPath } from '../place.ts'
import { PrizeLink } from '../ui/links.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Filters, List, Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Money, State, Time, formatMoney, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { PlayerActions } from './player-actions.tsx'

const states = [
  'won',
  'ordered',
  'fulfilled',
  'cashback_pending',
  'cashed_back',
  'expired',
  'voided',
] as const satisfies readonly Schemas['Prize']['state'][]

/** One player of a casino: the totals and the prizes. */
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
        {
          href: casinoPath(casinoId, `/grants?player_id=${encodeURIComponent(playerId)}`),
          label: 'Grants of the player',
        },
      ]}
    >
      <Overview path={path} />
      <Section title="Grants">
        <GrantList casinoId={casinoId} playerId={playerId} boxId="" madeId="" />
      </Section>
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

type Player = Schemas['Player']

/** The player's totals, and the actions on the player. */
function Overview({ path }: { path: { casino_id: string; player_id: string } }) {
  const { casino_id: casinoId, player_id: playerId } = path
  const { value, error, reload } = useQuery(`player ${casinoId} ${playerId}`, async (signal) => {
    const root = '/admin/casinos/{casino_id}/players/{player_id}' as const
    const answer = await answered(api.GET(root, { params: { path }, signal }))
    return answer.data
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the player" /> : <Failure error={error} retry={reload} />
  const ofPlayer = (list: string) =>
    casinoPath(casinoId, `/${list}?player_id=${encodeURIComponent(playerId)}`)
  return (
    <>
      <Section title="Player">
        <Facts
          facts={[
            ['First seen', <Time key="seen" at={value.first_seen_at} />],
            ['Openings', String(value.openings)],
            ['Prizes', <States key="prizes" counts={value.prizes} />],
            [
              'Orders',
              <a key="orders" href={ofPlayer('orders')}>
                <States counts={value.orders} />
              </a>,
            ],
            [
              'Cashbacks',
              <a key="cashbacks" href={ofPlayer('cashbacks')}>
                <States counts={value.cashbacks} />
              </a>,
            ],
            [
              'Credited cashback',
              value.balances.length === 0 ? 'none' : value.balances.map(formatMoney).join(', '),
            ],
            ['Personal data', <Erasure key="erasure" player={value} />],
          ]}
        />
      </Section>
      <Section title="What can be done">
        <PlayerActions path={path} onDone={reload} />
      </Section>
      <Section title="Openings left">
        <Boxes player={value} />
      </Section>
    </>
  )
}

function States({ counts: { states, is_partial: isPartial } }: { counts: Schemas['StateCounts'] }) {
  if (states.length === 0) return <>none</>
  const texts = states.map(({ state, count }) => `${String(count)} ${wordsOf(state)}`)
  return (
    <>
      {texts.join(', ')}
      {isPartial && ' (of the newest 1,000)'}
    </>
  )
}

function Erasure({ player }: { player: Player }) {
  if (player.erase_requested_at === null) return <>never erased</>
  return player.erased_at === null ? (
    <>
      erasure asked for on <Time at={player.erase_requested_at} />, waits for open orders
    </>
  ) : (
    <>
      erased on <Time at={player.erased_at} />
    </>
  )
}

function Boxes({ player: { boxes, has_more_boxes: isPartial } }: { player: Player }) {
  if (boxes.length === 0) return <Empty>The casino has no box that is open now.</Empty>
  return (
    <>
      <Table
        caption="Openings left of each open box"
        columns={boxColumns}
        rows={boxes}
        keyOf={(box) => box.box_id}
      />
      {isPartial && <p class="soft">The casino has more open boxes.</p>}
    </>
  )
}

const boxColumns: Column<Player['boxes'][number]>[] = [
  { name: 'Box', render: (box) => <Given text={box.box_id} /> },
  { name: 'Left', render: (box) => box.openings_left },
  {
    name: 'Because',
    render: ({ access }) => (access === 'granted' ? 'granted to the player' : 'limit of each player'),
  },
  { name: 'Until', render: (box) => <Time at={box.expires_at ?? box.resets_at} /> },
]
