import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { SessionList } from '../ui/session-list.tsx'

type Session = Schemas['OwnListedSession']

/** Where the signed-in operator is signed in, and ending a session or all others. */
export function OwnSessions() {
  const [told, setTold] = useState('')
  const end = async (session: Session | null) => {
    const { data } = await answered(
      session === null
        ? api.DELETE('/admin/session/sessions', {})
        : api.DELETE('/admin/session/sessions/{session_id}', {
            params: { path: { session_id: session.session_id } },
          }),
    )
    setTold(data.ended === 1 ? 'One session has ended.' : `${data.ended} sessions have ended.`)
  }
  return (
    <SessionList<Session>
      endAll="Sign out everywhere else"
      listKey="own sessions"
      load={(cursor, signal) =>
        answered(
          api.GET('/admin/session/sessions', {
            params: { query: cursor === undefined ? {} : { cursor } },
            signal,
          }),
        )
      }
      onChoose={() => {
        setTold('')
      }}
      dialogFor={(session, { onClose, onEnded }) => (
        <EndDialog
          isAllOthers={session === null}
          onClose={onClose}
          onSubmit={async () => {
            await end(session)
            onEnded()
            onClose()
          }}
        />
      )}
    >
      <p role="status">{told}</p>
    </SessionList>
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
