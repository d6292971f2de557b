import { useId } from 'preact/hooks'
import type { Schemas } from '../api.ts'
import { Field } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { accesses, entryField, periods, typedOdds } from './draft.ts'

type ProblemOf = (name: string) => string | undefined

const accessWords = { granted: 'players with a grant', limited: 'every player, up to a limit' }

/** The fields of a box, but for its entries. */
export function TermsFields({ box, problemOf }: { box: Schemas['Box'] | undefined; problemOf: ProblemOf }) {
  return (
    <>
      <Field name="name" label="Name" value={box?.name} problem={problemOf('name')} isRequired />
      <Field
        name="description"
        label="Description"
        hint="A description for players."
        value={box?.description ?? ''}
        problem={problemOf('description')}
        rows={3}
      />
      <Field
        name="image_url"
        label="Image URL"
        value={box?.image_url ?? ''}
        problem={problemOf('image_url')}
      />
      <Field
        name="access"
        label="Opened by"
        value={box?.access ?? 'granted'}
        problem={problemOf('access')}
        choices={accesses.map((value) => ({ value, label: accessWords[value] }))}
        isRequired
      />
      <fieldset>
        <legend>Limit (only for a box that every player can open)</legend>
        <div class="pair">
          <Field
            name="limit.count"
            label="Openings"
            value={String(box?.limit?.count ?? '')}
            problem={problemOf('limit.count') ?? problemOf('limit')}
          />
          <Field
            name="limit.period"
            label="In each"
            value={box?.limit?.period ?? 'day'}
            problem={problemOf('limit.period')}
            choices={periods.map((value) => ({ value, label: value }))}
            isRequired
          />
          <Field
            name="limit.time_zone"
            label="Time zone"
            hint="Such as Europe/Malta; otherwise UTC."
            value={box?.limit?.time_zone ?? ''}
            problem={problemOf('limit.time_zone')}
          />
        </div>
      </fieldset>
      <div class="pair">
        <Field
          name="active_from"
          label="Open from"
          hint="Such as 2030-01-31T12:00:00Z."
          value={box?.active_from ?? ''}
          problem={problemOf('active_from')}
        />
        <Field
          name="active_until"
          label="Open until"
          value={box?.active_until ?? ''}
          problem={problemOf('active_until')}
        />
      </div>
    </>
  )
}

/** A line of the form, with its published values if it has any. The key stays when lines before it go. */
export interface Line {
  key: number
  entry?: Schemas['BoxEntry']
}

const percents = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 })

/** The entries with their odds, as they are typed. */
export function EntryFields({
  lines,
  values,
  fallback,
  items,
  problemOf,
  onAdd,
  onRemove,
}: {
  lines: readonly Line[]
  values: FormValues
  fallback: string | undefined
  items: readonly Schemas['Item'][]
  problemOf: ProblemOf
  onAdd: () => void
  onRemove: (key: number) => void
}) {
  const listId = useId()
  const odds = typedOdds(values, lines.length)
  return (
    <>
      <datalist id={listId}>
        {items.map(({ item_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      {lines.map(({ key, entry }, index) => {
        const share = odds[index] ?? null
        return (
          <fieldset key={key} class="entry">
            <legend>
              Entry {index + 1}
              <span class="soft"> {share === null ? 'no odds yet' : `${percents.format(share)} %`}</span>
            </legend>
            <div class="pair">
              <ShortField
                name={entryField(index, 'item_id')}
                label="Item"
                value={entry?.item_id}
                list={listId}
                problemOf={problemOf}
                isRequired
              />
              <ShortField
                name={entryField(index, 'weight')}
                label="Weight"
                value={entry === undefined ? undefined : String(entry.weight)}
                problemOf={problemOf}
                isRequired
              />
              <ShortField
                name={entryField(index, 'stock')}
                label="Stock"
                value={String(entry?.stock ?? '')}
                problemOf={problemOf}
              />
            </div>
            <div class="row field tick">
              {typeof entry?.stock === 'number' && (
                <label>
                  <input type="checkbox" name={entryField(index, 'restock')} /> Give out the whole stock again
                  ({entry.remaining ?? 0} of {entry.stock} are left)
                </label>
              )}
              {problemOf(entryField(index, 'restock')) !== undefined && (
                <span class="problem">{problemOf(entryField(index, 'restock'))}</span>
              )}
              {lines.length > 1 && (
                <button
                  type="button"
                  onClick={() => {
                    onRemove(key)
                  }}
                >
                  Remove <span class="unseen">entry {index + 1}</span>
                </button>
              )}
            </div>
          </fieldset>
        )
      })}
      {problemOf('entries') !== undefined && <p class="problem">{problemOf('entries')}</p>}
      <p>
        <button type="button" onClick={onAdd}>
          Add an entry
        </button>
      </p>
      <ShortField
        name="fallback_item_id"
        label="Fallback: the item that is given when an entry is out of stock"
        value={fallback}
        list={listId}
        problemOf={problemOf}
      />
    </>
  )
}

/** A field that may suggest the entries of a list. */
function ShortField({
  name,
  label,
  value,
  list,
  problemOf,
  isRequired = false,
}: {
  name: string
  label: string
  value: string | undefined
  list?: string
  problemOf: ProblemOf
  isRequired?: boolean
}) {
  const id = useId()
  const problem = problemOf(name)
  return (
    <p class="field">
      <label for={id}>
        {label}
        {!isRequired && <span class="soft"> (optional)</span>}
      </label>
      <input
        id={id}
        type="text"
        name={name}
        defaultValue={value ?? ''}
        autocomplete="off"
        required={isRequired}
        aria-invalid={problem !== undefined}
        {...(list === undefined ? {} : { list })}
        {...(problem === undefined ? {} : { 'aria-describedby': `${id}-problem` })}
      />
      {problem !== undefined && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </p>
  )
}
