import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Page } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, GivenName, State } from '../ui/values.tsx'

/** The boxes of a casino. */
export function Boxes() {
  const { casinoId = '' } = useRoute().params
  const { may } = useSession()
  const columns: Column<Schemas['BoxSummary']>[] = [
    {
      name: 'Name',
      render: ({ box_id: id, name }) => (
        <a href={casinoPath(casinoId, `/boxes/${encodeURIComponent(id)}`)}>
          <GivenName text={name} />
        </a>
      ),
    },
    { name: 'Id', render: ({ box_id: id }) => <Given text={id} /> },
    { name: 'State', render: ({ enabled }) => <State state={enabled ? 'enabled' : 'disabled'} /> },
    { name: 'Version', render: ({ version }) => version },
    { name: 'Opened by', render: (box) => accessOf(box) },
    { name: 'Published', render: (box) => <Ago at={box.published_at} /> },
  ]
  return (
    <Page
      title="Boxes"
      aside={
        may('admin') && (
          <a class="button primary" href={casinoPath(casinoId, '/new-box')}>
            Create a box
          </a>
        )
      }
    >
      <List
        caption="Boxes"
        columns={columns}
        keyOf={({ box_id: id }) => id}
        listKey={`boxes ${casinoId}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/boxes', {
              params: { path: { casino_id: casinoId }, query: cursor === undefined ? {} : { cursor } },
              signal,
            }),
          )
        }
        empty="The casino has no boxes yet."
      />
    </Page>
  )
}

/** The players who can open the box, and how often. */
export function accessOf({ access, limit }: Pick<Schemas['BoxSummary'], 'access' | 'limit'>): string {
  if (access === 'granted' || limit === null) return 'players with a grant'
  const often = `${String(limit.count)} for each player`
  return limit.period === 'lifetime' ? often : `${often} and ${limit.period} (${limit.time_zone})`
}
