/** A page of a list of the management API. */
export interface ListPage<Row> {
  data: readonly Row[]
  next_cursor?: string | undefined
}

/** The difference between a shown page of a list and the same page as it is now. */
export interface ListChanges<Row> {
  /** The shown rows in their places, each as it is now. */
  rows: readonly Row[]
  newCount: number
  /** Whether there may be more new rows than those. */
  isMore: boolean
  /** How many of the shown rows are on the list no longer. */
  goneCount: number
}

/**
 * Compares a shown page with the same page loaded again, whatever the order of the list is. A row that has only moved
 * between this page and the next one, because of others, is neither new nor gone.
 */
export function changesOf<Row>(
  shown: ListPage<Row>,
  loaded: ListPage<Row>,
  keyOf: (row: Row) => string,
): ListChanges<Row> {
  const shownKeys = new Set(shown.data.map(keyOf))
  const loadedRows = new Map(loaded.data.map((row) => [keyOf(row), row]))
  const lastKnown = loaded.data.findLastIndex((row) => shownKeys.has(keyOf(row)))
  const isNew = (row: Row, index: number) =>
    !shownKeys.has(keyOf(row)) && (lastKnown === -1 || index < lastKnown || shown.next_cursor === undefined)
  const lastLeft = shown.data.findLastIndex((row) => loadedRows.has(keyOf(row)))
  const isGone = (row: Row, index: number) =>
    !loadedRows.has(keyOf(row)) && (index < lastLeft || loaded.next_cursor === undefined)
  const last = loaded.data.at(-1)
  return {
    rows: shown.data.map((row) => loadedRows.get(keyOf(row)) ?? row),
    newCount: loaded.data.filter(isNew).length,
    isMore: last !== undefined && isNew(last, loaded.data.length - 1) && loaded.next_cursor !== undefined,
    goneCount: shown.data.filter(isGone).length,
  }
}

/** The changes as the text of a button; undefined when there are none. */
export function textOfChanges({
  newCount,
  isMore,
  goneCount,
}: Omit<ListChanges<unknown>, 'rows'>): string | undefined {
  const parts = [
    ...(newCount > 0 ? [`${String(newCount)}${isMore ? '+' : ''} new`] : []),
    ...(goneCount > 0 ? [`${String(goneCount)} no longer here`] : []),
  ]
  return parts.length === 0 ? undefined : `${parts.join(', ')}: show`
}
