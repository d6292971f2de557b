import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Section } from '../ui/page.tsx'
import { sessionColumns } from '../ui/session-columns.tsx'
import { List } from '../ui/table.tsx'

type Session = Schemas['OwnListedSession']

/** Where the signed-in operator is signed in, and ending a session or all others. */
export function OwnSessions() {
  const [round, setRound] = useState(0)
  /** A session, or null for all others. */
  const [chosen, setChosen] = useState<Session | null>()
  const [told, setTold] = useState('')
  const choose = (session: Session | null) => {
    setTold('')
    setChosen(session)
  }
  const end = async () => {
    const { data } = await answered(
      chosen === null || chosen === undefined
        ? api.DELETE('/admin/session/sessions', {})
        : api.DELETE('/admin/session/sessions/{session_id}', {
            params: { path: { session_id: chosen.session_id } },
          }),
    )
    setTold(data.ended === 1 ? 'One session has ended.' : `${data.ended} sessions have ended.`)
    setRound(round + 1)
    setChosen(undefined)
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
          Sign out everywhere else
        </button>
      }
    >
      <p role="status">{told}</p>
      <List
        caption="Sessions"
        columns={sessionColumns<Session>(choose)}
        keyOf={({ session_id: id }) => id}
        listKey={`own sessions ${round}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/session/sessions', {
              params: { query: cursor === undefined ? {} : { cursor } },
              signal,
            }),
          )
        }
        empty="There are no sessions."
      />
      {chosen !== undefined && (
        <EndDialog
          isAllOthers={chosen === null}
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={end}
        />
      )}
    </Section>
  )
}

function EndDialog({
  isAllOthers,
  onClose,
  onSubmit,
}: {
  isAllOthers: boolean
  onClose: () => void
  onSubmit: () => Promise<void>
}) {
  return (
    <Dialog title={isAllOthers ? 'Sign out everywhere else' : 'End the session'} onClose={onClose}>
      <p>
        {isAllOthers
          ? 'All your sessions but this one end immediately. Change your password if you do not know one of them.'
          : 'It ends immediately. Change your password if you do not know it.'}
      </p>
      <Form
        button={isAllOthers ? 'Sign out' : 'End'}
        onSubmit={onSubmit}
        aside={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {() => null}
      </Form>
    </Dialog>
  )
}
