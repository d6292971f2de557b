import { format } from 'node:util'
import type { Logger } from './logger.ts'

/** So many different lines are remembered as said. */
const saidMax = 100

const levels = {
  log: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  warn: 'warn',
  error: 'error',
} as const

/**
 * What libraries print, and Node's own warnings, goes into the log, so that everything that a service writes is a line of
 * JSON. BullMQ, for one, warns on the console, once for each connection: what has been said before is at the level debug.
 * Stays in force until the process ends.
 */
export function logPlainText(log: Logger): void {
  const said = new Set<string>()
  const say = (level: (typeof levels)[keyof typeof levels], source: string, parts: readonly unknown[]) => {
    const error = parts.find((part) => part instanceof Error)
    // An error's own words go through the serializer, which leaves out what may be personal.
    const text = format(...parts.filter((part) => part !== error)).trim()
    const key = `${level} ${text} ${error?.message ?? ''}`
    const isSaid = said.has(key)
    if (said.size < saidMax) said.add(key)
    log[isSaid ? 'debug' : level]({ source, ...(error === undefined ? {} : { err: error }) }, text)
  }
  for (const [method, level] of Object.entries(levels)) {
    // eslint-disable-next-line no-console -- taken over, not written to
    console[method as keyof typeof levels] = (...parts: unknown[]) => {
      say(level, 'console', parts)
    }
  }
  process.removeAllListeners('warning') // Node's own prints them
  process.on('warning', (warning) => {
    say('warn', 'node', [warning.name, warning])
  })
}
