import type { Database } from '../platform/database.ts'

/** As `2030-01`. */
export const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** One statement reads or adds this many rows. */
const rowsMax = 2_000

/** The table of a month: a partition, which readers see, or apart from them, or gone. */
export type MonthState = 'attached' | 'detached' | 'absent'

export function monthTable(month: string): string {
  return `archive.event_${month.replace('-', '_')}`
}

export async function findMonthState(database: Database, month: string): Promise<MonthState> {
  const [row] = await database.$queryRaw<{ isThere: boolean; isAttached: boolean }[]>`
    SELECT name IS NOT NULL AS "isThere", EXISTS (SELECT FROM pg_inherits WHERE inhrelid = name) AS "isAttached"
      FROM to_regclass(${monthTable(month)}::text) AS name`
  if (row?.isAttached === true) return 'attached'
  return row?.isThere === true ? 'detached' : 'absent'
}

/** Whether events can still be added to the month, by the database's clock and some margin for late statements. */
export async function isMonthOpen(database: Database, month: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ isOpen: boolean }[]>`
    SELECT ${firstDay(month)}::date + interval '1 month 1 hour' > now() AT TIME ZONE 'UTC' AS "isOpen"`
  return row?.isOpen !== false
}

/** The rows of a month's table, attached or detached, in the order of their ids, each as a line of JSON. */
export async function* readMonth(database: Database, month: string): AsyncGenerator<string> {
  let after = -1n
  for (;;) {
    const rows = await database.$queryRaw<{ id: bigint; line: string }[]>`
      SELECT id, line FROM read_event_month(${firstDay(month)}::date, ${after}::bigint, ${rowsMax}::int)
       ORDER BY id LIMIT ${rowsMax}::int`
    for (const { line } of rows) yield line
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsMax) return
    after = last.id
  }
}

/**
 * Removes a month from the database. Until its table is dropped, a run that was stopped can be repeated. Returns false if
 * a webhook delivery still needs an event of it. The deliveries are checked first, so that readers keep a month that is
 * needed, and again when no statement can find the events any more, so that none is added meanwhile.
 */
export async function removeMonth(database: Database, month: string): Promise<boolean> {
  const day = firstDay(month)
  if ((await findMonthState(database, month)) === 'attached') {
    if (await isMonthNeeded(database, month)) return false
    await database.$executeRaw`SELECT detach_event_month(${day}::date)`
  }
  if (await isMonthNeeded(database, month)) {
    await attachMonth(database, month)
    return false
  }
  await database.$executeRaw`SELECT drop_event_month(${day}::date)`
  return true
}

async function isMonthNeeded(database: Database, month: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ isNeeded: boolean }[]>`
    SELECT event_month_is_needed(${firstDay(month)}::date) AS "isNeeded"`
  return row?.isNeeded !== false
}

/**
 * Adds lines to the month's table, which is made if it is absent, and must not be attached. A run that was stopped can be
 * repeated: rows with ids that are there stay as they are, so compare the table with the file before it is attached.
 */
export async function fillMonth(
  database: Database,
  month: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const day = firstDay(month)
  if ((await findMonthState(database, month)) === 'absent') {
    await database.$executeRaw`SELECT make_event_month(${day}::date)`
  }
  let batch: string[] = []
  const addBatch = async () => {
    await database.$executeRaw`SELECT fill_event_month(${day}::date, ${`[${batch.join(',')}]`}::jsonb)`
    batch = []
  }
  for await (const line of lines) {
    batch.push(line)
    if (batch.length === rowsMax) await addBatch()
  }
  if (batch.length > 0) await addBatch()
}

/** Lets readers see the events of a detached table. */
export async function attachMonth(database: Database, month: string): Promise<void> {
  await database.$executeRaw`SELECT attach_event_month(${firstDay(month)}::date)`
}

function firstDay(month: string): string {
  return `${month}-01`
}
