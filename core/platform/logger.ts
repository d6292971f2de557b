import { createRequire } from 'node:module'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type PinoPretty from 'pino-pretty'
import { DatabaseError, findDatabaseProblem, isNetworkError } from './database-error.ts'
import { joinLinesOfTurn, minLength } from './log-lines.ts'
import { NotMigratedError } from './migrations.ts'

export type { Logger }

/**
 * JSON lines on standard output, or readable lines if that is a terminal and this is not production. Personal data is
 * never passed to it: only ids, codes, counts and durations. `mixin` gives the fields of the trace of a line.
 */
export function createLogger(
  service: string,
  level: string,
  {
    isProduction = true,
    mixin,
  }: { isProduction?: boolean; mixin?: (() => Record<string, string>) | undefined } = {},
): Logger {
  const isForPeople = !isProduction && process.stdout.isTTY
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      ...(mixin === undefined ? {} : { mixin }),
    },
    (isForPeople ? openTerminal() : undefined) ??
      joinLinesOfTurn(pino.destination({ fd: 1, sync: false, minLength })),
  )
}

/** The request and its outcome come before all other fields. */
const messageFormat = '{msg}{if method} {method} {route} {status}{end}'
const ignore = 'method,route,status'

/** Undefined if development packages are not installed. */
function openTerminal(): DestinationStream | undefined {
  try {
    const require = createRequire(import.meta.url)
    const pretty = require('pino-pretty') as typeof PinoPretty
    return pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', messageFormat, ignore })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * The loggable part of an error: its kind and message, and the kinds of its causes. Messages of database errors are
 * left out, because PostgreSQL repeats values in them; ours describe the problem, with the SQLSTATE. An unreachable or
 * unmigrated server fails every request in the same way, and the place in the code does not matter, so there is no
 * stack then.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a thrown value that is no error' }
  const problem = findDatabaseProblem(error)
  const isAway = problem?.isAway ?? isNetworkError(error)
  return {
    name: error.name,
    message: problem?.message ?? error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(problem === undefined ? {} : { sqlState: problem.sqlState }),
    ...(isAway || error instanceof NotMigratedError ? {} : { stack: shortStackOf(error) }),
    ...(error.cause instanceof Error && !(error instanceof DatabaseError)
      ? { cause: describeError(error.cause) }
      : {}),
  }
}

function shortStackOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .join('\n')
}
