import type { Schemas } from '../api.ts'
import type { Column } from './table.tsx'
import { Given, Time } from './values.tsx'

type Session = Schemas['OperatorSession']

/** The columns of a list of sessions. `end` is called for one that is to be ended; the current one has no button. */
export function sessionColumns<Row extends Session & { is_current?: boolean }>(
  end: (session: Row) => void,
): Column<Row>[] {
  return [
    { name: 'Begun', render: (session) => <Time at={session.created_at} /> },
    { name: 'Last used', render: (session) => <Time at={session.last_seen_at} /> },
    { name: 'From', render: ({ address }) => address },
    { name: 'Browser', render: ({ user_agent: agent }) => <Given text={agent} /> },
    {
      name: 'State',
      render: (session) =>
        session.ended_at !== null || session.expires_at <= new Date().toISOString() ? (
          'ended'
        ) : session.is_current === true ? (
          'this session'
        ) : (
          <button
            type="button"
            aria-label={`End the session from ${session.address}`}
            onClick={() => {
              end(session)
            }}
          >
            End
          </button>
        ),
    },
  ]
}
