import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * What stands in the place of a provider's own id of its news once the order's details are erased: it leads to nobody at
 * the provider, and the same news once more is still the same.
 */
export function erasedNewsId(id: Prisma.Sql): Prisma.Sql {
  return sql`'erased/' || encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`
}
