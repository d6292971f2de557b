import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { NewKeyFields, newKeyOf, RotationFields, rotationOf } from '../keys/key-fields.tsx'
import { isLive } from '../keys/key-line.ts'
import { RevokeKey } from '../keys/revoke-key.tsx'
import { useSession } from '../session.tsx'
import { useCasino } from '../use-casinos.ts'
import { Page } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, State, Time } from '../ui/values.tsx'

type Key = Schemas['ApiKey']
type Choice = { what: 'create' } | { what: 'rotate' | 'revoke'; key: Key }

/** The API keys of a casino: making, replacing and ending them. */
export function Keys() {
  const { casinoId = '' } = useRoute().params
  const { may } = useSession()
  const [chosen, setChosen] = useState<Choice>()
  const [made, setMade] = useState<Schemas['NewApiKey']>()
  const [told, setTold] = useState('')
  const [round, setRound] = useState(0)
  const close = () => {
    setChosen(undefined)
  }
  const onMade = (key: Schemas['NewApiKey']) => {
    setMade(key)
    setTold('')
    setRound(round + 1)
  }
  return (
    <Page
      title="API keys"
      aside={
        may('admin') && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setChosen({ what: 'create' })
            }}
          >
            Create a key
          </button>
        )
      }
    >
      {made !== undefined && (
        <ShownOnce
          text={
            <>
              The new key <code>{made.key_id}</code> {made.name !== null && <Given text={made.name} />}.
            </>
          }
          secret={made.api_key}
        />
      )}
      <p role="status">{told}</p>
      <List
        caption="API keys"
        columns={may('admin') ? [...columns, choosing(setChosen)] : columns}
        keyOf={({ key_id: id }) => id}
        listKey={`keys ${casinoId} ${round}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/api-keys', {
              params: { path: { casino_id: casinoId }, query: cursor === undefined ? {} : { cursor } },
              signal,
            }),
          )
        }
        empty="The casino has no keys yet."
      />
      {chosen?.what === 'create' && <CreateKey casinoId={casinoId} onClose={close} onMade={onMade} />}
      {chosen?.what === 'rotate' && (
        <RotateKey casinoId={casinoId} target={chosen.key} onClose={close} onMade={onMade} />
      )}
      {chosen?.what === 'revoke' && (
        <RevokeKey
          casinoId={casinoId}
          target={chosen.key}
          onClose={close}
          onRevoked={(also) => {
            const others = also.length === 0 ? '' : ` With it ended ${also.join(', ')}.`
            setTold(`The key ${chosen.key.key_id} is revoked.${others}`)
            setRound(round + 1)
          }}
        />
      )}
    </Page>
  )
}

const columns: Column<Key>[] = [
  {
    name: 'Key',
    render: ({ key_id: id, name }) => (
      <span>
        {name !== null && (
          <>
            <Given text={name} />
            <br />
          </>
        )}
        <code>{id}</code>
      </span>
    ),
  },
  {
    name: 'For',
    render: ({ mode, scopes, require_idempotency_key: isStrict }) =>
      `${mode}: ${scopes.join(', ')}${isStrict ? ' (strict)' : ''}`,
  },
  { name: 'State', render: (key) => <State state={stateOf(key)} /> },
  { name: 'Ends', render: (key) => (key.expires_at === null ? never : <Time at={key.expires_at} />) },
  {
    name: 'Made',
    render: ({ created_at: at, created_by: by, rotated_from: from, rotated_by: rotator }) => (
      <span>
        <Ago at={at} />
        {by !== null && ` by ${by}`}
        {from !== null && (
          <span class="soft">
            {` instead of ${from}`}
            {rotator !== null && `, by ${rotator}`}
          </span>
        )}
      </span>
    ),
  },
  { name: 'Last used', render: (key) => (key.last_used_at === null ? never : <Ago at={key.last_used_at} />) },
  {
    name: 'From',
    render: ({ allowed_addresses: addresses }) =>
      addresses.length === 0 ? 'everywhere' : <Given text={addresses.join(', ')} />,
  },
]

const never = <span class="soft whole">never</span>

function stateOf(key: Key): string {
  if (key.revoked_at !== null) return 'revoked'
  return isLive(key, Date.now()) ? 'active' : 'expired'
}

/** Replacing and ending, of the keys that can be used. */
function choosing(choose: (choice: Choice) => void): Column<Key> {
  const actions = [
    { what: 'rotate', label: 'Rotate' },
    { what: 'revoke', label: 'Revoke' },
  ] as const
  return {
    name: 'Actions',
    render: (key) =>
      isLive(key, Date.now()) && (
        <span class="row">
          {actions.map(({ what, label }) => (
            <button
              key={what}
              type="button"
              class={what === 'revoke' ? 'danger' : ''}
              onClick={() => {
                choose({ what, key })
              }}
            >
              {label} <span class="unseen">{key.key_id}</span>
            </button>
          ))}
        </span>
      ),
  }
}

function CreateKey({
  casinoId,
  onClose,
  onMade,
}: {
  casinoId: string
  onClose: () => void
  onMade: (key: Schemas['NewApiKey']) => void
}) {
  const { known } = useSession()
  const casino = useCasino(known, casinoId)
  const isSandbox = casino !== undefined && casino.sandbox_of !== null
  return (
    <ReasonDialog
      title="Create a key"
      button="Create"
      text="The key itself is shown once, after it was made."
      fields={(problemOf) => <NewKeyFields problemOf={problemOf} isSandbox={isSandbox} />}
      onClose={onClose}
      onSubmit={async (header, values) => {
        const params = { path: { casino_id: casinoId }, header }
        const body = newKeyOf(values)
        onMade((await answered(api.POST('/admin/casinos/{casino_id}/api-keys', { params, body }))).data)
      }}
    />
  )
}

function RotateKey({
  casinoId,
  target,
  onClose,
  onMade,
}: {
  casinoId: string
  target: Key
  onClose: () => void
  onMade: (key: Schemas['NewApiKey']) => void
}) {
  return (
    <ReasonDialog
      title="Rotate the key"
      button="Rotate"
      text={`A new key with the name, mode and scopes of ${target.key_id} is made, and shown once. The old one ends after the overlap.`}
      fields={(problemOf) => <RotationFields problemOf={problemOf} />}
      onClose={onClose}
      onSubmit={async (header, values) => {
        const params = { path: { casino_id: casinoId, key_id: target.key_id }, header }
        const body = rotationOf(values)
        onMade(
          (await answered(api.POST('/admin/casinos/{casino_id}/api-keys/{key_id}/rotate', { params, body })))
            .data,
        )
      }}
    />
  )
}
