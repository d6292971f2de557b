import { useState } from 'preact/hooks'
import { readTyped } from '../typed.ts'
import type { FormValues } from '../ui/form.tsx'
import { Field } from '../ui/form.tsx'
import { Given, Time, wordsOf } from '../ui/values.tsx'
import { partOf } from './setting-kind.ts'
import type { Setting, SettingKind } from './setting-kind.ts'

/** The settings that name a system of the casino which the service calls, with a secret that is never shown again. */
export const partnerSettings = {
  wallet: {
    title: 'Wallet',
    text: 'The party that credits cashbacks: the service’s own ledger, or the casino’s wallet.',
    facts,
    fields: (setting, problemOf) => (
      <PartnerFields
        setting={setting}
        problemOf={problemOf}
        kinds={[
          { value: 'ledger', label: 'the service’s ledger' },
          { value: 'http', label: 'the casino’s wallet, over HTTP' },
        ]}
      />
    ),
    bodyOf: (values, setting) =>
      values['kind'] === 'http' ? { kind: 'http', ...partnerOf(values, setting) } : { kind: 'ledger' },
  },
  fulfilment: {
    title: 'Fulfilment',
    text: 'The party that sends prizes: operators, or a fulfilment provider.',
    facts,
    fields: (setting, problemOf) => (
      <PartnerFields
        setting={setting}
        problemOf={problemOf}
        kinds={[
          { value: 'manual', label: 'operators, by hand' },
          { value: 'http', label: 'a provider, over HTTP' },
        ]}
      />
    ),
    bodyOf: (values, setting) => {
      if (values['kind'] !== 'http') return { kind: 'manual' }
      const typed = readTyped(values)
      const minutes = typed.numberIn('poll_minutes')
      typed.check()
      return {
        kind: 'http',
        ...partnerOf(values, setting),
        ...(minutes === undefined ? {} : { poll_minutes: minutes }),
      }
    },
  },
} as const satisfies Record<string, SettingKind>

function facts(setting: Setting): ReturnType<SettingKind['facts']> {
  const kind = partOf(setting, 'kind')
  if (kind !== 'http') return [['Kind', wordsOf(kind)]]
  const polled = partOf(setting, 'poll_minutes')
  const until = setting.previous_secret_expires_at
  return [
    ['Kind', 'over HTTP'],
    ['URL', <Given key="url" text={partOf(setting, 'url')} />],
    ['Time-out', `${partOf(setting, 'timeout_ms')} ms`],
    ...(polled === '' ? [] : ([['Asked for updates', `every ${polled} minutes`]] as const)),
    ['Secret', setting.secret_set ? 'set' : 'not set'],
    ...(until === null ? [] : ([['Previous secret valid until', <Time key="until" at={until} />]] as const)),
  ]
}

/** Fields that the kind or the choice of a secret does not need are not there. */
function PartnerFields({
  setting,
  problemOf,
  kinds,
}: {
  setting: Setting
  problemOf: (name: string) => string | undefined
  kinds: readonly { value: string; label: string }[]
}) {
  const [kind, setKind] = useState(partOf(setting, 'kind'))
  return (
    <>
      <Field
        name="kind"
        label="Kind"
        value={partOf(setting, 'kind')}
        problem={problemOf('kind')}
        choices={kinds}
        onChoose={setKind}
        isRequired
      />
      {kind === 'http' && (
        <>
          <Field
            name="url"
            label="URL"
            hint="With https, on the public internet."
            value={partOf(setting, 'url')}
            problem={problemOf('url')}
            isRequired
          />
          <Field
            name="timeout_ms"
            label="Time-out in milliseconds"
            hint="500 to 30000; 5000 if empty."
            value={partOf(setting, 'timeout_ms')}
            problem={problemOf('timeout_ms')}
          />
          {setting.name === 'fulfilment' && (
            <Field
              name="poll_minutes"
              label="Minutes between questions for updates"
              hint="1 to 1440; 60 if empty."
              value={partOf(setting, 'poll_minutes')}
              problem={problemOf('poll_minutes')}
            />
          )}
          <SecretFields setting={setting} problemOf={problemOf} />
        </>
      )}
    </>
  )
}

function SecretFields({
  setting,
  problemOf,
}: {
  setting: Setting
  problemOf: (name: string) => string | undefined
}) {
  const isSet = setting.secret_set
  const [choice, setChoice] = useState(isSet ? 'keep' : 'new')
  const hasOverlap = isSet && (choice !== 'keep' || setting.previous_secret_expires_at !== null)
  return (
    <>
      <Field
        name="secret_choice"
        label="Secret"
        value={isSet ? 'keep' : 'new'}
        problem={problemOf('new_secret')}
        choices={[
          ...(isSet ? [{ value: 'keep', label: 'keep the one that is set' }] : []),
          { value: 'new', label: 'let the service make a new one' },
          { value: 'own', label: 'use one of my own' },
        ]}
        onChoose={setChoice}
        isRequired
      />
      {choice === 'own' && (
        <Field
          name="secret"
          label="My own secret"
          hint="whsec_ and the base64 of 24 to 64 bytes. It is never shown again."
          type="password"
          autocomplete="new-password"
          problem={problemOf('secret')}
          isRequired
        />
      )}
      {hasOverlap && (
        <Field
          name="overlap_seconds"
          label="The previous secret"
          problem={problemOf('overlap_seconds')}
          value={choice === 'keep' ? 'as_it_is' : '86400'}
          key={choice}
          choices={[
            ...(choice === 'keep' ? [{ value: 'as_it_is', label: 'stays valid as long as it was to' }] : []),
            { value: '0', label: 'ends immediately (after a leak)' },
            ...(choice === 'keep' ? [] : overlaps),
          ]}
          isRequired
        />
      )}
    </>
  )
}

const overlaps = [
  { value: '3600', label: 'stays valid for an hour' },
  { value: '86400', label: 'stays valid for a day' },
  { value: '604800', label: 'stays valid for a week' },
]

/** The body for a partner over HTTP, without its kind. The first secret is made if none is given, others on request. */
function partnerOf(values: FormValues, { secret_set: isSet }: Setting) {
  const typed = readTyped(values)
  const timeoutMs = typed.numberIn('timeout_ms')
  const overlap = values['overlap_seconds'] ?? 'as_it_is'
  typed.check()
  return {
    url: typed.textIn('url'),
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(values['secret_choice'] === 'own' ? { secret: typed.textIn('secret') } : {}),
    ...(values['secret_choice'] === 'new' && isSet ? { new_secret: true } : {}),
    ...(overlap === 'as_it_is' ? {} : { overlap_seconds: Number(overlap) }),
  }
}
