import { setTimeout } from 'node:timers/promises'
import { classifyFailure } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { freeSessionLock, hasSessionLock, takeSessionLock } from '../platform/session-lock.ts'

/** As `2030-01`. */
export const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** The tables whose rows a month has, in the order of a file. */
export const archivedKinds = ['event', 'prize', 'prize_order', 'cashback', 'opening'] as const
export type ArchivedKind = (typeof archivedKinds)[number]

/** One statement reads or adds this many rows. */
const rowsMax = 2_000

/** The tables of a month: partitions, which readers see, or apart from them, or gone. */
export type MonthState = 'attached' | 'detached' | 'absent'

/** One of them, as people name it. */
export function monthTable(month: string, kind: ArchivedKind): string {
  return `archive.${kind}_${month.replace('-', '_')}`
}

export async function findMonthState(database: Database, month: string): Promise<MonthState> {
  const [row] = await database.$queryRaw<{ isThere: boolean; isAttached: boolean }[]>`
    SELECT coalesce(bool_or(to_regclass('archive.' || archive_table(kind, ${firstDay(month)}::date)) IS NOT NULL), false)
             AS "isThere",
           coalesce(bool_or(is_archive_partition(kind, ${firstDay(month)}::date)), false) AS "isAttached"
      FROM unnest(archived_kinds()) AS kind`
  if (row?.isAttached === true) return 'attached'
  return row?.isThere === true ? 'detached' : 'absent'
}

/** An arbitrary number that no other lock uses. */
export const archiveLockId = 7_236_201_918

/**
 * Lets one run at a time write, remove and restore months: a file that is written while its month is removed would lack
 * rows. `database` must have a single connection. Returns false if another run holds the lock.
 */
export function lockMonths(database: Database): Promise<boolean> {
  return takeSessionLock(database, archiveLockId)
}

/** For the next run; a run that fails leaves it to the end of its connection. */
export function unlockMonths(database: Database): Promise<void> {
  return freeSessionLock(database, archiveLockId)
}

/** Throws if the connection with the lock was lost: another run may have begun. */
export async function requireLockOfMonths(database: Database): Promise<void> {
  if (!(await hasSessionLock(database, archiveLockId)))
    throw new Error('the connection to the database was lost meanwhile: repeat the command')
}

/**
 * Moves events of a month that is over to the month of their prizes, if these were archived later, so that the month has
 * whole histories. Returns how many.
 */
export async function moveEarlyEvents(database: Database, month: string): Promise<number> {
  const day = firstDay(month)
  await database.$executeRaw`SELECT prepare_prize_archive()`
  // Months from before whole prizes moved have a table of events only.
  await database.$executeRaw`SELECT make_archive_month(${day}::date), attach_archive_month(${day}::date)`
  let [lastId, moved] = [-1n, 0]
  for (;;) {
    const [page] = await database.$queryRaw<{ last_id: bigint | null; moved: number }[]>`
      SELECT last_id, moved FROM move_early_events(${day}::date, ${lastId}::bigint, ${rowsMax}::int)`
    if (page === undefined || page.last_id === null) return moved
    lastId = page.last_id
    moved += page.moved
  }
}

/** Whether the tables of the month have no rows, or are absent. */
export async function isMonthEmpty(database: Database, month: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ count: bigint }[]>`
    SELECT count_archive_month(${firstDay(month)}::date) AS count`
  return row?.count === 0n
}

/** The oldest month before this one that readers see. */
export async function findOlderMonth(database: Database, month: string): Promise<string | undefined> {
  const [row] = await database.$queryRaw<{ month: string }[]>`
    SELECT replace(right(relname, 7), '_', '-') AS month
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'archived_event'::regclass AND replace(right(relname, 7), '_', '-') < ${month}::text
     ORDER BY relname LIMIT 1`
  return row?.month
}

/** Whether rows can still be added to the month, by the database's clock and some margin for late statements. */
export async function isMonthOpen(database: Database, month: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ isOpen: boolean }[]>`
    SELECT ${firstDay(month)}::date + interval '1 month 1 hour' > now() AT TIME ZONE 'UTC' AS "isOpen"`
  return row?.isOpen !== false
}

/** The rows of a month's tables, attached or detached, each as a line of JSON. */
export async function* readMonth(database: Database, month: string): AsyncGenerator<string> {
  for (const kind of archivedKinds) yield* readTable(database, month, kind)
}

