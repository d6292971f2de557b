import { sql } from '../platform/sql.ts'

/** SQL: the size in bytes of the texts of the row selected as `item`: its id, name, description and image URL. */
export const itemTextBytes = sql`(
  octet_length(item.id) + octet_length(item.name) + coalesce(octet_length(item.description), 0)
  + coalesce(octet_length(item.image_url), 0))`
