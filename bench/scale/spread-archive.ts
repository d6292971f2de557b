import { withSession } from '../servers.ts'
import type { Servers } from '../servers.ts'
import type { Sized } from './sized.ts'

/** Three years, the present month among them. */
export const archiveMonths = 36

/** The time by which the rows of a table are spread. All rows of a prize have the same in the fill. */
const times = {
  archived_event: 'created_at',
  archived_prize: 'created_at',
  archived_prize_order: 'created_at',
  archived_cashback: 'created_at',
  archived_opening: 'opened_at',
} as const
type Archived = keyof typeof times

/**
 * Moves the archived rows into the partitions of several months, the oldest into the first: a run archives everything in
 * one month, and production has as many partitions as months. Returns the number of months that have prizes.
 */
export function spreadArchive(
  servers: Servers,
  { databaseUrl }: Pick<Sized, 'databaseUrl'>,
): Promise<number> {
  return withSession(servers, databaseUrl, async (client) => {
    await client.query('SET statement_timeout = 0')
    await client.query('BEGIN')
    // Archived rows cannot be changed otherwise.
    await client.query(`SET LOCAL session_replication_role = 'replica'`)
    await client.query(
      `SELECT make_archive_month(month), attach_archive_month(month)
         FROM (SELECT (${monthBefore('back')}) AS month FROM generate_series(0, ${archiveMonths - 1}) AS back) AS months`,
    )
    for (const table of Object.keys(times) as Archived[]) {
      const range = rangeOf(table === 'archived_event' ? table : 'archived_prize')
      const back = `${archiveMonths} - least(width_bucket(extract(epoch FROM ${times[table]}), low, high, ${archiveMonths}), ${archiveMonths})`
      await client.query(
        `UPDATE ${table} SET archived_month = ${monthBefore(`(${back})`)} FROM (${range}) AS range WHERE low < high`,
      )
    }
    await client.query('COMMIT')
    await client.query(`VACUUM (ANALYZE) ${Object.keys(times).join(', ')}`)
    const { rows } = await client.query<{ months: number }>(
      'SELECT count(DISTINCT archived_month)::int AS months FROM archived_prize',
    )
    return rows[0]?.months ?? 0
  })
}

/** A month so many before the present one, as a date. */
function monthBefore(back: string): string {
  return `(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month' * ${back})::date`
}

function rangeOf(table: Archived): string {
  return `SELECT extract(epoch FROM min(${times[table]})) AS low, extract(epoch FROM max(${times[table]})) AS high FROM ${table}`
}
