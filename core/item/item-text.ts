import { sql } from '../platform/sql.ts'

/** SQL: how many bytes the texts are of what is selected as `item`: its id, name, description and image's address. */
export const itemTextBytes = sql`(
  octet_length(item.id) + octet_length(item.name) + coalesce(octet_length(item.description), 0)
  + coalesce(octet_length(item.image_url), 0))`
