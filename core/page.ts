/** Which part of a list is wanted: at most `limit` rows after the one named `afterId`, in the order of their ids. */
export interface PageRequest {
  limit: number
  afterId: string | undefined
}

export interface Page<Row> {
  rows: readonly Row[]
  /** Where the next page begins; undefined when this is the last one. */
  nextAfterId: string | undefined
}

/** Makes a page of up to `limit + 1` rows: whether there is one more than asked for tells whether the list goes on. */
export function toPage<Row extends { id: string }>(rows: readonly Row[], { limit }: PageRequest): Page<Row> {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextAfterId: rows.length > limit ? shown.at(-1)?.id : undefined }
}

/** The condition on `id` of a Prisma query for a page. */
export function afterCursor({ afterId }: PageRequest): { id?: { gt: string } } {
  return afterId === undefined ? {} : { id: { gt: afterId } }
}
