import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { makeAct } from '../acts.ts'
import type { BulkAction } from '../bulk-actions.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { ActionField, typed } from './action-fields.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

/** An object of a list, as it was when a person chose it. */
export interface Chosen {
  id: string
  revision: number
}

/** The objects of a list that a person has chosen. */
export interface Selection {
  /** Their revisions, by their ids. */
  chosen: ReadonlyMap<string, number>
  choose: (objects: readonly Chosen[], isChosen: boolean) => void
  clear: () => void
}

/** Kept while the console is open, so that it survives going to the next page of the list, or to an object and back. */
const kept = new Map<string, ReadonlyMap<string, number>>()

/** The chosen objects of a list, such as the orders of a casino. */
export function useSelection(key: string): Selection {
  const [, setRound] = useState(0)
  const keep = (next: ReadonlyMap<string, number>) => {
    kept.set(key, next)
    setRound((before) => before + 1)
  }
  return {
    chosen: kept.get(key) ?? new Map(),
    choose: (objects, isChosen) => {
      const next = new Map(kept.get(key))
      for (const { id, revision } of objects) {
        if (isChosen) next.set(id, revision)
        else next.delete(id)
      }
      keep(next)
    },
    clear: () => {
      keep(new Map())
    },
  }
}

/** More are refused by the service: a person has to be able to look at them. */
const objectsMax = 1_000

/** Says how many are chosen, and leads to the preview of an action on them. */
export function BulkBar({
  casinoId,
  selection,
  actions,
  what,
}: {
  casinoId: string
  selection: Selection
  actions: readonly BulkAction[]
  /** `orders`, for example. */
  what: string
}) {
  const { may } = useSession()
  const [chosen, setChosen] = useState<BulkAction>()
  const { route } = useLocation()
  const allowed = actions.filter(({ right }) => may(right))
  const ids = [...selection.chosen.keys()]
  if (ids.length === 0 || allowed.length === 0) return null
  return (
    <section class="card bulk" aria-label={`Selected ${what}`}>
      <p role="status">
        {ids.length} {what} selected{ids.length > objectsMax ? `: at most ${objectsMax} at a time` : ''}
      </p>
      <div class="actions">
        <label>
          Action
          <select
            value={chosen?.action ?? ''}
            onChange={(event) => {
              setChosen(allowed.find(({ action }) => action === event.currentTarget.value))
            }}
          >
            <option value="">choose…</option>
            {allowed.map(({ action, label }) => (
              <option key={action} value={action}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            selection.clear()
          }}
        >
          Clear the selection
        </button>
      </div>
      {chosen !== undefined && (
        <Dialog
          title={`${chosen.label}: ${ids.length} ${what}`}
          onClose={() => {
            setChosen(undefined)
          }}
        >
          <p>Nothing is changed yet. The preview shows what would happen to each.</p>
          <Form
            button="Preview"
            onSubmit={async (values, headers) => {
              const act = await makeAct(
                casinoId,
                {
                  action: chosen.action,
                  params: typed(values),
                  object_ids: ids,
                  expected_revisions: [...selection.chosen.values()],
                },
                headers,
              )
              selection.clear()
              route(casinoPath(casinoId, `/acts/${act.act_id}`))
            }}
          >
            {(problemOf) =>
              chosen.fields.map((name) => (
                <ActionField key={name} name={name} problem={problemOf(`params.${name}`)} />
              ))
            }
          </Form>
        </Dialog>
      )}
    </section>
  )
}
