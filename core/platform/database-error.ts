/**
 * The parts of a database error that may be shown. PostgreSQL's own messages repeat values, names and users; ours are
 * constant, and the SQLSTATE adds the details.
 */
export interface DatabaseProblem {
  message: string
  sqlState: string | undefined
  /** The server could not be reached, or went away before it answered. */
  isAway: boolean
}

/** A failure of a statement, described in place of the driver's own error, which reveals the address, users and values. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  /** The SQLSTATE. */
  readonly code: string | undefined
  readonly isAway: boolean

  /** The driver's error is the cause, which is for debuggers: it is not logged. */
  constructor({ message, sqlState, isAway }: DatabaseProblem, cause: unknown) {
    super(message, { cause })
    this.code = sqlState
    this.isAway = isAway
  }
}

const unreachable = 'the database cannot be reached: '

/** The first match counts. */
const meaningsOfSqlStates: readonly [RegExp, string][] = [
  [/^08/, `${unreachable}the connection to it was lost`],
  [/^57P0[12]/, `${unreachable}its server ended the connection`],
  [/^57P03/, `${unreachable}its server is just starting or stopping`],
  [/^53300/, `${unreachable}its server has no connection to spare (max_connections)`],
  [/^28P01/, 'the database refuses the user or the password in DATABASE_URL'],
  [/^28/, 'the database does not let the user in DATABASE_URL in (pg_hba.conf)'],
  [/^3D000/, 'the database named in DATABASE_URL does not exist: create it, then run npm run migrate'],
  [
    /^(42P01|42703|42704|42883|3F000)/,
    'the database lacks a table, a column or a function that this release needs: run npm run migrate',
  ],
  [/^42501/, 'the user in DATABASE_URL lacks a privilege'],
  [/^25006/, 'the database takes no changes: is the one in DATABASE_URL a standby?'],
  [/^57014/, 'a statement took too long, or somebody cancelled it: the database gave it up'],
  [/^55P03/, 'another session holds a lock for too long'],
  [/^53100/, 'the disk of the database is full'],
  [/^53/, 'the database is short of resources: its log says which'],
  [/^40/, 'the statement and another one got in each other’s way: trying again may help'],
  [/^22/, 'the database refuses a value'],
  [/^23/, 'a constraint of the database refuses the change'],
]

const disagreeOnTls = `${unreachable}its server and DATABASE_URL do not agree on TLS (sslmode)`

/** Error kinds of Prisma's adapter, for failures before or without an answer from PostgreSQL. */
const meaningsOfKinds: Record<string, string> = {
  DatabaseNotReachable: `${unreachable}nothing listens at the address in DATABASE_URL`,
  ConnectionClosed: `${unreachable}the connection to it was lost`,
  SocketTimeout: `${unreachable}its server does not answer`,
  TlsConnectionError: disagreeOnTls,
}

/** Node's codes, for errors of the driver that arrive unwrapped. */
const meaningsOfCodes: readonly [RegExp, string][] = [
  [/^ECONNREFUSED$/, `${unreachable}nothing listens at the address in DATABASE_URL`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, `${unreachable}the host name in DATABASE_URL is not known`],
  [/^(ETIMEDOUT|E(HOST|NET)UNREACH)$/, `${unreachable}its server does not answer`],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, `${unreachable}the connection to it was lost`],
  [/^(CERT|CRL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERROR_IN)_|^HOSTNAME_MISMATCH$/, disagreeOnTls],
]

/** The driver's own errors, which have only a message. */
const meaningsOfMessages: readonly [RegExp, string][] = [
  [/^Query read timeout$/, `${unreachable}its server did not answer a statement in time`],
  [/^timeout exceeded when trying to connect$/, `${unreachable}no connection came about in time`],
  [/^The server does not support SSL|establishing an SSL connection$/, disagreeOnTls],
  [/^Connection terminated/, `${unreachable}the connection to it was lost`],
]

