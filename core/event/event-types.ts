import { eventNames } from './event-names.ts'
import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/** All types of events that the feed can have. */
export const eventTypes: ReadonlySet<string> = new Set(
  Object.entries(eventNames).flatMap(([sort, names]) => names.map((name) => `${sort}.${name}`)),
)

/** A type such as `prize.won`, or with `.*` at its end all types that begin like it. */
export const eventTypeFilterPattern = /^[a-z][a-z_]{0,49}(\.[a-z][a-z_]{0,49})*(\.\*)?$/
export const eventTypeFiltersMax = 100

/** The filters that some event can pass: another one is a slip, and nobody would ever notice. */
export const eventTypeFilters: ReadonlySet<string> = new Set(
  [...eventTypes].flatMap((type) => [allLike(type), type]),
)

/** What could have been meant by a filter that is not known: the types of the same sort, or else all sorts. */
export function knownFiltersLike(filter: string): string[] {
  const sort = allLike(filter)
  const known = [...eventTypeFilters]
  return known.filter((one) => (eventTypeFilters.has(sort) ? allLike(one) === sort : one.endsWith('.*')))
}

/** `prize.*` for `prize.won`. */
function allLike(filter: string): string {
  return `${filter.split('.')[0] ?? ''}.*`
}

/** The condition that an event's type is among those asked for; none asked for means all. Both are names of columns. */
export function isWantedType(type: string, wantedTypes: string): Prisma.Sql {
  const [one, wanted] = [Prisma.raw(type), Prisma.raw(wantedTypes)]
  return sql`(
        cardinality(${wanted}) = 0
     OR ${one} = ANY(${wanted})
     OR EXISTS (SELECT FROM unnest(${wanted}) AS filter (pattern)
                 WHERE pattern LIKE '%.*' AND starts_with(${one}, left(pattern, -1)))
  )`
}
