/** The part of a connection that is needed here. */
interface Session {
  query(text: string): Promise<{ rows: unknown[] }>
  escapeLiteral(text: string): string
}

/** Settings of PostgreSQL, with their values as `current_setting` writes them. */
export type SessionSettings = Readonly<Record<string, string>>

/**
 * The adapter drops the offset of the times that it reads, so they are right only in UTC, and it reads them only in ISO
 * format. Acknowledged writes must be on disk, whatever the database's own setting.
 */
const always = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', synchronous_commit: 'on' }

/**
 * The statements of the write path always touch few rows by key, so nested loops over indexes are always right. By
 * itself the server plans a prepared statement while a table is small, finds a sequential scan cheaper, and keeps that
 * plan while the table grows: for minutes, until the next ANALYZE, or until the plans are made again (pool.ts). Lists read
 * a page in the order of an index. A plan for all values expects few rows of a casino, for which a bitmap costs the same;
 * but it reads all rows, and sorts them.
 */
export const plannerSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const

/** For scans of whole tables, which take minutes on large ones: there the planner decides best. */
const freePlanner = {
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  jit: 'off',
  plan_cache_mode: 'auto',
}

/**
 * The settings of the service's role in its database, so that every session has them from its start, also one that a
 * pooler opened. The time-out of a statement is that of a request; the batches of the write path take milliseconds. Our
 * own statements lock a row for milliseconds; a longer lock must not delay a whole batch.
 */
export const serviceSettings: SessionSettings = {
  ...always,
  ...plannerSettings,
  statement_timeout: '5s',
  lock_timeout: '500ms',
  idle_in_transaction_session_timeout: '10s',
}

/** For programs that read whole tables and are run by hand. */
export const scanSettings: SessionSettings = {
  ...always,
  ...freePlanner,
  statement_timeout: '30min',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '10s',
}

/** For migrations, which take as long as they take, and for the sessions of other libraries. */
export const unlimitedSettings: SessionSettings = {
  ...freePlanner,
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** A column with the values of these settings, as a JSON object. */
export function settingsInJson(settings: SessionSettings): string {
  return `json_build_object(${Object.keys(settings)
    .map((name) => `'${name}', current_setting('${name}')`)
    .join()})`
}

/** The settings that have another value in a session, as texts: `jit is on instead of off`. */
export function findDifferent(wanted: SessionSettings, found: SessionSettings): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${name} is ${found[name] ?? 'unknown'} instead of ${value}`)
}

/**
 * The same for the sessions of a pooler, whose settings may be those of another release, which runs beside this one
 * during an upgrade. So another time-out counts as well, up to twice ours, and so does any setting of the planner, which
 * affects the speed of an answer alone.
 */
export function findUnusable(wanted: SessionSettings, found: SessionSettings): string[] {
  const isSimilar = (name: string) => {
    if (name in plannerSettings) return true
    const [isMs, wantedMs] = [toMs(found[name]), toMs(wanted[name])]
    return name.endsWith('_timeout') && isMs > 0 && isMs <= 2 * wantedMs
  }
  return findDifferent(Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSimilar(name))), found)
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }

/** NaN if it is no time; PostgreSQL's 0 has no unit, and means unlimited. */
function toMs(value = ''): number {
  const [, number, unit = ''] = /^(\d+)([a-z]*)$/.exec(value) ?? []
  return Number(number) * (unitsMs[unit] ?? Number.NaN)
}

/**
 * Whether a session with this process of the server is the connection's own. A pooler gives its clients the number of
 * no process, and runs each transaction in any of its sessions. Other clients then find the settings made in one.
 */
export function isOwnSession(client: Session, processId: number): boolean {
  return processIdOf(client) === processId
}

/** Applies the settings to the connection's own session. Resolves to false, and changes nothing, if a pooler has it. */
export async function setInSession(client: Session, settings: SessionSettings): Promise<boolean> {
  const processId = processIdOf(client)
  if (processId === undefined) return false
  const columns = Object.entries(settings).map(
    ([name, value]) => `set_config(${client.escapeLiteral(name)}, ${client.escapeLiteral(value)}, false)`,
  )
  // Not a row, and so nothing set, in the process of another session.
  const { rows } = await client.query(
    `SELECT ${columns.join(', ')} WHERE pg_backend_pid() = ${String(processId)}`,
  )
  return rows.length === 1
}

/** For a pool's `verify`: connections to PostgreSQL itself, with these settings. `what` needs them. */
export function ownSession(settings: SessionSettings, what: string): (client: Session) => Promise<void> {
  return async (client) => {
    if (!(await setInSession(client, settings))) throw needsOwnSession(what)
  }
}

export function needsOwnSession(what: string): Error {
  return new Error(
    `${what} a session of PostgreSQL itself, and a pooler answers: set DATABASE_DIRECT_URL (and MIGRATE_DATABASE_URL) to PostgreSQL's own address`,
  )
}

/** As the server, or the pooler, told the driver at the start of the connection. The driver's types lack it. */
function processIdOf(client: object): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined
}
