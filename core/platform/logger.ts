import { pino } from 'pino'
import type { Logger } from 'pino'

export type { Logger }

/** JSON lines on standard output. Nothing personal is ever handed to it: ids, codes, counts and durations only. */
export function createLogger(service: string, level: string): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    // Lines that come while one is being written go out together. What is fatal is written before the process ends.
    pino.destination({ fd: 1, sync: false }),
  )
}

/**
 * What may be logged of an error: its kind and message, and the causes' kinds. Messages of database errors are kept
 * out, because PostgreSQL repeats values in them; the SQLSTATE says what happened. A server that is away fails every
 * request in the same way, and where in the code tells nothing: there is no stack then.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a thrown value that is no error' }
  const isFromDatabase = error.name.startsWith('Prisma') || error.name.startsWith('DriverAdapter')
  const isAway = isServerAway(error)
  const databaseMessage = isAway ? 'the database cannot be reached' : 'database error'
  return {
    name: error.name,
    message: isFromDatabase ? databaseMessage : error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(isFromDatabase ? { sqlState: findSqlState(error) } : {}),
    ...(isAway ? {} : { stack: shortStackOf(error) }),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  }
}

function shortStackOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .join('\n')
}

/** The kinds of Prisma's adapter, for what happens before or instead of an answer of PostgreSQL. */
const awayKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])
/** Node's codes, and the SQLSTATEs of a server that starts, stops or has no connection left. */
const awayCode =
  /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[123]|53300)$/
/** The driver's own errors, which have nothing but a message. */
const awayMessage = /^Connection terminated|^Query read timeout$|^timeout exceeded when trying to connect$/

/** Whether a server could not be reached, or went away before it answered. */
function isServerAway(error: Error): boolean {
  if (awayMessage.test(error.message) || awayCode.test(findSqlState(error) ?? '')) return true
  for (let depth = 0, at: unknown = error; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const { kind, code, meta, cause } = at as Record<string, unknown>
    if (typeof kind === 'string' && awayKinds.has(kind)) return true
    if (typeof code === 'string' && awayCode.test(code)) return true
    at = (meta as Record<string, unknown> | undefined)?.['driverAdapterError'] ?? cause
  }
  return false
}

/** The SQLSTATE of a database error, wherever the layers between have put it: see docs/adr/0002. */
export function findSqlState(error: unknown): string | undefined {
  for (let depth = 0, at: unknown = error; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const { originalCode, meta, cause, code } = at as Record<string, unknown>
    if (typeof originalCode === 'string') return originalCode
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code
    at = (meta as Record<string, unknown> | undefined)?.['driverAdapterError'] ?? cause
  }
  return undefined
}
