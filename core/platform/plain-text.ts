import { format } from 'node:util'
import type { Logger } from './logger.ts'

/** The number of different lines that are remembered as logged. */
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
 * Redirects the output of libraries, and Node's own warnings, to the log, so that all output of a service is JSON
 * lines. BullMQ, for example, warns on the console, once for each connection: repeated lines get the level debug. Stays
 * in force until the process ends.
 */
export function logPlainText(log: Logger): void {
  const said = new Set<string>()
  const say = (level: (typeof levels)[keyof typeof levels], source: string, parts: readonly unknown[]) => {
    const error = parts.find((part) => part instanceof Error)
    // An error's own message goes through the serializer, which leaves out personal data.
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
