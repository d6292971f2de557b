import { sql } from '../platform/sql.ts'
import type { Prisma } from '../platform/database.ts'

/**
 * The first revision of a webhook endpoint that is made now: above those of the casino's deleted ones. Otherwise a
 * request that has seen an endpoint could change another one that was made under its id later.
 */
export function firstEndpointRevision(casinoId: string): Prisma.Sql {
  return sql`(SELECT endpoint_revisions + 1 FROM casino WHERE id = ${casinoId}::text)`
}

/** A step that remembers the revisions of endpoints that are deleted: `deleted` has their casino_id and revision. */
export function keptEndpointRevisions(deleted: Prisma.Sql): Prisma.Sql {
  return sql`
    UPDATE casino SET endpoint_revisions = greatest(endpoint_revisions, deleted.revision)
      FROM ${deleted} AS deleted WHERE casino.id = deleted.casino_id`
}
