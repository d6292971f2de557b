import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { lacksSecondFactor, useSession } from '../session.tsx'
import { Field, Form } from '../ui/form.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Given, Id } from '../ui/values.tsx'
import { OwnSessions } from './own-sessions.tsx'

/** The signed-in operator: rights, password, second factor and sessions. */
export function Account() {
  const { me } = useSession()
  const { operator } = me
  return (
    <Page title="Your account">
      {lacksSecondFactor(me) && (
        <p class="problem" role="status">
          Set up a second factor first. Nothing else is possible before.
        </p>
      )}
      <Section title="About you">
        <Facts
          facts={[
            ['Name', <Given key="name" text={operator.name} />],
            ['Username', <Given key="username" text={operator.username} />],
            ['Role', operator.role],
            [
              'Casinos',
              operator.casino_ids === null ? 'all' : <Given key="c" text={operator.casino_ids.join(', ')} />,
            ],
            ['Second factor', operator.second_factor_set ? 'set' : 'not set'],
          ]}
        />
      </Section>
      {operator.issuer === null ? (
        <>
          <SecondFactor />
          <Password />
        </>
      ) : (
        <p class="soft">You sign in at your identity provider: password and second factor are set there.</p>
      )}
      <OwnSessions />
    </Page>
  )
}

function SecondFactor() {
  const { me, reload } = useSession()
  const [begun, setBegun] = useState<Schemas['NewSecondFactor']>()
  const [told, setTold] = useState('')
  return (
    <Section title="Second factor">
      <p>
        With a second factor you need a code from an authenticator app to sign in.
        {me.operator.second_factor_set && ' Yours is set. To use another app, have an admin reset it first.'}
      </p>
      {begun === undefined ? (
        !me.operator.second_factor_set && (
          <Form
            button="Set up"
            onSubmit={async () => {
              setTold('')
              setBegun((await answered(api.PUT('/admin/session/second-factor', {}))).data)
            }}
          >
            {() => null}
          </Form>
        )
      ) : (
        <>
          <p>Enter this secret in your authenticator app, then the code that the app shows.</p>
          <Id id={begun.secret} />
          <p>
            <a href={begun.uri}>Open it in an app on this device</a>
          </p>
          <Form
            button="Confirm"
            onSubmit={async ({ code = '' }) => {
              await answered(api.PUT('/admin/session/second-factor/confirmation', { body: { code } }))
              setBegun(undefined)
              setTold('It is set up. Your other sessions have ended.')
              reload()
            }}
          >
            {(problemOf) => (
              <Field
                name="code"
                label="Code"
                hint="Six digits."
                problem={problemOf('code')}
                autocomplete="one-time-code"
                isRequired
              />
            )}
          </Form>
        </>
      )}
      <p role="status">{told}</p>
    </Section>
  )
}

function Password() {
  const [round, setRound] = useState(0)
  return (
    <Section title="Password">
      <Form
        key={round}
        button="Change the password"
        onSubmit={async ({ password = '', new_password: newPassword = '' }) => {
          const body = { password, new_password: newPassword }
          await answered(api.PUT('/admin/session/password', { body }))
          setRound(round + 1)
        }}
      >
        {(problemOf) => (
          <>
            <Field
              name="password"
              label="Present password"
              type="password"
              autocomplete="current-password"
              problem={problemOf('password')}
              isRequired
            />
            <Field
              name="new_password"
              label="New password"
              type="password"
              autocomplete="new-password"
              hint="At least 12 characters."
              problem={problemOf('new_password')}
              isRequired
            />
          </>
        )}
      </Form>
      <p role="status">{round > 0 && 'It is changed. Your other sessions have ended.'}</p>
    </Section>
  )
}
