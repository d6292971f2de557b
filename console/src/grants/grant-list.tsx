import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { BoxLink, PlayerLink } from '../ui/links.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Time } from '../ui/values.tsx'

type Grant = Schemas['Grant']

/** The grants of a casino or of one of its players, of all boxes or one; read again whenever `madeId` changes. */
export function GrantList({
  casinoId,
  playerId,
  boxId,
  grantId = '',
  madeId,
}: {
  casinoId: string
  /** Empty for all players. */
  playerId: string
  /** Empty for all boxes. */
  boxId: string
  /** With it, only this grant is listed. */
  grantId?: string
  madeId: string
}) {
  return (
    <List
      caption="Grants"
      columns={columnsOf(casinoId, playerId === '')}
      keyOf={({ grant_id: id }) => id}
      listKey={`grants ${casinoId} ${playerId} ${boxId} ${grantId} ${madeId}`}
      load={(cursor, signal) => load(casinoId, { playerId, boxId, grantId }, cursor, signal)}
      empty={
        grantId !== ''
          ? 'No grant fits.'
          : playerId !== ''
            ? 'The player has no such grants.'
            : boxId === ''
              ? 'Nobody has been granted openings yet.'
              : 'There are no grants of this box.'
      }
    />
  )
}

function load(
  casinoId: string,
  { playerId, boxId, grantId }: { playerId: string; boxId: string; grantId: string },
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const query = {
    order: 'desc' as const,
    ...(cursor === undefined ? {} : { cursor }),
    ...(boxId === '' ? {} : { box_id: boxId }),
    ...(grantId === '' ? {} : { grant_id: grantId }),
  }
  return answered(
    playerId === ''
      ? api.GET('/admin/casinos/{casino_id}/grants', {
          params: { path: { casino_id: casinoId }, query },
          signal,
        })
      : api.GET('/admin/casinos/{casino_id}/players/{player_id}/grants', {
          params: { path: { casino_id: casinoId, player_id: playerId }, query },
          signal,
        }),
  )
}

const columnsOf = (casinoId: string, withPlayer: boolean): Column<Grant>[] => [
  {
    name: 'Grant',
    render: ({ grant_id: id }) => (
      <code>
        <Given text={id} />
      </code>
    ),
  },
  ...(withPlayer
    ? [
        {
          name: 'Player',
          render: ({ player_id: id }: Grant) => <PlayerLink casinoId={casinoId} playerId={id} />,
        },
      ]
    : []),
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
