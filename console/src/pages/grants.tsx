import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { GrantList } from '../grants/grant-list.tsx'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { readTyped } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import { PlayerLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Filters } from '../ui/table.tsx'
import { Given } from '../ui/values.tsx'

type Grant = Schemas['Grant']

/** The grants of a casino, and giving openings to one player or to those of a file. */
export function Grants() {
  const { casinoId = '' } = useRoute().params
  const { query } = useLocation()
  const { may } = useSession()
  const [isGranting, setGranting] = useState(false)
  const [made, setMade] = useState<Grant>()
  const playerId = query['player_id'] ?? ''
  return (
    <Page
      title="Grants"
      aside={
        may('finance') && (
          <span class="row">
            <button
              type="button"
              class="primary"
              onClick={() => {
                setGranting(true)
              }}
            >
              Grant openings
            </button>
            <a class="button" href={casinoPath(casinoId, '/grants/file')}>
              From a CSV file
            </a>
          </span>
        )
      }
    >
      {made !== undefined && (
        <p role="status">
          <PlayerLink casinoId={casinoId} playerId={made.player_id} /> has{' '}
          {made.count === 1 ? 'an opening' : `${made.count.toLocaleString()} openings`} of{' '}
          <Given text={made.box_id} /> more: <code>{made.grant_id}</code>.
        </p>
      )}
      <Filters
        filters={[
          { name: 'player_id', label: 'Player' },
          { name: 'box_id', label: 'Box' },
          { name: 'grant_id', label: 'Grant' },
        ]}
      />
      <GrantList
        casinoId={casinoId}
        playerId={playerId}
        boxId={query['box_id'] ?? ''}
        grantId={query['grant_id'] ?? ''}
        madeId={made?.grant_id ?? ''}
      />
      {isGranting && (
        <GrantDialog
          casinoId={casinoId}
          playerId={playerId}
          onClose={() => {
            setGranting(false)
          }}
          onMade={setMade}
        />
      )}
    </Page>
  )
}

function GrantDialog({
  casinoId,
  playerId,
  onClose,
  onMade,
}: {
  casinoId: string
  playerId: string
  onClose: () => void
  onMade: (grant: Grant) => void
}) {
  // The fields have the names that the service uses for problems of the first and only grant.
  return (
    <ReasonDialog
      title="Grant openings"
      button="Grant"
      text="The player can open the box so often, in addition to earlier grants."
      fields={(problemOf) => (
        <>
          <Field
            name="grants.0.player_id"
            label="Player"
            value={playerId}
            problem={problemOf('grants.0.player_id')}
            isRequired
          />
          <Field
            name="grants.0.box_id"
            label="Box"
            hint="Its id."
            problem={problemOf('grants.0.box_id')}
            isRequired
          />
          <Field
            name="grants.0.count"
            label="Openings"
            value="1"
            problem={problemOf('grants.0.count')}
            isRequired
          />
          <Field
            name="grants.0.expires_at"
            label="Expires"
            hint="A date or a time with its zone, such as 2030-01-31 or 2030-01-31T12:00:00Z."
            problem={problemOf('grants.0.expires_at')}
          />
          <Field
            name="grants.0.grant_id"
            label="Grant id"
            hint="Of your own; empty for one of the service."
            problem={problemOf('grants.0.grant_id')}
          />
        </>
      )}
      onClose={onClose}
      onSubmit={async (header, values) => {
        const typed = readTyped(values)
        const count = typed.neededNumberIn('grants.0.count')
        typed.check()
        const [grantId, expiresAt] = [typed.textIn('grants.0.grant_id'), typed.textIn('grants.0.expires_at')]
        const grant = {
          player_id: values['grants.0.player_id'] ?? '',
          box_id: values['grants.0.box_id'] ?? '',
          count,
          ...(grantId === '' ? {} : { grant_id: grantId }),
          ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
        }
        const params = { path: { casino_id: casinoId }, header }
        const body = { grants: [grant] }
        const { data } = await answered(api.POST('/admin/casinos/{casino_id}/grants', { params, body }))
        const [granted] = data
        if (granted !== undefined) onMade(granted)
      }}
    />
  )
}