/**
 * The database's problem, for an error that comes from it; otherwise undefined. With `isFromDriver` a network error
 * counts too: by itself it does not identify the server.
 */
export function findDatabaseProblem(
  error: unknown,
  { isFromDriver = false } = {},
): DatabaseProblem | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseError) {
    const { message, code, isAway } = error
    return { message, sqlState: code, isAway }
  }
  const sqlState = findSqlState(error)
  const meaning =
    find(meaningsOfSqlStates, sqlState ?? '') ??
    findInLayers(error) ??
    find(meaningsOfMessages, error.message)
  const isOurs =
    error.name.startsWith('Prisma') ||
    error.name.startsWith('DriverAdapter') ||
    isOfPostgres(error) ||
    find(meaningsOfMessages, error.message) !== undefined
  if (!isOurs && !(isFromDriver && meaning !== undefined)) return undefined
  const message = meaning ?? 'database error'
  return {
    message: sqlState === undefined ? message : `${message} (SQLSTATE ${sqlState})`,
    sqlState,
    isAway: message.startsWith(unreachable),
  }
}

/** The description of the problem, if the driver's error is about the database. */
export function translateDriverError(error: unknown): unknown {
  const problem = findDatabaseProblem(error, { isFromDriver: true })
  return problem === undefined || error instanceof DatabaseError ? error : new DatabaseError(problem, error)
}

/** PostgreSQL's classes; Node's codes begin with an E, and Prisma's are a P with four digits. */
const sqlStatePattern = /^[0-9FHX][0-9A-Z]{4}$/

/** The SQLSTATE of a database error, in any of its layers: see docs/contribute/decisions/0002. */
export function findSqlState(error: unknown): string | undefined {
  for (const { originalCode, code, severity } of layersOf(error)) {
    if (typeof originalCode === 'string') return originalCode
    // The driver's own error may have a code of ours (prisma/migrations).
    if (typeof code === 'string' && (severity !== undefined || sqlStatePattern.test(code))) return code
  }
  return undefined
}

/**
 * A prepared statement whose table has changed since (a migration), one that the session does not have or has already (a
 * pooler), and a transaction that has failed: in the same session, the next ones would meet the same.
 */
const errorsOfSession = /^(0A|25|26|42P05)/

/**
 * Whether the server refused a statement and takes the next one of the same session. False for a server whose messages are
 * translated.
 */
export function isRefusedStatement(error: unknown): boolean {
  return (
    layersOf(error).some(({ severity }) => severity === 'ERROR') &&
    !errorsOfSession.test(findSqlState(error) ?? '')
  )
}

/** Whether Node reports an unreachable server; it does not identify the server. */
export function isNetworkError(error: unknown): boolean {
  return layersOf(error).some(({ code }) => find(meaningsOfCodes, String(code)) !== undefined)
}

/** The driver's own class, which has no name of its own. */
function isOfPostgres(error: Error): boolean {
  return 'severity' in error && findSqlState(error) !== undefined
}

function findInLayers(error: unknown): string | undefined {
  for (const { kind, code, port } of layersOf(error)) {
    // An address that was resolved has a port.
    if (kind === 'DatabaseNotReachable' && port === undefined) return find(meaningsOfCodes, 'ENOTFOUND')
    const meaning = meaningsOfKinds[String(kind)] ?? find(meaningsOfCodes, String(code))
    if (meaning !== undefined) return meaning
  }
  return undefined
}

/** An error, and the errors that Prisma and its adapter have wrapped in it. */
function layersOf(error: unknown): Record<string, unknown>[] {
  const layers: Record<string, unknown>[] = []
  for (let at = error; layers.length < 5 && typeof at === 'object' && at !== null;) {
    const layer = at as Record<string, unknown>
    layers.push(layer)
    at = (layer['meta'] as Record<string, unknown> | undefined)?.['driverAdapterError'] ?? layer['cause']
  }
  return layers
}

function find(meanings: readonly [RegExp, string][], text: string): string | undefined {
  return meanings.find(([pattern]) => pattern.test(text))?.[1]
}
