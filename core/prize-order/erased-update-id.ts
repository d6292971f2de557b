import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * The replacement for a provider's id of an update when the order's details are erased: it identifies no person, and a
 * repeated update is still recognised.
 */
export function erasedUpdateId(id: Prisma.Sql): Prisma.Sql {
  return sql`'erased/' || encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`
}
