import pg from 'pg'
import { inParallel } from './in-parallel.ts'
import { delivery } from './factory.ts'

/** Of every address that the factory gives. (Its e-mail address is not among them: a test plants that in a queue.) */
const marks = [delivery.recipient_name, delivery.street, delivery.phone_number, delivery.additional_notes]
const inspected: string[] = []

/** Looks for the factory's personal data in a text that must hold none. Any found fails the file, in the end. */
export function inspect(text: string, where: string): void {
  for (const mark of marks)
    if (text.includes(mark)) inspected.push(`"${mark}" in ${where}: ${text.slice(0, 500)}`)
}

/** The findings of `inspect` since the last call. */
export function takeInspected(): string[] {
  return inspected.splice(0)
}

/** Personal data in the clear in any row of the databases. */
export async function findLeaks(databaseUrls: readonly string[]): Promise<string[]> {
  const found: string[] = []
  await inParallel(4, databaseUrls, async (url) => {
    found.push(...(await findInRows(url)))
  })
  return found
}

async function findInRows(connectionString: string): Promise<string[]> {
  const database = new pg.Client({ connectionString })
  await database.connect()
  try {
    // Most have never held a row, and take no space.
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
          AND pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0`,
    )
    if (tables.length === 0) return []
    const all = tables.map(({ name }) => `SELECT '${name}' AS name, t::text AS row FROM ${name} AS t`)
    // As a row's text has bytes: in hexadecimal.
    const patterns = marks.flatMap((mark) => [`%${mark}%`, `%${Buffer.from(mark).toString('hex')}%`])
    const { rows } = await database.query<{ name: string; row: string }>(
      `SELECT name, left(row, 500) AS row FROM (${all.join(' UNION ALL ')}) AS found WHERE row LIKE ANY ($1) LIMIT 3`,
      [patterns],
    )
    return rows.map(({ name, row }) => `${new URL(connectionString).pathname} has it in ${name}: ${row}`)
  } finally {
    await database.end()
  }
}
