import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Schemas } from '../api.ts'
import { Section } from './page.tsx'
import { List } from './table.tsx'
import type { Column, ListProps } from './table.tsx'
import { Given, Time } from './values.tsx'

type Session = Schemas['OperatorSession'] & { is_current?: boolean }

interface SessionListProps<Row> extends Pick<ListProps<Row>, 'listKey' | 'load'> {
  /** The button for all sessions. */
  endAll: string
  /** The result of ending sessions. */
  children?: ComponentChildren
  /** Called with null for all sessions. The list is read again after `onEnded`. */
  dialogFor: (session: Row | null, close: { onClose: () => void; onEnded: () => void }) => ComponentChildren
  onChoose?: () => void
}

/** Where an operator is signed in, with buttons to end one session or all. */
export function SessionList<Row extends Session>(props: SessionListProps<Row>) {
  const { listKey, load, endAll, children, dialogFor, onChoose } = props
  const [round, setRound] = useState(0)
  /** A session, or null for all. */
  const [chosen, setChosen] = useState<Row | null>()
  const choose = (session: Row | null) => {
    onChoose?.()
    setChosen(session)
  }
  const onClose = () => {
    setChosen(undefined)
  }
  const onEnded = () => {
    setRound(round + 1)
  }
  return (
    <Section
      title="Sessions"
      aside={
        <button
          type="button"
          onClick={() => {
            choose(null)
          }}
        >
          {endAll}
        </button>
      }
    >
      {children}
      <List
        caption="Sessions"
        columns={columnsOf<Row>(choose)}
        keyOf={({ session_id: id }) => id}
        listKey={`${listKey} ${round}`}
        load={load}
        empty="There are no sessions."
      />
      {chosen !== undefined && dialogFor(chosen, { onClose, onEnded })}
    </Section>
  )
}

/** The current session has no button. */
function columnsOf<Row extends Session>(end: (session: Row) => void): Column<Row>[] {
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
