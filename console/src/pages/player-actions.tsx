import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { makeAct, moveAct } from '../acts.ts'
import { ApiError, answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import type { Right } from '../session.tsx'
import { Field } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import type { ReasonHeaders } from '../ui/reason-dialog.tsx'
import { Empty } from '../ui/states.tsx'
import { ErasePlayer } from './erase-player.tsx'

type PlayerPath = { casino_id: string; player_id: string }

const actions = ['give', 'export', 'erase'] as const
type PlayerAction = (typeof actions)[number]
/** Erasing has a dialog of its own. */
type PlainAction = Exclude<PlayerAction, 'erase'>

const meanings: Readonly<Record<PlayerAction, { label: string; right: Right }>> = {
  give: {
    label: 'Give a prize',
    right: 'finance',
  },
  export: {
    label: 'Export everything',
    right: 'support',
  },
  erase: {
    label: 'Erase personal data',
    right: 'admin',
  },
}

const texts: Readonly<Record<PlainAction, string>> = {
  give: 'The player gets a prize of the item. Above the casino’s limit it becomes a proposal, which another person approves.',
  export:
    'You get a file with all that is stored about the player, with delivery details. Keep it as personal data.',
}

/** The actions that a person can take on a player. */
export function PlayerActions({ path, onDone }: { path: PlayerPath; onDone: () => void }) {
  const { may } = useSession()
  const { route } = useLocation()
  const [chosen, setChosen] = useState<PlayerAction>()
  const [told, setTold] = useState('')
  const possible = actions.filter((action) => may(meanings[action].right))
  if (possible.length === 0) return <Empty>Your role lets you look only.</Empty>
  return (
    <>
      <div class="actions">
        {possible.map((action) => (
          <button
            key={action}
            type="button"
            class={action === 'erase' ? 'danger' : ''}
            onClick={() => {
              setTold('')
              setChosen(action)
            }}
          >
            {meanings[action].label}
          </button>
        ))}
      </div>
      <p role="status">{told}</p>
      {chosen === 'erase' && (
        <ErasePlayer
          path={path}
          title={meanings.erase.label}
          onClose={() => {
            setChosen(undefined)
          }}
          onDone={(text) => {
            setTold(text)
            onDone()
          }}
        />
      )}
      {chosen !== undefined && chosen !== 'erase' && (
        <ReasonDialog
          title={meanings[chosen].label}
          button={meanings[chosen].label}
          text={texts[chosen]}
          {...(chosen === 'give' ? { fields: itemField } : {})}
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (headers, values) => {
            const done = await act(chosen, path, headers, values)
            if (done.actId !== undefined) {
              route(casinoPath(path.casino_id, `/acts/${done.actId}`))
              return
            }
            setTold(done.text)
            onDone()
          }}
        />
      )}
    </>
  )
}

const itemField = (problemOf: (name: string) => string | undefined) => (
  <Field name="item_id" label="Item" problem={problemOf('item_id')} isRequired hint="Its id, such as mug." />
)

/** The message about the result, or the act that it has become. */
interface Done {
  text: string
  actId?: string
}

function act(
  action: PlainAction,
  path: PlayerPath,
  headers: ReasonHeaders,
  values: FormValues,
): Promise<Done> {
  switch (action) {
    case 'give':
      return give(path, headers, values)
    case 'export':
      return exportAll(path, values)
    default:
      return action satisfies never
  }
}

async function give(
  { casino_id, player_id }: PlayerPath,
  header: ReasonHeaders,
  { item_id = '', reason = '' }: FormValues,
): Promise<Done> {
  try {
    const params = { path: { casino_id }, header }
    const body = { player_id, item_id }
    const { data } = await answered(api.POST('/admin/casinos/{casino_id}/prizes', { params, body }))
    return { text: `The player has the prize ${data.name}.` }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'approval_required') throw error
  }
  const wish = { action: 'player.give-prize', params: { item_id }, object_ids: [player_id] }
  const key = header['Idempotency-Key']
  const { act_id: actId } = await makeAct(casino_id, wish, { 'Idempotency-Key': `${key}-act` })
  await moveAct(casino_id, actId, 'start', reason, { 'Idempotency-Key': `${key}-start` })
  return { text: '', actId }
}

/** Reads page by page to the end, and gives the browser one file. */
async function exportAll(path: PlayerPath, { reason = '' }: FormValues): Promise<Done> {
  const pages: Schemas['PlayerExport'][] = []
  let cursor: string | undefined
  do {
    const body = { reason, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await answered(
      api.POST('/admin/casinos/{casino_id}/players/{player_id}/export', { params: { path }, body }),
    )
    pages.push(data)
    cursor = data.next_cursor ?? undefined
  } while (cursor !== undefined)
  const file = new Blob([JSON.stringify(pages, null, 2)], { type: 'application/json' })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `player-${path.player_id.replaceAll(/[^\w-]+/g, '_').slice(0, 60)}.json`
  link.click()
  URL.revokeObjectURL(url)
  return { text: 'The file is in your downloads.' }
}
