import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { BoxLink } from '../ui/links.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Time } from '../ui/values.tsx'

type Grant = Schemas['Grant']

/** The grants of a player, of all boxes or one; read again whenever `madeId` changes. */
export function GrantList({
  casinoId,
  playerId,
  boxId,
  madeId,
}: {
  casinoId: string
  playerId: string
  boxId: string
  madeId: string
}) {
  return (
    <List
      caption="Grants"
      columns={columnsOf(casinoId)}
      keyOf={({ grant_id: id }) => id}
      listKey={`grants ${casinoId} ${playerId} ${boxId} ${madeId}`}
      load={(cursor, signal) =>
        answered(
          api.GET('/admin/casinos/{casino_id}/players/{player_id}/grants', {
            params: {
              path: { casino_id: casinoId, player_id: playerId },
              query: {
                order: 'desc',
                ...(cursor === undefined ? {} : { cursor }),
                ...(boxId === '' ? {} : { box_id: boxId }),
              },
            },
            signal,
          }),
        )
      }
      empty="The player has no such grants."
    />
  )
}

const columnsOf = (casinoId: string): Column<Grant>[] => [
  {
    name: 'Grant',
    render: ({ grant_id: id }) => (
      <code>
        <Given text={id} />
      </code>
    ),
  },
  { name: 'Box', render: ({ box_id: id }) => <BoxLink casinoId={casinoId} boxId={id} /> },
  {
    name: 'Used',
    render: ({ used, count }) => (
      <span class="number">
        {used.toLocaleString()} of {count.toLocaleString()}
      </span>
    ),
  },
  {
    name: 'Expires',
    render: ({ expires_at: at }) => (at === null ? <span class="soft whole">never</span> : <Time at={at} />),
  },
  { name: 'Made', render: (grant) => <Time at={grant.created_at} /> },
]
