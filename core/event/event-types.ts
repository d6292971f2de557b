import { Prisma } from '../platform/database.ts'

/** A type such as `prize.won`, or with `.*` at its end all types that begin like it. */
export const eventTypeFilterPattern = /^[a-z][a-z_]{0,49}(\.[a-z][a-z_]{0,49})*(\.\*)?$/
export const eventTypeFiltersMax = 100

/** The condition that an event's type is among those asked for; none asked for means all. Both are names of columns. */
export function isWantedType(type: string, wantedTypes: string): Prisma.Sql {
  const [one, wanted] = [Prisma.raw(type), Prisma.raw(wantedTypes)]
  return Prisma.sql`(
        cardinality(${wanted}) = 0
     OR ${one} = ANY(${wanted})
     OR EXISTS (SELECT FROM unnest(${wanted}) AS filter (pattern)
                 WHERE pattern LIKE '%.*' AND starts_with(${one}, left(pattern, -1)))
  )`
}
