import type { Database, Prisma } from './database.ts'

/** The number of objects in each state that occurs. */
export interface StateCounts {
  states: readonly { state: string; count: number }[]
  /** Whether there are more objects than were counted: older ones. */
  isPartial: boolean
}

/** The number of objects that are looked at. */
const countedStatesMax = 1_000

/** Counts the states of the first rows of a query, which selects `state`, the newest first. */
export async function countStates(database: Database, newest: Prisma.Sql): Promise<StateCounts> {
  const rows = await database.$queryRaw<{ state: string; count: number; total: number }[]>`
    SELECT state, count(*) FILTER (WHERE place <= ${countedStatesMax}::int)::int AS count,
           (sum(count(*)) OVER ())::int AS total
      FROM (SELECT state, row_number() OVER () AS place
              FROM (${newest} LIMIT ${countedStatesMax + 1}::int) AS one) AS found
     GROUP BY state ORDER BY state`
  return {
    states: rows.flatMap(({ state, count }) => (count === 0 ? [] : [{ state, count }])),
    isPartial: (rows[0]?.total ?? 0) > countedStatesMax,
  }
}
