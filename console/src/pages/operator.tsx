import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { pathTo } from '../place.ts'
import { useSession } from '../session.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import type { ReasonHeaders } from '../ui/reason-dialog.tsx'
import { SessionList } from '../ui/session-list.tsx'
import { Given, Id, State, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { OperatorRights, readOperator } from './operator-rights.tsx'
import { Invitation } from './operators.tsx'

type Operator = Schemas['Operator']

/** An operator: the rights, the sessions, and the changes that an admin can make. */
export function OperatorPage() {
  const { operatorId = '' } = useRoute().params
  return <OperatorOf key={operatorId} operatorId={operatorId} />
}

function OperatorOf({ operatorId }: { operatorId: string }) {
  const query = useQuery(`operator ${operatorId}`, (signal) => readOperator(operatorId, signal))
  return (
    <ObjectPage
      query={query}
      what="the operator"
      untitled={`Operator ${operatorId}`}
      titleOf={({ name }) => name}
      asideOf={({ state }) => <State state={state} />}
      trail={[{ href: pathTo('/operators'), label: 'Operators' }]}
    >
      {(operator) => <AboutOperator operator={operator} reload={query.reload} />}
    </ObjectPage>
  )
}

function AboutOperator({ operator, reload }: { operator: Operator; reload: () => void }) {
  const [saved, setSaved] = useState<Operator>()
  return (
    <>
      <Section title="About the operator">
        <Facts
          facts={[
            ['Username', <Given key="username" text={operator.username} />],
            ['Id', <Id key="id" id={operator.operator_id} />],
            [
              'Signs in with',
              operator.issuer === null ? 'a password' : <Given key="issuer" text={operator.issuer} />,
            ],
            ['Second factor', operator.second_factor_set ? 'set' : 'not set'],
            ['Made by', <Given key="by" text={operator.created_by} />],
            ['Made', <Time key="made" at={operator.created_at} />],
          ]}
        />
        <Switches operator={operator} onDone={reload} />
      </Section>
      <Section title="What the operator may do">
        {/* A new form after each change of one's own, and the same one whatever else loads the page again. */}
        <OperatorRights
          key={saved?.revision}
          operator={saved ?? operator}
          onSaved={(changed) => {
            setSaved(changed)
            reload()
          }}
        />
        <p role="status">{saved !== undefined && 'It is saved.'}</p>
      </Section>
      <Sessions operator={operator} />
    </>
  )
}

type Switch = 'disable' | 'enable' | 'invite' | 'reset-second-factor'
const switches: Readonly<Record<Switch, { label: string; text: string }>> = {
  disable: { label: 'Disable', text: 'All sessions end, and the person cannot sign in.' },
  enable: { label: 'Enable', text: 'The person can sign in again, with the same password.' },
  invite: { label: 'Invite again', text: 'Earlier invitations end. The person chooses a new password.' },
  'reset-second-factor': {
    label: 'Reset the second factor',
    text: 'All sessions end. The person sets up a new one.',
  },
}

function Switches({ operator, onDone }: { operator: Operator; onDone: () => void }) {
  const { me } = useSession()
  const [chosen, setChosen] = useState<Switch>()
  /** The revision when the dialog was opened. */
  const [seen, setSeen] = useState(operator.revision)
  const [invited, setInvited] = useState<Schemas['InvitedOperator']>()
  const isOwn = me.operator.operator_id === operator.operator_id
  const possible: Switch[] = [
    ...(isOwn ? [] : ([operator.state === 'disabled' ? 'enable' : 'disable'] as const)),
    ...(operator.issuer === null && operator.state !== 'disabled' ? (['invite'] as const) : []),
    ...(operator.second_factor_set ? (['reset-second-factor'] as const) : []),
  ]
  return (
    <>
      <div class="actions">
        {possible.map((name) => (
          <button
            key={name}
            type="button"
            class={name === 'disable' ? 'danger' : ''}
            onClick={() => {
              setSeen(operator.revision)
              setChosen(name)
            }}
          >
            {switches[name].label}
          </button>
        ))}
      </div>
      {invited !== undefined && <Invitation invited={invited} />}
      {chosen !== undefined && (
        <ReasonDialog
          title={switches[chosen].label}
          button={switches[chosen].label}
          text={switches[chosen].text}
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (headers, { reason = '' }) => {
            const params = { path: { operator_id: operator.operator_id }, header: headers }
            if (chosen === 'invite') {
              const answer = await answered(
                api.POST('/admin/operators/{operator_id}/invite', { params, body: { reason } }),
              )
              setInvited(answer.data)
            } else {
              await answered(
                api.POST(`/admin/operators/{operator_id}/${chosen}`, {
                  params,
                  body: { reason, ...(chosen === 'reset-second-factor' ? {} : { expected_revision: seen }) },
                }),
              )
            }
            onDone()
          }}
        />
      )}
    </>
  )
}

type Session = Schemas['OperatorSession']

function Sessions({ operator }: { operator: Operator }) {
  const operatorId = operator.operator_id
  const end = async (session: Session | null, header: ReasonHeaders) => {
    if (session === null) {
      const params = { path: { operator_id: operatorId }, header }
      await answered(api.DELETE('/admin/operators/{operator_id}/sessions', { params }))
    } else {
      const path = { operator_id: operatorId, session_id: session.session_id }
      await answered(
        api.DELETE('/admin/operators/{operator_id}/sessions/{session_id}', { params: { path, header } }),
      )
    }
  }
  return (
    <SessionList<Session>
      endAll="End all"
      listKey={`sessions ${operatorId} ${operator.updated_at}`}
      load={(cursor, signal) =>
        answered(
          api.GET('/admin/operators/{operator_id}/sessions', {
            params: {
              path: { operator_id: operatorId },
              query: { order: 'desc', ...(cursor === undefined ? {} : { cursor }) },
            },
            signal,
          }),
        )
      }
      dialogFor={(session, { onClose, onEnded }) => (
        <ReasonDialog
          title={session === null ? 'End all sessions' : 'End the session'}
          button="End"
          text="It ends immediately. The person has to sign in again."
          onClose={onClose}
          onSubmit={async (header) => {
            await end(session, header)
            onEnded()
          }}
        />
      )}
    />
  )
}
