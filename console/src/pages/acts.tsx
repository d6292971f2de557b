import { useLocation, useRoute } from 'preact-iso'
import { titleOf } from '../bulk-actions.ts'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Page } from '../ui/page.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, State } from '../ui/values.tsx'

type Act = Schemas['Act']

const states = [
  'previewed',
  'pending_approval',
  'running',
  'stopping',
  'done',
  'stopped',
  'declined',
  'expired',
] as const satisfies readonly Act['state'][]

/** The actions on many objects of a casino, past and planned, newest first. */
export function Acts() {
  const { params } = useRoute()
  const { query } = useLocation()
  const casinoId = params['casinoId'] ?? ''
  const state = states.find((candidate) => candidate === query['state'])
  const columns: Column<Act>[] = [
    {
      name: 'Act',
      render: (act) => <a href={casinoPath(casinoId, `/acts/${act.act_id}`)}>{titleOf(act)}</a>,
    },
    { name: 'State', render: (act) => <State state={act.state} /> },
    { name: 'Made by', render: ({ made_by: madeBy }) => <Given text={madeBy} /> },
    { name: 'Made', render: (act) => <Ago at={act.created_at} /> },
  ]
  return (
    <Page title="Bulk actions">
      <p class="soft">Select orders or cashbacks in their lists to act on many of them.</p>
      <Filters filters={[{ name: 'state', label: 'State', choices: states }]} />
      <List
        caption="Acts"
        columns={columns}
        keyOf={(act) => act.act_id}
        listKey={`acts ${casinoId} ${state ?? ''}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/acts', {
              params: {
                path: { casino_id: casinoId },
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(state === undefined ? {} : { state }),
                },
              },
              signal,
            }),
          )
        }
        empty="No acts fit."
      />
    </Page>
  )
}
