import { clockDifferenceMaxMs } from './platform/clock.ts'
import type { Prisma } from './platform/database.ts'
import { firstIdAt } from './platform/ids.ts'
import type { TimedPrefix } from './platform/ids.ts'
import { instant, joined, sql } from './platform/sql.ts'

/** Which part of a list is wanted: at most `limit` rows after the one named `afterId`, in the order of their ids. */
export interface PageRequest {
  limit: number
  afterId: string | undefined
}

/** By the ids: upwards, or downwards. */
export type Order = 'asc' | 'desc'

/** The same of a list that can be read in both orders, and of a time only. */
export interface ListRequest extends PageRequest {
  order: Order
  /** The first moment of the time in which the rows were made, and the first one after it. */
  createdFrom: Date | undefined
  createdUntil: Date | undefined
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

/**
 * What makes a page of a list of a Prisma query. With the prefix of ids that begin with a time, a range of time is a range
 * of the index that the list is read by; without one the rows are looked through, so there have to be few.
 */
export function listQuery(page: ListRequest, timedIds?: TimedPrefix) {
  const conditions = conditionsOf(page, timedIds).map(({ column, operator, value }) => ({
    [column]: { [operator]: value },
  }))
  return { where: { AND: conditions }, orderBy: { id: page.order }, take: page.limit + 1 }
}

/** The same for a statement: conditions with `AND` in front of each, and `ASC` or `DESC`. */
export function listSql(
  page: ListRequest,
  columns: { id: Prisma.Sql; createdAt: Prisma.Sql },
  timedIds?: TimedPrefix,
): { conditions: Prisma.Sql; direction: Prisma.Sql } {
  const conditions = conditionsOf(page, timedIds).map((condition) => {
    const value = condition.column === 'id' ? sql`${condition.value}::text` : instant(condition.value)
    return sql`AND ${columns[condition.column]} ${operators[condition.operator]} ${value}`
  })
  return {
    conditions: joined(conditions, ' '),
    direction: page.order === 'asc' ? sql`ASC` : sql`DESC`,
  }
}

const operators = { gt: sql`>`, gte: sql`>=`, lt: sql`<` }

type Condition = { operator: keyof typeof operators } & (
  { column: 'id'; value: string } | { column: 'createdAt'; value: Date }
)

function conditionsOf(page: ListRequest, timedIds: TimedPrefix | undefined): Condition[] {
  const { afterId, order, createdFrom, createdUntil } = page
  const conditions: Condition[] = []
  if (afterId !== undefined) {
    conditions.push({ column: 'id', operator: order === 'asc' ? 'gt' : 'lt', value: afterId })
  }
  if (createdFrom !== undefined) {
    conditions.push({ column: 'createdAt', operator: 'gte', value: createdFrom })
    if (timedIds !== undefined) {
      conditions.push({ column: 'id', operator: 'gte', value: idNear(timedIds, createdFrom, -1) })
    }
  }
  if (createdUntil !== undefined) {
    conditions.push({ column: 'createdAt', operator: 'lt', value: createdUntil })
    if (timedIds !== undefined) {
      conditions.push({ column: 'id', operator: 'lt', value: idNear(timedIds, createdUntil, 1) })
    }
  }
  return conditions
}

/** Ids are made shortly before their rows, and once were by the clocks of machines: the range of ids is a little wider. */
function idNear(prefix: TimedPrefix, time: Date, direction: -1 | 1): string {
  return firstIdAt(prefix, new Date(time.getTime() + direction * clockDifferenceMaxMs))
}
