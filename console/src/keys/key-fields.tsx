import type { Schemas } from '../api.ts'
import { readTyped } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'

type ProblemOf = (name: string) => string | undefined

const yesOrNo = [
  { value: 'false', label: 'no' },
  { value: 'true', label: 'yes' },
]

/** The fields of a new key. */
export function NewKeyFields({ problemOf, isSandbox }: { problemOf: ProblemOf; isSandbox: boolean }) {
  return (
    <>
      <Field name="name" label="Name" hint="What uses it." problem={problemOf('name')} isRequired />
      {!isSandbox && (
        <Field
          name="mode"
          label="Mode"
          value="live"
          problem={problemOf('mode')}
          choices={[
            { value: 'live', label: 'live' },
            { value: 'test', label: 'test: for the sandbox' },
          ]}
          isRequired
        />
      )}
      <Field
        name="scopes"
        label="Scopes"
        value="play"
        problem={problemOf('scopes')}
        choices={[
          { value: 'play', label: 'play: the three operations' },
          { value: 'manage', label: 'manage: the management API' },
          { value: 'play manage', label: 'play and manage' },
        ]}
        isRequired
      />
      <Field
        name="require_idempotency_key"
        label="Refuse operations without an Idempotency-Key"
        value="false"
        problem={problemOf('require_idempotency_key')}
        choices={yesOrNo}
        isRequired
      />
      <TermFields
        problemOf={problemOf}
        empty="Empty for a key without an end."
        emptyAddresses="Empty for all."
      />
    </>
  )
}

/** How a key is replaced. */
export function RotationFields({ problemOf }: { problemOf: ProblemOf }) {
  return (
    <>
      <Field
        name="overlap_seconds"
        label="The old key"
        value="86400"
        problem={problemOf('overlap_seconds')}
        choices={[
          { value: '0', label: 'ends immediately' },
          { value: '3600', label: 'stays valid for an hour' },
          { value: '86400', label: 'stays valid for a day' },
          { value: '604800', label: 'stays valid for a week' },
          { value: '2592000', label: 'stays valid for 30 days' },
        ]}
        isRequired
      />
      <TermFields
        problemOf={problemOf}
        empty="Empty for the end of the old key."
        emptyAddresses="Empty for those of the old key."
      />
    </>
  )
}

function TermFields({
  problemOf,
  empty,
  emptyAddresses,
}: {
  problemOf: ProblemOf
  empty: string
  emptyAddresses: string
}) {
  return (
    <>
      <Field
        name="expires_at"
        label="Ends"
        hint={`A date or a time with its zone, such as 2030-01-31 or 2030-01-31T12:00:00Z. ${empty}`}
        problem={problemOf('expires_at')}
      />
      <Field
        name="allowed_addresses"
        label="Allowed addresses"
        hint={`Addresses or networks, such as 203.0.113.0/24, separated by spaces. ${emptyAddresses}`}
        problem={problemOf('allowed_addresses')}
        rows={2}
      />
    </>
  )
}

const scopes = ['play', 'manage'] as const

export function newKeyOf(values: FormValues): Schemas['CreateApiKeyRequest'] {
  const chosen = (values['scopes'] ?? '').split(' ')
  return {
    name: values['name'] ?? '',
    ...(values['mode'] === undefined ? {} : { mode: values['mode'] === 'test' ? 'test' : 'live' }),
    scopes: scopes.filter((scope) => chosen.includes(scope)),
    require_idempotency_key: values['require_idempotency_key'] === 'true',
    ...termsOf(values),
  }
}

export function rotationOf(values: FormValues): Schemas['RotateApiKeyRequest'] {
  return { overlap_seconds: Number(values['overlap_seconds']), ...termsOf(values) }
}

/** Empty fields are left out. */
function termsOf(values: FormValues) {
  const typed = readTyped(values)
  const addresses = typed.wordsIn('allowed_addresses')
  const expiresAt = typed.textIn('expires_at')
  return {
    ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
    ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }),
  }
}
