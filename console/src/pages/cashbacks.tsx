import { useLocation, useRoute } from 'preact-iso'
import { cashbackActions } from '../bulk-actions.ts'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { CashbackLink, PlayerLink } from '../ui/links.tsx'
import { BulkBar, useSelection } from '../ui/bulk.tsx'
import { Page } from '../ui/page.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Money, State, wordsOf } from '../ui/values.tsx'

type Cashback = Schemas['Cashback']

const states = [
  'requested',
  'processing',
  'unknown',
  'manual_review',
  'credited',
  'declined',
  'reversing',
  'reversal_unknown',
  'reversal_review',
  'reversed',
] as const satisfies readonly Cashback['state'][]

/** The cashbacks of a casino, newest first. */
export function Cashbacks() {
  const { params } = useRoute()
  const { query } = useLocation()
  const casinoId = params['casinoId'] ?? ''
  const state = states.find((candidate) => candidate === query['state'])
  const playerId = query['player_id']
  const { may } = useSession()
  const selection = useSelection(`cashbacks ${casinoId}`)
  const columns: Column<Cashback>[] = [
    {
      name: 'Cashback',
      render: (cashback) => <CashbackLink casinoId={casinoId} cashbackId={cashback.cashback_id} />,
    },
    {
      name: 'Player',
      render: (cashback) => <PlayerLink casinoId={casinoId} playerId={cashback.player_id} />,
    },
    { name: 'Amount', render: (cashback) => <Money amount={cashback} /> },
    { name: 'State', render: (cashback) => <State state={cashback.state} /> },
    { name: 'Problem', render: ({ problem }) => (problem === null ? '' : wordsOf(problem)) },
    { name: 'Requested', render: (cashback) => <Ago at={cashback.created_at} /> },
  ]
  return (
    <Page title="Cashbacks">
      <Filters
        filters={[
          { name: 'state', label: 'State', choices: states },
          { name: 'player_id', label: 'Player' },
        ]}
      />
      <BulkBar casinoId={casinoId} selection={selection} actions={cashbackActions} what="cashbacks" />
      <List
        choice={
          cashbackActions.some(({ right }) => may(right))
            ? { selection, chosenOf: ({ cashback_id: id, revision }) => ({ id, revision }) }
            : undefined
        }
        caption="Cashbacks"
        columns={columns}
        keyOf={(cashback) => cashback.cashback_id}
        listKey={`cashbacks ${casinoId} ${state ?? ''} ${playerId ?? ''}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/cashbacks', {
              params: {
                path: { casino_id: casinoId },
                query: {
                  order: 'desc',
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(state === undefined ? {} : { state }),
                  ...(playerId === undefined ? {} : { player_id: playerId }),
                },
              },
              signal,
            }),
          )
        }
        empty="No cashbacks fit."
      />
    </Page>
  )
}