async function* readTable(database: Database, month: string, kind: ArchivedKind): AsyncGenerator<string> {
  let after: { casinoId: string | null; id: string | null } = { casinoId: null, id: null }
  for (;;) {
    const rows = await database.$queryRaw<{ casinoId: string; id: string; line: string }[]>`
      SELECT casino_id AS "casinoId", id, line
        FROM read_archive_month(${kind}::text, ${firstDay(month)}::date, ${after.casinoId}::text, ${after.id}::text,
                                ${rowsMax}::int)`
    for (const { line } of rows) yield line
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsMax) return
    after = last
  }
}

/** Why a month stays in the database. */
export type MonthObstacle = 'needed' | 'changed' | 'read'

/** About half a minute. Each attempt keeps new readers waiting for a moment; between them, they have the archive. */
const detaching = { attemptsMax: 25, pauseMs: 1_000 }

/**
 * Removes a month of `rows` rows from the database. Until its tables are dropped, a run that was stopped can be repeated.
 * Returns why not, if a webhook delivery still needs something of it, if a prize has come back since the rows were counted,
 * or if something reads the archive all the time. The first two are checked before the tables are detached, so that
 * readers keep a month that stays, and again when no statement can find the rows any more, so that nothing changes
 * meanwhile.
 */
export async function removeMonth(
  database: Database,
  month: string,
  rows: number,
  patience = detaching,
): Promise<MonthObstacle | undefined> {
  if ((await findMonthState(database, month)) === 'attached') {
    const obstacle = await findObstacle(database, month, rows)
    if (obstacle !== undefined) return obstacle
    if (!(await detachMonth(database, month, patience))) return 'read'
  }
  const obstacle = await findObstacle(database, month, rows)
  if (obstacle !== undefined) {
    await attachMonth(database, month)
    return obstacle
  }
  await database.$executeRaw`SELECT drop_archive_month(${firstDay(month)}::date)`
  return undefined
}

/** Whether the month's tables are detached: all, or none because a dump or a long report reads the archive. */
async function detachMonth(
  database: Database,
  month: string,
  { attemptsMax, pauseMs }: typeof detaching,
): Promise<boolean> {
  const day = firstDay(month)
  await database.$executeRaw`SELECT keep_given_ids(${day}::date)`
  for (let attempt = 1; ; attempt++) {
    try {
      await database.$executeRaw`SELECT end_archive_partitions(${day}::date)`
      return true
    } catch (error) {
      if (!['locked', 'transient'].includes(classifyFailure(error))) throw error
    }
    if (attempt === attemptsMax) return false
    await setTimeout(pauseMs)
  }
}

async function findObstacle(
  database: Database,
  month: string,
  rows: number,
): Promise<MonthObstacle | undefined> {
  const [row] = await database.$queryRaw<{ isNeeded: boolean; count: bigint }[]>`
    SELECT archive_month_is_needed(${firstDay(month)}::date) AS "isNeeded",
           count_archive_month(${firstDay(month)}::date) AS count`
  if (row?.isNeeded !== false) return 'needed'
  return row.count === BigInt(rows) ? undefined : 'changed'
}

/**
 * Adds lines to the month's tables, which are made if they are absent, and must not be attached. A run that was stopped can
 * be repeated: rows with ids that are there stay as they are, so compare the tables with the file before they are attached.
 */
export async function fillMonth(
  database: Database,
  month: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const day = firstDay(month)
  await database.$executeRaw`SELECT make_archive_month(${day}::date)`
  let batch: string[] = []
  let of: ArchivedKind = archivedKinds[0]
  const addBatch = async () => {
    if (batch.length === 0) return
    await database.$executeRaw`SELECT fill_archive_month(${of}::text, ${day}::date, ${`[${batch.join(',')}]`}::jsonb)`
    batch = []
  }
  for await (const line of lines) {
    const kind = kindOf(line)
    if (kind !== of || batch.length === rowsMax) await addBatch()
    of = kind
    batch.push(line)
  }
  await addBatch()
}

/** The table that a line is of. Throws if it is of none. */
export function kindOf(line: string): ArchivedKind {
  const row: unknown = JSON.parse(line)
  const table = typeof row === 'object' && row !== null && 'table' in row ? row.table : undefined
  const kind = archivedKinds.find((known) => known === table)
  if (kind === undefined) throw new Error('a line of the file names no table of the archive')
  return kind
}

/** Lets readers see the rows of detached tables. */
export async function attachMonth(database: Database, month: string): Promise<void> {
  await database.$executeRaw`SELECT attach_archive_month(${firstDay(month)}::date)`
}

function firstDay(month: string): string {
  return `${month}-01`
}
