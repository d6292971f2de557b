import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { pathTo } from '../place.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Reason } from '../ui/form.tsx'
import { definitionOf, OperatorFields } from '../ui/operator-fields.tsx'
import { Page } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, GivenName, Id, State } from '../ui/values.tsx'

type Operator = Schemas['Operator']

const columns: Column<Operator>[] = [
  {
    name: 'Username',
    render: ({ operator_id: id, username }) => (
      <a href={pathTo(`/operators/${id}`)}>
        <GivenName text={username} />
      </a>
    ),
  },
  { name: 'Name', render: ({ name }) => <Given text={name} /> },
  { name: 'Role', render: ({ role }) => role },
  {
    name: 'Casinos',
    render: ({ casino_ids: ids }) => (ids === null ? 'all' : <Given text={ids.join(', ')} />),
  },
  { name: 'State', render: ({ state }) => <State state={state} /> },
  { name: 'Second factor', render: ({ second_factor_set: isSet }) => (isSet ? 'set' : 'not set') },
  { name: 'Made', render: (operator) => <Ago at={operator.created_at} /> },
]

/** The operators who may sign in, and the invitation of another one. */
export function Operators() {
  const { may, isOfAllCasinos } = useSession()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Schemas['InvitedOperator']>()
  return (
    <Page
      title="Operators"
      aside={
        isOfAllCasinos &&
        may('admin') && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setInviting(true)
            }}
          >
            Invite
          </button>
        )
      }
    >
      {invited !== undefined && <Invitation invited={invited} />}
      <List
        caption="Operators"
        columns={columns}
        keyOf={({ operator_id: id }) => id}
        listKey={`operators ${invited?.operator_id ?? ''}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/operators', {
              params: { query: cursor === undefined ? {} : { cursor } },
              signal,
            }),
          )
        }
        empty="There are no operators."
      />
      {isInviting && (
        <Invite
          onClose={() => {
            setInviting(false)
          }}
          onInvited={setInvited}
        />
      )}
    </Page>
  )
}

function Invite({
  onClose,
  onInvited,
}: {
  onClose: () => void
  onInvited: (invited: Schemas['InvitedOperator']) => void
}) {
  return (
    <Dialog title="Invite an operator" onClose={onClose}>
      <Form
        button="Invite"
        onSubmit={async (values, header) => {
          const { username = '', reason = '' } = values
          const body = { username, ...definitionOf(values), reason }
          onInvited((await answered(api.POST('/admin/operators', { params: { header }, body }))).data)
          onClose()
        }}
      >
        {(problemOf) => (
          <>
            <Field
              name="username"
              label="Username"
              hint="How the person signs in, and whom the audit trail names. It never changes."
              problem={problemOf('username')}
              isRequired
            />
            <OperatorFields problemOf={problemOf} />
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** The invitation is shown this once. */
export function Invitation({ invited }: { invited: Schemas['InvitedOperator'] }) {
  return (
    <section class="card" aria-label="Invitation" role="status">
      <p>
        Give this invitation to <Given text={invited.name} />. It is shown this once. With it a password is
        chosen at <code>{`${location.origin}${pathTo('/invitation')}`}</code>.
      </p>
      <Id id={invited.invitation} />
    </section>
  )
}
