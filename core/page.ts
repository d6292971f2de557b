import { clockDifferenceMaxMs } from './platform/clock.ts'
import type { Database, Prisma } from './platform/database.ts'
import { firstIdAt } from './platform/ids.ts'
import type { TimedPrefix } from './platform/ids.ts'
import { singleRow } from './platform/single-row.ts'
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

/** Makes a page of up to `limit + 1` rows: one more than asked for tells that the list continues. */
export function toPage<Row extends { id: string }>(rows: readonly Row[], { limit }: PageRequest): Page<Row> {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextAfterId: rows.length > limit ? shown.at(-1)?.id : undefined }
}

/** The newest rows of a list that has few, for an answer without pages. */
export interface Newest<Row> {
  /** The oldest first. */
  rows: readonly Row[]
  /** Whether older ones are left out. */
  hasMore: boolean
}

/** Leaves out the oldest rows beyond `max`: the query reads one more, to tell that there are any. */
export function newestOf<Row>(oldestFirst: readonly Row[], max: number): Newest<Row> {
  return { rows: oldestFirst.slice(-max), hasMore: oldestFirst.length > max }
}

/** So many rows are looked at for one page of a list with a filter that its index does not have. */
export const scannedMax = 1_000

/** The rows that are looked at for a page, in the order of the ids. An index has to have them in this order. */
export interface Scan {
  /** With the direction, because the rows are grouped before they are joined. */
  from: (direction: Prisma.Sql) => Prisma.Sql
  id: Prisma.Sql
  /** The condition that the index narrows them down by. */
  within: Prisma.Sql
  /** Beside the id, the columns that `wanted` looks at; `created_at` has to be among them. */
  columns: Prisma.Sql
  /** Which of the rows, as columns of `scanned`, are on the list. */
  wanted: Prisma.Sql
  timedIds?: TimedPrefix
}

/**
 * Reads a page of a list with a filter that no index has, and of any length: it looks at a thousand rows and no more. A
 * page may be short, then, or empty, and the list continues.
 */
export async function scanPage<Row extends { id: string }>(
  database: Database,
  page: ListRequest,
  scan: Scan,
  load: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const { from, id, within, columns, wanted, timedIds } = scan
  const conditionsOn = (column: Condition['column'], name: Prisma.Sql) =>
    toSql(
      conditionsOf(page, timedIds).filter((condition) => condition.column === column),
      { id: name, createdAt: name },
    )
  const [direction, opposite] = page.order === 'asc' ? [sql`ASC`, sql`DESC`] : [sql`DESC`, sql`ASC`]
  const rows = await database.$queryRaw<Scanned[]>`
    WITH scanned AS MATERIALIZED (
      SELECT ${id} AS id, ${columns}
        FROM ${from(direction)}
       WHERE ${within} ${conditionsOn('id', id)}
       ORDER BY ${id} ${direction} LIMIT ${scannedMax}::int
    ),
    matched AS (
      SELECT id FROM scanned WHERE ${wanted} ${conditionsOn('createdAt', sql`scanned.created_at`)}
       ORDER BY id ${direction} LIMIT ${page.limit + 1}::int
    )
    SELECT (SELECT count(*)::int FROM scanned) AS count,
           (SELECT id FROM scanned ORDER BY id ${opposite} LIMIT 1) AS "lastId",
           ARRAY(SELECT id FROM matched ORDER BY id ${direction}) AS ids`
  return toScannedPage(singleRow(rows), page, load)
}

/** The result of a scan of `scannedMax` rows: how many there were, the last of them, and the ids of the wanted ones. */
export interface Scanned {
  count: number
  lastId: string | null
  /** In the order of the list, one more than the page has. */
  ids: string[]
}

/** Makes a page of a scan. `load` gets up to `limit` ids, some of them repeated so that statements are few. */
export async function toScannedPage<Row extends { id: string }>(
  { count, lastId, ids }: Scanned,
  { limit }: PageRequest,
  load: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const shown = ids.slice(0, limit)
  const isLast = ids.length <= limit && count < scannedMax
  const nextAfterId = isLast ? undefined : ids.length > limit ? shown.at(-1) : (lastId ?? undefined)
  const found = shown.length === 0 ? [] : await load(repeated(shown))
  const ofId = new Map(found.map((row) => [row.id, row]))
  return { rows: shown.flatMap((each) => ofId.get(each) ?? []), nextAfterId }
}

/** A statement for each number of ids would fill the server's memory of statements. */
const idsStep = 50

function repeated(ids: readonly string[]): string[] {
  const length = Math.ceil(ids.length / idsStep) * idsStep
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? '')
}

/** Whether only a part of the time is wanted. */
export function hasRange({ createdFrom, createdUntil }: ListRequest): boolean {
  return createdFrom !== undefined || createdUntil !== undefined
}

/**
 * The arguments that make a Prisma query give a page of a list. With the prefix of ids that begin with a time, a range
 * of time is a range of the index that the list is read by; without one the rows are looked through, so there have to
 * be few.
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
  return {
    conditions: toSql(conditionsOf(page, timedIds), columns),
    direction: page.order === 'asc' ? sql`ASC` : sql`DESC`,
  }
}

function toSql(
  conditions: readonly Condition[],
  columns: Record<Condition['column'], Prisma.Sql>,
): Prisma.Sql {
  return joined(
    conditions.map((condition) => {
      const value = condition.column === 'id' ? sql`${condition.value}::text` : instant(condition.value)
      return sql`AND ${columns[condition.column]} ${operators[condition.operator]} ${value}`
    }),
    ' ',
  )
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
