import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAfterChange } from '../use-after-change.ts'
import { useQuery } from '../use-query.ts'
import { ChoosePage, ChooseRow } from './choose-rows.tsx'
import type { Choice } from './choose-rows.tsx'
import { textsOf } from './form.tsx'
import { changesOf, textOfChanges } from './list-changes.ts'
import type { ListPage } from './list-changes.ts'
import { Empty, Failure, Loading, messageOf } from './states.tsx'
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

export interface ListProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Identifies the list and its filters: another one begins again. */
  listKey: string
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>
  empty: ComponentChildren
  /** The list is loaded again when it changes. The shown rows stay in their places. */
  freshKey?: string
  /** With it, rows can be chosen. */
  choice?: Choice<Row> | undefined
}

const pollMs = 15_000

/**
 * A list, page by page. Shown rows stay where they are, and show their current state: new ones are counted, and appear
 * when the operator asks for them. The place in the list is part of the URL.
 */
export function List<Row>(props: ListProps<Row>) {
  const { caption, columns, keyOf, listKey, load, empty, choice, freshKey } = props
  const { path, query, route } = useLocation()
  const cursor = query['cursor']
  const pageKey = `${listKey} ${cursor ?? ''}`
  const { value, error, isLoading, reload } = useQuery(pageKey, (signal) => load(cursor, signal), { pollMs })
  const [accepted, setAccepted] = useState<{ pageKey: string; page: ListPage<Row> }>()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (value !== undefined && accepted?.pageKey !== pageKey) setAccepted({ pageKey, page: value })
  }, [value, accepted, pageKey])
  useAfterChange(freshKey, reload)
  if (value === undefined) {
    return error === undefined ? (
      <Loading what={caption.toLowerCase()} />
    ) : (
      <Failure error={error} retry={reload} />
    )
  }
  const shown = accepted?.pageKey === pageKey ? accepted.page : value
  const changes = changesOf(shown, value, keyOf)
  const changesText = textOfChanges(changes)
  const urlOf = (to: string | undefined) => {
    const search = new URLSearchParams(query)
    search.delete('cursor')
    if (to !== undefined) search.set('cursor', to)
    const text = search.toString()
    return text === '' ? path : `${path}?${text}`
  }
  return (
    <div ref={top} aria-busy={isLoading}>
      <div class="list-head">
        {choice !== undefined && changes.rows.length > 0 && (
          <ChoosePage rows={changes.rows} choice={choice} />
        )}
        <div role="status">
          {changesText !== undefined && (
            <button
              type="button"
              onClick={() => {
                setAccepted({ pageKey, page: value })
              }}
            >
              {changesText}
            </button>
          )}
          {error !== undefined && (
            <span class="problem">
              This list is not up to date: {messageOf(error)}{' '}
              <button type="button" onClick={reload}>
                Try again
              </button>
            </span>
          )}
        </div>
      </div>
      {changes.rows.length === 0 ? (
        <Empty>{shown.next_cursor === undefined ? empty : 'Nothing among the rows looked at so far.'}</Empty>
      ) : (
        <>
          <Table
            caption={caption}
            columns={choice === undefined ? columns : [choosing(choice), ...columns]}
            rows={changes.rows}
            keyOf={keyOf}
          />
        </>
      )}
      <nav class="pages" aria-label={`Pages of ${caption.toLowerCase()}`}>
        {cursor !== undefined && <a href={urlOf(undefined)}>First page</a>}
        {shown.next_cursor !== undefined && (
          <>
            <span class="soft">There is more.</span>
            <a
              href={urlOf(shown.next_cursor)}
              onClick={(event) => {
                event.preventDefault()
                route(urlOf(shown.next_cursor))
                top.current?.scrollIntoView()
              }}
            >
              Next page
            </a>
          </>
        )}
        {shown.next_cursor === undefined && changes.rows.length > 0 && (
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
    /** An example, shown in the empty field. */
    hint?: string
    problem?: string | undefined
  }[]
}) {
  const { path, query, route } = useLocation()
  const formId = useId()
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
      {filters.map(({ name, label, choices, hint, problem }) => (
        <label key={name}>
          {label}
          {choices === undefined ? (
            <>
              <input
                name={name}
                defaultValue={query[name] ?? ''}
                key={query[name] ?? ''}
                autocomplete="off"
                placeholder={hint}
                aria-invalid={problem !== undefined}
                aria-describedby={problem === undefined ? undefined : `${formId}-${name}`}
              />
              {problem !== undefined && (
                <span class="problem" id={`${formId}-${name}`} role="alert">
                  {problem}
                </span>
              )}
            </>
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
