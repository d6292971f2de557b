import { useLocation } from 'preact-iso'
import { useRef, useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { refusedIfTaken } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, GivenName } from '../ui/values.tsx'

type Casino = Schemas['Casino']

const columns: Column<Casino>[] = [
  {
    name: 'Name',
    render: ({ casino_id: id, name }) => (
      <a href={casinoPath(id)}>
        <GivenName text={name} />
      </a>
    ),
  },
  { name: 'Id', render: ({ casino_id: id }) => <Given text={id} /> },
  {
    name: 'Sandbox of',
    render: ({ sandbox_of: owner }) =>
      owner === null ? <span class="soft">–</span> : <Given text={owner} />,
  },
  { name: 'Made', render: (casino) => <Ago at={casino.created_at} /> },
]

/** The casinos that the person works for, and making one. */
export function Casinos() {
  const { may, isOfAllCasinos } = useSession()
  const { starts_with: beginning = '' } = useLocation().query
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<{ casinoId: string; apiKey: string | undefined }>()
  return (
    <Page
      title="Casinos"
      aside={
        isOfAllCasinos &&
        may('admin') && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setCreating(true)
            }}
          >
            Create a casino
          </button>
        )
      }
    >
      {made !== undefined && (
        <p role="status">
          The casino <Given text={made.casinoId} /> is made.
        </p>
      )}
      {made?.apiKey !== undefined && (
        <ShownOnce
          text={
            <>
              The first API key of <Given text={made.casinoId} />.
            </>
          }
          secret={made.apiKey}
        />
      )}
      <Filters filters={[{ name: 'starts_with', label: 'Id or name begins with' }]} />
      <List
        caption="Casinos"
        columns={columns}
        keyOf={({ casino_id: id }) => id}
        listKey={`casinos ${beginning} ${made?.casinoId ?? ''}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos', {
              params: {
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(beginning === '' ? {} : { starts_with: beginning }),
                },
              },
              signal,
            }),
          )
        }
        empty={
          beginning === ''
            ? 'There are no casinos yet.'
            : 'There is no casino whose id or name begins with this.'
        }
      />
      {isCreating && (
        <CreateCasino
          onClose={() => {
            setCreating(false)
          }}
          onMade={setMade}
        />
      )}
    </Page>
  )
}

const keyChoices = [
  { value: 'play', label: 'play: the three operations' },
  { value: 'play manage', label: 'play and manage: the management API too' },
  { value: 'none', label: 'no key now' },
]

function CreateCasino({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: { casinoId: string; apiKey: string | undefined }) => void
}) {
  const { reload } = useSession()
  // When only the key has failed, sending the form again makes the key.
  const madeIds = useRef(new Set<string>())
  return (
    <ReasonDialog
      title="Create a casino"
      button="Create"
      text="It begins with the default settings, without items and boxes."
      onClose={onClose}
      fields={(problemOf) => (
        <>
          <Field
            name="casino_id"
            label="Id"
            hint="1 to 128 characters. It never changes."
            problem={problemOf('casino_id')}
            maxLength={128}
            isRequired
          />
          <Field name="name" label="Name" problem={problemOf('name')} isRequired />
          <Field
            name="scopes"
            label="First API key"
            value="play"
            problem={problemOf('scopes')}
            choices={keyChoices}
            isRequired
          />
        </>
      )}
      onSubmit={async (header, { casino_id: casinoId = '', name = '', scopes = '' }) => {
        const path = { casino_id: casinoId }
        if (!madeIds.current.has(casinoId)) {
          const body = { name, expected_revision: 0 }
          const creating = answered(api.PUT('/admin/casinos/{casino_id}', { params: { path, header }, body }))
          await refusedIfTaken('casino_id', creating)
          madeIds.current.add(casinoId)
          reload()
        }
        onMade({ casinoId, apiKey: scopes === 'none' ? undefined : await makeKey(casinoId, scopes, header) })
      }}
    />
  )
}

async function makeKey(
  casinoId: string,
  scopes: string,
  header: { 'Idempotency-Key': string; 'X-Reason': string },
): Promise<string> {
  const wanted: ('play' | 'manage')[] = scopes === 'play' ? ['play'] : ['play', 'manage']
  const body = { name: 'first key', scopes: wanted }
  const params = { path: { casino_id: casinoId }, header }
  return (await answered(api.POST('/admin/casinos/{casino_id}/api-keys', { params, body }))).data.api_key
}
