import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useRef } from 'preact/hooks'
import { useQuery } from '../use-query.ts'
import { ChoosePage, ChooseRow } from './choose-rows.tsx'
import type { Choice } from './choose-rows.tsx'
import { textsOf } from './form.tsx'
import { Empty, Failure, Loading } from './states.tsx'
import { wordsOf } from './values.tsx'

export interface Column<Row> {
  name: string
  render: (row: Row) => ComponentChildren
}

/** Rows under names; on narrow windows each row becomes a block with the names inside. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) {
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, render }) => (
              <td key={name} data-name={name}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A page of a list of the management API. */
export interface ListPage<Row> {
  data: readonly Row[]
  next_cursor?: string | undefined
}

interface ListProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Identifies the list and its filters: another one begins again. */
  listKey: string
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>
  empty: ComponentChildren
  /** With it, rows can be chosen. */
  choice?: Choice<Row> | undefined
}

const pollMs = 15_000

/**
 * A list whose first page has the newest rows. Shown rows stay where they are: newer ones are counted, and appear when
 * the operator asks for them. The place in the list is part of the URL.
 */
export function List<Row>({ caption, columns, keyOf, listKey, load, empty, choice }: ListProps<Row>) {
  const { path, query, route } = useLocation()
  const cursor = query['cursor']
  const shown = useQuery(`${listKey} ${cursor ?? ''}`, (signal) => load(cursor, signal))
  const newest = useQuery(
    `newest ${listKey}`,
    (signal) => (cursor === undefined ? load(undefined, signal) : Promise.resolve({ data: [] })),
    { pollMs },
  )
  const top = useRef<HTMLDivElement>(null)
  const { value } = shown
  if (value === undefined) {
    return shown.error === undefined ? (
      <Loading what={caption.toLowerCase()} />
    ) : (
      <Failure error={shown.error} retry={shown.reload} />
    )
  }
  const known = new Set(value.data.map(keyOf))
  const firstKnown = (newest.value?.data ?? []).findIndex((row) => known.has(keyOf(row)))
  const newRows = newest.value?.data ?? []
  const newCount = cursor !== undefined ? 0 : firstKnown === -1 ? newRows.length : firstKnown
  const urlOf = (to: string | undefined) => {
    const search = new URLSearchParams(query)
    search.delete('cursor')
    if (to !== undefined) search.set('cursor', to)
    const text = search.toString()
    return text === '' ? path : `${path}?${text}`
  }
  return (
    <div ref={top} aria-busy={shown.isLoading}>
      <div class="list-newer" role="status">
        {newCount > 0 && (
          <button type="button" onClick={shown.reload}>
            {newCount} new: show
          </button>
        )}
      </div>
      {shown.error !== undefined && <Failure error={shown.error} retry={shown.reload} />}
      {value.data.length === 0 ? (
        <Empty>{value.next_cursor === undefined ? empty : 'Nothing among the rows looked at so far.'}</Empty>
      ) : (
        <>
          {choice !== undefined && <ChoosePage rows={value.data} choice={choice} />}
          <Table
            caption={caption}
            columns={choice === undefined ? columns : [choosing(choice), ...columns]}
            rows={value.data}
            keyOf={keyOf}
          />
        </>
      )}
      <nav class="pages" aria-label={`Pages of ${caption.toLowerCase()}`}>
        {cursor !== undefined && <a href={urlOf(undefined)}>First page</a>}
        {value.next_cursor !== undefined && (
          <>
            <span class="soft">There is more.</span>
            <a
              href={urlOf(value.next_cursor)}
              onClick={(event) => {
                event.preventDefault()
                route(urlOf(value.next_cursor))
                top.current?.scrollIntoView()
              }}
            >
              Next page
            </a>
          </>
        )}
        {value.next_cursor === undefined && value.data.length > 0 && (
          <span class="soft">End of the list.</span>
        )}
      </nav>
    </div>
  )
}

function choosing<Row>(choice: Choice<Row>): Column<Row> {
  return { name: 'Select', render: (row) => <ChooseRow row={row} choice={choice} /> }
}

/** Filters of a list as a form; the choice is part of the URL. */
export function Filters({
  filters,
}: {
  filters: readonly {
    name: string
    label: string
    choices?: readonly (string | { value: string; label: string })[]
  }[]
}) {
  const { path, query, route } = useLocation()
  return (
    <form
      class="filters"
      role="search"
      aria-label="This list"
      onSubmit={(event) => {
        event.preventDefault()
        const entries = Object.entries(textsOf(event.currentTarget))
          .map(([name, value = '']) => [name, value.trim()])
          .filter(([, value]) => value !== '')
        const text = new URLSearchParams(entries).toString()
        route(text === '' ? path : `${path}?${text}`)
      }}
    >
      {filters.map(({ name, label, choices }) => (
        <label key={name}>
          {label}
          {choices === undefined ? (
            <input name={name} defaultValue={query[name] ?? ''} key={query[name] ?? ''} autocomplete="off" />
          ) : (
            <select
              name={name}
              key={query[name] ?? ''}
              onChange={(event) => {
                event.currentTarget.form?.requestSubmit()
              }}
            >
              <option value="">any</option>
              {choices
                .map((choice) =>
                  typeof choice === 'string' ? { value: choice, label: wordsOf(choice) } : choice,
                )
                .map(({ value, label }) => (
                  <option key={value} value={value} selected={value === query[name]}>
                    {label}
                  </option>
                ))}
            </select>
          )}
        </label>
      ))}
      <button type="submit">Filter</button>
    </form>
  )
}
