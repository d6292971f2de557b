import { eventNames } from './event-names.ts'
import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/** All event types of the feed. */
export const eventTypes: ReadonlySet<string> = new Set(
  Object.entries(eventNames).flatMap(([sort, names]) => names.map((name) => `${sort}.${name}`)),
)

/** A type such as `prize.won`, or a prefix with `.*`. */
export const eventTypeFilterPattern = /^[a-z][a-z_]{0,49}(\.[a-z][a-z_]{0,49})*(\.\*)?$/
export const eventTypeFiltersMax = 100

/** All filters that can match an event. Others are refused: an endpoint with a misspelt filter would silently get nothing. */
export const eventTypeFilters: ReadonlySet<string> = new Set(
  [...eventTypes].flatMap((type) => [allLike(type), type]),
)

/** Suggestions for an unknown filter: the types with the same prefix, or all prefixes. */
export function knownFiltersLike(filter: string): string[] {
  const sort = allLike(filter)
  const known = [...eventTypeFilters]
  return known.filter((one) => (eventTypeFilters.has(sort) ? allLike(one) === sort : one.endsWith('.*')))
}

/** `prize.*` for `prize.won`. */
function allLike(filter: string): string {
  return `${filter.split('.')[0] ?? ''}.*`
}

/** The condition that an event's type is wanted; an empty list means all. Both are names of columns. */
export function isWantedType(type: string, wantedTypes: string): Prisma.Sql {
  const [one, wanted] = [Prisma.raw(type), Prisma.raw(wantedTypes)]
  return sql`(
        cardinality(${wanted}) = 0
     OR ${one} = ANY(${wanted})
     OR EXISTS (SELECT FROM unnest(${wanted}) AS filter (pattern)
                 WHERE pattern LIKE '%.*' AND starts_with(${one}, left(pattern, -1)))
  )`
}
